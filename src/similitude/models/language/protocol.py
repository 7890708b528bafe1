"""What a language model is asked and what it answers: the nouns that endpoints, local weights and prompts share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from similitude.data.protocols import Listener, ModelKey

__all__ = [
    "GenerationSettings",
    "LanguageModel",
    "Likelihood",
    "Message",
    "ModelAnswer",
    "ModelChoice",
    "ModelQuestion",
    "Role",
    "choice_key",
    "question_key",
]

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    """One turn of what is put to the model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """How an answer is generated.

    Attributes:
        temperature: 0 takes the likeliest token each time.
        top_p: tokens are drawn from the likeliest that together have this probability.
        longest: tokens of the answer at most.
        stop: texts at which the answer ends.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    longest: int = 16
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuestion:
    """A prompt that is to be answered in words.

    Attributes:
        messages: the prompt. A model that knows no chat template reads their contents one after the other.
        settings: how the answer is generated.
        draw: which of several answers to the same prompt this is; the seed of what is random follows from it.
        allowed: the answer must be one of these, where that is not empty.
        alternatives: of the first token that are wanted with their probabilities.
    """

    messages: tuple[Message, ...]
    settings: GenerationSettings = GenerationSettings()
    draw: int = 0
    allowed: tuple[str, ...] = ()
    alternatives: int = 0


class ModelAnswer(NamedTuple):
    """What the model said.

    Attributes:
        text: as it came.
        prompt_tokens: that it read.
        answer_tokens: that it wrote.
        finish: why it ended: "stop", or "length" where it was cut.
        first: the likeliest first tokens, each with the logarithm of its probability.
    """

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0
    finish: str = "stop"
    first: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A prompt and texts of which each may follow it: how likely is each?

    Attributes:
        messages: the prompt, as of a question.
        options: the texts. Each follows the prompt directly, so it brings its own leading space where one belongs.
    """

    messages: tuple[Message, ...]
    options: tuple[str, ...]


class Likelihood(NamedTuple):
    """How likely one option is after the prompt.

    Attributes:
        total: the sum of the logarithms of its tokens' probabilities.
        tokens: that it has.
        characters: that it has.
    """

    total: float
    tokens: int
    characters: int


class LanguageModel(Protocol):
    """Answers questions, wherever it runs."""

    @property
    def key(self) -> ModelKey:
        """Which model it is; the fingerprint changes when its answers might."""

    @property
    def window(self) -> int | None:
        """Tokens that it reads and writes at most; None where that is unknown."""

    @property
    def scores_choices(self) -> bool:
        """Whether `likelihoods` works: always with local weights, with some endpoints."""

    def count_tokens(self, prompts: Sequence[tuple[Message, ...]]) -> list[int]:
        """Tokens of each prompt; an estimate where the tokeniser is not here."""
        ...

    def answers(
        self, questions: Sequence[ModelQuestion], listener: Listener | None = None
    ) -> Iterator[tuple[int, ModelAnswer]]:
        """Each question's position and answer, in the order in which they come."""
        ...

    def likelihoods(
        self, choices: Sequence[ModelChoice], listener: Listener | None = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...]]]:
        """Each choice's position and one likelihood an option, in the order in which they come."""
        ...


def question_key(model: ModelKey, question: ModelQuestion) -> str:
    """What an answer is kept under: model, prompt and parameters, and nothing else."""
    settings = question.settings
    return _key(
        "question",
        model,
        messages=question.messages,
        temperature=settings.temperature,
        top_p=settings.top_p,
        longest=settings.longest,
        stop=settings.stop,
        draw=question.draw,
        allowed=question.allowed,
        alternatives=question.alternatives,
    )


def choice_key(model: ModelKey, choice: ModelChoice) -> str:
    """What likelihoods are kept under."""
    return _key("choice", model, messages=choice.messages, options=choice.options)


def _key(kind: str, model: ModelKey, **content: Any) -> str:
    record = json.dumps([kind, model.fingerprint, content], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(record.encode("utf-8", "surrogatepass")).hexdigest()
