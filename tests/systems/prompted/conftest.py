"""A language model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from similitude.data.protocols import ModelKey
from similitude.models.language.protocol import Likelihood, Message, ModelAnswer, ModelChoice, ModelQuestion


@dataclass
class ScriptedModel:
    """Answers and weighs by functions of the test; counts a word as a token, and remembers what it was asked."""

    says: Callable[[ModelQuestion], Any] = lambda question: "3"
    weighs: Callable[[ModelChoice], Sequence[float]] | None = None
    window: int | None = None
    is_chat: bool = True
    name: str = "scripted"
    asked: list[Any] = field(default_factory=list)

    @property
    def key(self) -> ModelKey:
        return ModelKey(self.name, self.name)

    @property
    def scores_choices(self) -> bool:
        return self.weighs is not None

    def count_tokens(self, prompts: Sequence[tuple[Message, ...]]) -> list[int]:
        return [sum(len(message.content.split()) for message in prompt) for prompt in prompts]

    def answers(self, questions: Sequence[ModelQuestion], listener: Any = None) -> Iterator[tuple[int, ModelAnswer]]:
        for place, question in enumerate(questions):
            self.asked.append(question)
            said = self.says(question)
            yield (
                place,
                said
                if isinstance(said, ModelAnswer)
                else ModelAnswer(said, *self.count_tokens([question.messages]), 1),
            )

    def likelihoods(
        self, choices: Sequence[ModelChoice], listener: Any = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...]]]:
        for place, choice in enumerate(choices):
            self.asked.append(choice)
            totals = self.weighs(choice)
            pairs = zip(totals, choice.options, strict=True)
            yield place, tuple(Likelihood(total, len(text.split()), len(text)) for total, text in pairs)


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
