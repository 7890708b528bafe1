"""A language model that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

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
            tokens = self.count_tokens([question.messages])[0]
            yield place, said if isinstance(said, ModelAnswer) else ModelAnswer(said, tokens, 1)

    def likelihoods(
        self, choices: Sequence[ModelChoice], listener: Any = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...]]]:
        for place, choice in enumerate(choices):
            self.asked.append(choice)
            totals = self.weighs(choice)
            pairs = zip(totals, choice.options, strict=True)
            yield place, tuple(Likelihood(total, len(text.split()), len(text)) for total, text in pairs)
