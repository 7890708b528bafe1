"""What tests of prompted systems share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from scripted_model import ScriptedModel


@dataclass
class Notes:
    """Hears what a system has to say."""

    texts: list[str] = field(default_factory=list)

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def note(self, text: str) -> None:
        self.texts.append(text)


class Memory:
    """An answer cache that forgets when the test ends."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get(self, keys: Sequence[str]) -> list[str | None]:
        return [self.kept.get(key) for key in keys]

    def put(self, answers: Sequence[tuple[str, str]]) -> None:
        self.kept.update(answers)


@pytest.fixture
def scripted() -> type[ScriptedModel]:
    return ScriptedModel


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def memory() -> Memory:
    return Memory()
