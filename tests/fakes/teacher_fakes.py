"""A teacher that says what it is told to, and data so small that every pair of its texts can be named."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.registry import Spec, spec_of
from similitude.training.splits import SeveralData

TEACHER = "test-teacher(mean=8, sigma=2)"


@dataclass(frozen=True)
class Teacher:
    """Says of every pair what it is told to, on 0..10, and counts how often it is asked."""

    name: ClassVar[str] = "test-teacher"
    summary: ClassVar[str] = "for tests"
    reads: ClassVar[frozenset[str]] = frozenset()
    asked: ClassVar[list[Items]] = []
    model: ClassVar[str] = "first"

    mean: float | None = 8.0
    sigma: float | None = None
    bounded: bool = True
    by_length: bool = False
    doubtful: str = ""

    @property
    def range(self) -> Scale | None:
        return Scale(low=0, high=10) if self.bounded else None

    @property
    def identity(self) -> Spec:
        return spec_of(self, self.name)

    def model_fingerprint(self) -> str:
        return self.model

    def score(self, items: Items) -> Predictions:
        self.asked.append(items)
        scores = np.full(len(items), np.nan if self.mean is None else self.mean)
        if self.by_length:
            scores = np.array([len(left) / 7 for left in items.lefts])
        if self.sigma is None:
            return Predictions(scores)
        return Predictions(scores, np.array([np.nan if left == self.doubtful else self.sigma for left in items.lefts]))


def rated(lefts: list[str], rights: list[str], name: str = "rated", scale: str = "0..5") -> Benchmark:
    half, tenth = Scale.parse(scale).at(0.5), 0.1 * Scale.parse(scale).width
    return Benchmark.from_columns(
        name, scale=scale, left=lefts, right=rights, score=[half] * len(lefts), sigma=[tenth] * len(lefts)
    )


def unrated(lefts: list[str], rights: list[str]) -> Benchmark:
    return Benchmark.from_columns("pool", left=lefts, right=rights)


DATA = SeveralData(
    (
        rated(["A dog barks.", "A man plays a guitar."], ["A dog sleeps.", "Someone plays music."]),
        rated(["It rains."], ["It snows."], "other", "1..7"),
    ),
    (rated(["A dog sleeps.", "A bird sings."], ["It rains.", "A bird flies."], "held out"),),
)
TEXTS = [text for part in DATA.train for text in part.items.texts()]


def sets(items: Items) -> list[frozenset[str]]:
    return [frozenset(pair) for pair in zip(items.lefts, items.rights, strict=True)]


RATED = [pair for part in (*DATA.train, *DATA.validation) for pair in sets(part.items)]


def by_kind(items: Items) -> dict[str, list[frozenset[str]]]:
    """The pairs by what their ids begin with."""
    kinds = [name.split("-")[0] for name in items.ids]
    return {kind: [pair for own, pair in zip(kinds, sets(items), strict=True) if own == kind] for kind in kinds}


@dataclass(frozen=True)
class ConditionReader:
    """Says how long the condition is, on 0..20, and counts what it is asked about; predicts no sigma."""

    name: ClassVar[str] = "test-reader"
    summary: ClassVar[str] = "for tests"
    asked: ClassVar[list[Items]] = []
    model: ClassVar[str] = "first"

    deaf: bool = False
    bounded: bool = True

    @property
    def reads(self) -> frozenset[str]:
        return frozenset() if self.deaf else frozenset({"condition"})

    @property
    def range(self) -> Scale | None:
        return Scale(low=0, high=20) if self.bounded else None

    @property
    def identity(self) -> Spec:
        return spec_of(self, self.name)

    def model_fingerprint(self) -> str:
        return self.model

    def score(self, items: Items) -> Predictions:
        self.asked.append(items)
        return Predictions(np.array([float(len(condition or "")) for condition in items.conditions]))
