import asyncio
import os
from types import SimpleNamespace

import pytest

pytest.importorskip("openai", reason="the extra 'prompted' is not installed")

from endpoint_server import EndpointServer

from similitude.models.language.endpoint import caller as calling
from similitude.models.language.endpoint import pace
from similitude.models.language.protocol import Message, ModelQuestion


class Ear:
    """Remembers what it hears."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.heard: list[tuple[str, int, int]] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self.heard.append((stage, done, total))

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def server():
    with EndpointServer() as running:
        yield running


class Naps(list[float]):
    """Stands in for `asyncio` where requests are sent: notes how long they would wait, and lets them go on at once."""

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        self.append(seconds)
        await asyncio.sleep(0)


@pytest.fixture
def naps(monkeypatch) -> Naps:
    """The seconds that requests would have waited, on a clock that stands still."""
    noted = Naps()
    monkeypatch.setattr(calling, "asyncio", noted)
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: 0.0))
    return noted


@pytest.fixture
def ask():
    """Questions with prompts of different lengths."""

    def questions(count: int, **more) -> list[ModelQuestion]:
        return [ModelQuestion(messages=(Message("user", f"{'word ' * n}?"),), **more) for n in range(count)]

    return questions


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """No long waits, and nothing of the machine's own keys or proxies."""
    monkeypatch.setattr(calling, "_FIRST_WAIT", 0.01)
    for name in list(os.environ):
        if name.startswith("OPENAI_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
