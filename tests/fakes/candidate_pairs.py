"""Pairs made by hand, and a scorer without models, for tests of candidates."""

from __future__ import annotations

import numpy as np
import polars as pl

from similitude.collect.candidates.features import DescribedPairs, TextProperties
from similitude.collect.candidates.filters import Names, make_features, needs
from similitude.collect.candidates.pairs import PairBlock
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.data.texts import Texts
from similitude.errors import UnknownNameError


class FixedScorer:
    """Systems whose scores are the numbers that the right texts end with; counts its calls."""

    def __init__(self) -> None:
        unit, fifths = Scale(low=0.0, high=1.0), Scale(low=0.0, high=5.0)
        self.ranges = {"half": unit, "five": fifths, "rangeless": None, "unsure": None}
        self.calls: list[str] = []

    def names(self):
        return list(self.ranges)

    def range_of(self, written):
        name = written.partition("(")[0]
        if name not in self.ranges:
            raise UnknownNameError("system", name, self.ranges)
        return self.ranges[name]

    def predictions(self, written, items):
        self.calls.append(written)
        scores = np.array([float(text.split()[-1]) for text in items.rights])
        if written.startswith("half"):
            return Predictions(np.full(len(items), 0.5))
        return Predictions(scores, sigmas=scores / 10 if written.startswith("unsure") else None)


def block_of(lefts, rights, *, vectors=None, columns=None, **text_columns):
    """Each pair has texts of its own: left texts first, then right ones."""
    texts = Texts(
        pl.DataFrame(
            {"id": [str(n) for n in range(2 * len(lefts))], "text": [*lefts, *rights], **text_columns},
            schema_overrides={"text": pl.String},
        )
    )
    left = np.arange(len(lefts))
    return PairBlock(texts, left, left + len(lefts), np.zeros(len(lefts), np.uint8), vectors, columns or {})


def described(block, wanted, scorer=None):
    """The block with all that these filters or features need."""
    return DescribedPairs(block, TextProperties.of(block.texts, needs(wanted).properties), scorer)


def values_of(written, lefts, rights, *, vectors=None, columns=None, scorer=None, **text_columns):
    """The values of one feature on some pairs, as a list."""
    block = block_of(lefts, rights, vectors=vectors, columns=columns, **text_columns)
    names = Names(tuple(block.columns), tuple(block.texts.frame.columns), scorer)
    (feature,) = make_features([written], names)
    found = described(block, [feature], scorer).value_of(feature)
    return found.to_list() if isinstance(found, pl.Series) else found.tolist()
