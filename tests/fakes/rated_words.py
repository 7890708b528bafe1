"""An encoder that takes no time, and people whose opinions follow it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.encoders.embedding import EmbeddingSystem

WIDTH = 12
ENCODER = "test-words"
LENGTHS = "test-lengths"
WORDS = [f"{first}{second}" for first in "bdfglmnprst" for second in ("a", "e", "i", "o", "u", "ai", "ou")]


@SYSTEMS.register(ENCODER)
@dataclass(frozen=True)
class WordsEncoder(EmbeddingSystem):
    """The sum of the words' vectors, each drawn by the word."""

    name: ClassVar[str] = ENCODER
    summary: ClassVar[str] = "for tests"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([sum(word_vector(word) for word in text.split()) for text in texts]).astype(np.float32)


@SYSTEMS.register(LENGTHS)
@dataclass(frozen=True)
class LengthsEncoder(EmbeddingSystem):
    """How long a text and its words are: hardly anything of what it says."""

    name: ClassVar[str] = LENGTHS
    summary: ClassVar[str] = "for tests"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1.0, len(text), len(text.split())] for text in texts], np.float32)


def word_vector(word: str) -> NDArray[np.float64]:
    return np.random.default_rng(zlib.crc32(word.encode())).normal(size=WIDTH)


def opinions(items: int = 150, seed: int = 0, *, raters: int = 8, name: str = "words", **changes: object) -> Benchmark:
    """Rated pairs on 0..5: the more words two texts share the higher, and people differ most in the middle."""
    rng = np.random.default_rng(seed)
    lefts, rights, ratings = [], [], []
    for _ in range(items):
        drawn = rng.permutation(WORDS)
        shared = int(rng.integers(0, 5))
        lefts.append(" ".join(drawn[:4]))
        rights.append(" ".join([*drawn[:shared], *drawn[4 : 8 - shared]]))
        spread = (0.1, 0.4, 0.9, 0.4, 0.1)[shared]
        ratings.append(np.clip(0.5 + shared + spread * rng.normal(size=raters), 0, 5).tolist())
    columns = {
        "left": lefts,
        "right": rights,
        "score": [float(np.mean(row)) for row in ratings],
        "sigma": [float(np.std(row)) for row in ratings],
        "ratings": ratings,
        **changes,
    }
    return Benchmark.from_columns(
        name, scale="0..5", **{column: value for column, value in columns.items() if value is not None}
    )
