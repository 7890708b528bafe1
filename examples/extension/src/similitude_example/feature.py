"""A feature of candidate pairs: how many of the two texts are questions."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.extend import DescribedPairs, Feature, TextProperty


def question_marks(texts: pl.DataFrame, _: str) -> pl.Series:
    """1 for each text that ends with a question mark, else 0; the number of a text depends on that text alone."""
    return texts["text"].str.strip_chars_end().str.ends_with("?").cast(pl.Int64)


QUESTION_MARKS = TextProperty("question-marks", "numbers", question_marks)


@dataclass(frozen=True, repr=False)
class Questions(Feature):
    """How many of the two texts are questions: 0, 1 or 2. Never undefined."""

    name: ClassVar[str] = "questions"
    meaning: ClassVar[str] = "how many of the two texts are questions"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 2.0

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        return (QUESTION_MARKS,)

    def values(self, pairs: DescribedPairs) -> NDArray[np.float64]:
        left, right = pairs.numbers_of(QUESTION_MARKS)
        return (left + right).astype(np.float64)
