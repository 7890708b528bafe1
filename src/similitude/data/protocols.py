"""What the rooms expect of each other.

The shape of a system; of one that wants to see texts first, that tells how far it is, or that keeps what it computed;
and of those that listen to it and keep things for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.registry import Spec

__all__ = [
    "AnswerCache",
    "FitsTexts",
    "Listener",
    "ModelKey",
    "System",
    "Tells",
    "UsesAnswers",
    "UsesCache",
    "UsesModel",
    "VectorCache",
]


class System(Protocol):
    """Scores items.

    A system's score for an item must not depend on the other items in the call, nor on their order.

    Attributes:
        range: where "nothing in common" and "the same" lie in the system's own output, so that it can be mapped to a
            gold scale; None for a system whose output has no such ends. Scores may stray beyond it.
        reads: which of "context" and "condition" the system takes into account.
        identity: the registered name and arguments, from which the system can be rebuilt.
        summary: one line for listings.
    """

    summary: ClassVar[str]

    @property
    def range(self) -> Scale | None:
        """Where "nothing in common" and "the same" lie."""

    @property
    def reads(self) -> frozenset[str]:
        """What is taken into account beyond the two texts."""

    @property
    def identity(self) -> Spec:
        """What rebuilds the system."""

    def score(self, items: Items) -> Predictions:
        """One prediction an item, in order."""
        ...


@runtime_checkable
class FitsTexts(Protocol):
    """A system that must see the collection's texts (never its gold) before it can score: tf-idf, for one."""

    def fit(self, texts: Sequence[str]) -> System:
        """A system ready to score, with whatever it learned from these texts; the original is unchanged."""
        ...


class Listener(Protocol):
    """Hears from a system at work. What it makes of it, a bar or a line in a record, is its own affair."""

    def progress(self, stage: str, done: int, total: int) -> None:
        """Called as work goes on, with what is being done and how much of it."""

    def note(self, text: str) -> None:
        """Called with one sentence that the user should read: texts were cut, memory ran out and work went on."""


class ModelKey(NamedTuple):
    """Which model computed a vector.

    Attributes:
        name: for people.
        fingerprint: equal for two models if, and only if, they give the same vectors.
    """

    name: str
    fingerprint: str


class VectorCache(Protocol):
    """Keeps rows of numbers, each under a model and a text, from one run to the next.

    A row comes back as it was put, to the bit, or not at all. It may be lost at any time: nothing is ever only here.
    """

    def get(self, model: ModelKey, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """The row of each text; None where there is none."""
        ...

    def put(self, model: ModelKey, texts: Sequence[str], rows: NDArray[np.float32]) -> None:
        """Keep one row a text."""

    def recall(self, question: str) -> str | None:
        """The answer to a question that was costly to find out, such as the hash of a large file; None if unknown."""
        ...

    def remember(self, question: str, answer: str) -> None:
        """Keep the answer to such a question."""


class AnswerCache(Protocol):
    """Keeps what language models answered, each answer under a key of its content, from one run to the next.

    An answer comes back as it was put. What `put` returned from survives a kill: an answer may have cost money.
    """

    def get(self, keys: Sequence[str]) -> list[str | None]:
        """The answer under each key; None where there is none."""
        ...

    def put(self, answers: Sequence[tuple[str, str]]) -> None:
        """Keep answers, each with its key."""


@runtime_checkable
class Tells(Protocol):
    """A system that has something to say while it works."""

    def with_listener(self, listener: Listener) -> System:
        """The same system, telling this listener; the original is unchanged."""
        ...


@runtime_checkable
class UsesCache(Protocol):
    """A system whose work on a text can be kept and used again."""

    def with_cache(self, cache: VectorCache) -> System:
        """The same system, looking into this cache before it computes; the original is unchanged."""
        ...


@runtime_checkable
class UsesAnswers(Protocol):
    """A system that asks a language model, whose answers are kept and never asked for twice."""

    def with_answers(self, answers: AnswerCache) -> System:
        """The same system, looking there before it asks; the original is unchanged."""
        ...


@runtime_checkable
class UsesModel(Protocol):
    """A system whose arguments name a model that may change under its name, as a folder or a branch on a hub can."""

    def model_fingerprint(self) -> str:
        """Changes when the model does."""
        ...
