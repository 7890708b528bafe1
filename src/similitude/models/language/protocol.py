"""Questions, choices, answers and likelihoods: the types that endpoints, local models and prompts share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
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
    "Receipt",
    "Role",
    "choice_key",
    "question_key",
]

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """How an answer is generated.

    Attributes:
        temperature: 0 always takes the likeliest token.
        top_p: tokens are sampled from the likeliest ones that together have this probability.
        stop: texts that end the answer.
        longest: maximum tokens of the answer.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    stop: tuple[str, ...] = ()
    longest: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuestion:
    """A prompt to be answered in text.

    Attributes:
        messages: the prompt. A model without a chat template reads their contents one after the other.
        settings: how the answer is generated.
        draw: the number of this sample among several for the same prompt; it determines the random seed.
        allowed: the permitted answers; empty for any.
        alternatives: how many of the likeliest first tokens to return with their probabilities.
        about: what the question is about, for messages: "item 'p12'". It changes no answer.
    """

    messages: tuple[Message, ...]
    settings: GenerationSettings = GenerationSettings()
    draw: int = 0
    allowed: tuple[str, ...] = ()
    alternatives: int = 0
    about: str = field(default="", compare=False)


class ModelAnswer(NamedTuple):
    """The answer of a language model.

    Attributes:
        prompt_tokens: tokens read.
        answer_tokens: tokens written.
        finish: why the answer ended: "stop", or "length" if it was cut.
        first: the likeliest first tokens, each with its log-probability.
    """

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0
    finish: str = "stop"
    first: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A prompt and the texts that may follow it, to be scored by likelihood.

    Attributes:
        messages: the prompt.
        options: the texts. Each follows the prompt directly, so it includes its leading space if it needs one.
        about: what the choice is about, for messages.
    """

    messages: tuple[Message, ...]
    options: tuple[str, ...]
    about: str = field(default="", compare=False)


class Likelihood(NamedTuple):
    """The likelihood of one option after the prompt.

    Attributes:
        total: the sum of its tokens' log-probabilities.
        tokens: the number of its tokens.
        characters: the number of its characters.
    """

    total: float
    tokens: int
    characters: int


class Receipt(Protocol):
    """What a model that asks concurrently waits for before it asks the next question."""

    def kept(self) -> None:
        """The answer is on disk."""

    def lost(self, error: BaseException) -> None:
        """The answer cannot be stored, so nothing more is asked."""


class LanguageModel(Protocol):
    """A language model, on this machine or behind an endpoint.

    A model that asks several questions at a time may have ``answers_with_receipts`` and ``likelihoods_with_receipts``,
    which yield a `Receipt` too and ask no more before it is given. A model without them is not asked for its next
    answer before the last one is on disk, unless it has ``computes_here``: its answers cost nothing but time.
    """

    @property
    def key(self) -> ModelKey:
        """The model's name and fingerprint; the fingerprint changes when its answers may change."""

    @property
    def window(self) -> int | None:
        """The context window in tokens, prompt and answer together; None if unknown."""

    @property
    def scores_choices(self) -> bool:
        """Whether `likelihoods` is available: always for local models, sometimes for endpoints."""

    def count_tokens(self, prompts: Sequence[tuple[Message, ...]]) -> list[int]:
        """The number of tokens of each prompt; an estimate if the tokeniser is not available."""
        ...

    def answers(
        self, questions: Sequence[ModelQuestion], listener: Listener | None = None
    ) -> Iterator[tuple[int, ModelAnswer]]:
        """The position and answer of each question, in the order in which they arrive."""
        ...

    def likelihoods(
        self, choices: Sequence[ModelChoice], listener: Listener | None = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...]]]:
        """The position of each choice and the likelihoods of its options, in the order in which they arrive."""
        ...


def question_key(model: ModelKey, question: ModelQuestion) -> str:
    """The cache key of an answer: model, prompt and settings."""
    return _key(
        "question",
        model,
        **asdict(question.settings),
        messages=question.messages,
        draw=question.draw,
        allowed=question.allowed,
        alternatives=question.alternatives,
    )


def choice_key(model: ModelKey, choice: ModelChoice) -> str:
    """The cache key of a choice's likelihoods."""
    return _key("choice", model, messages=choice.messages, options=choice.options)


def _key(kind: str, model: ModelKey, **content: Any) -> str:
    record = json.dumps([kind, model.fingerprint, content], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(record.encode("utf-8", "surrogatepass")).hexdigest()
