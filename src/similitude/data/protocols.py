"""Protocols through which packages meet: systems and their options, listeners, caches."""

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
    "GivesVectors",
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
    """A system, which scores items.

    The score of an item must not depend on the other items in the call, nor on their order.

    Attributes:
        range: the outputs that mean "nothing in common" and "the same meaning", from which scores are mapped to a gold
            scale; None if the output has no such ends. Scores may lie outside.
        reads: which of "context" and "condition" the system takes into account.
        identity: the registered name and arguments, from which the system can be rebuilt.
        summary: one line for listings.

    >>> import similitude as sim
    >>> system = sim.system("levenshtein")
    >>> pair = sim.Items.from_pairs(["kitten"], ["sitting"])
    >>> str(system.identity), str(system.range), system.score(pair).scores.round(2)
    ('levenshtein', '0..1', array([0.57]))
    """

    summary: ClassVar[str]

    @property
    def range(self) -> Scale | None:
        """The outputs that mean "nothing in common" and "the same meaning"."""

    @property
    def reads(self) -> frozenset[str]:
        """Which of "context" and "condition" the system takes into account."""

    @property
    def identity(self) -> Spec:
        """The registered name and arguments."""

    def score(self, items: Items) -> Predictions:
        """One prediction per item, in order."""
        ...


@runtime_checkable
class FitsTexts(Protocol):
    """A system that must see the texts of the collection before it can score, such as tf-idf. It never sees gold."""

    def fit(self, texts: Sequence[str]) -> System:
        """A copy of the system, fitted to these texts and ready to score."""
        ...


@runtime_checkable
class GivesVectors(Protocol):
    """A system that has a vector for each text, whatever it is compared with."""

    def text_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order; zeros for a blank text are allowed."""
        ...


class Listener(Protocol):
    """Receives progress and notes from a system while it works."""

    def progress(self, stage: str, done: int, total: int) -> None:
        """Receive how much of a stage is done; a total of 0 means that it cannot be counted."""

    def note(self, text: str) -> None:
        """Receive one sentence for the user, for example that texts were truncated."""


class ModelKey(NamedTuple):
    """The model that computed a vector.

    Attributes:
        name: its name, for people.
        fingerprint: the same for two models if, and only if, they compute the same vectors.
    """

    name: str
    fingerprint: str


class VectorCache(Protocol):
    """Stores vectors by model and text from one run to the next.

    A vector comes back bit by bit as it was stored, or not at all: the cache may lose it at any time.
    """

    def get(self, model: ModelKey, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """The vector of each text; None if it is not stored."""
        ...

    def put(self, model: ModelKey, texts: Sequence[str], rows: NDArray[np.float32]) -> None:
        """Store one vector per text."""

    def recall(self, question: str) -> str | None:
        """A stored fact that was costly to compute, such as the hash of a large file; None if it is not stored."""
        ...

    def remember(self, question: str, answer: str) -> None:
        """Store such a fact."""


class AnswerCache(Protocol):
    """Stores answers of language models by key from one run to the next.

    An answer comes back as it was stored. When `put` returns, the answers survive a crash, because they may have cost
    money.
    """

    def get(self, keys: Sequence[str]) -> list[str | None]:
        """The answer of each key; None if it is not stored."""
        ...

    def put(self, answers: Sequence[tuple[str, str]]) -> None:
        """Store pairs of key and answer."""


@runtime_checkable
class Tells(Protocol):
    """A system that reports its progress."""

    def with_listener(self, listener: Listener) -> System:
        """A copy of the system that reports to this listener."""
        ...


@runtime_checkable
class UsesCache(Protocol):
    """A system whose vectors can be cached."""

    def with_cache(self, cache: VectorCache) -> System:
        """A copy of the system that uses this cache."""
        ...


@runtime_checkable
class UsesAnswers(Protocol):
    """A system that asks a language model, whose answers can be cached."""

    def with_answers(self, answers: AnswerCache) -> System:
        """A copy of the system that uses this cache."""
        ...


@runtime_checkable
class HasExactSample(Protocol):
    """A system that may compute with rounded weights, and then scores a sample of the items exactly as well."""

    def exact_sample(self, items: Items) -> tuple[NDArray[np.intp], NDArray[np.float64]] | None:
        """The positions of the sampled items and their exact scores; None if nothing is rounded."""
        ...


@runtime_checkable
class UsesModel(Protocol):
    """A system whose model can change under the same name, as a folder or a branch on a hub can."""

    def model_fingerprint(self) -> str:
        """A text that changes when the model changes."""
        ...
