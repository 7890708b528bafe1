"""The contracts of a feature of candidate pairs."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features import DescribedPairs, Feature, TextProperties, Values
from similitude.collect.candidates.features.text_properties import property_arrays
from similitude.collect.candidates.filters import Names, make_features, needs
from similitude.collect.candidates.pairs import STRATA, PairBlock
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.data.texts import Texts
from similitude.testing.contract import check_contracts, require

__all__ = ["FEATURE_CONTRACTS", "check_feature"]

TEXTS, PAIRS, WIDTH = 60, 200, 5
WORDS = (
    "A man does not play the guitar on 3 May 2020, says Angela Merkel ; Die Katze schläft nie ! $5 at 17:30 www.x.org"
)


@dataclass(frozen=True)
class _Described:
    """A feature and the pairs that it is tried on."""

    feature: Feature
    block: PairBlock

    @property
    def properties(self) -> TextProperties:
        return TextProperties.of(self.block.texts, needs([self.feature]).properties)

    def values(self, positions: NDArray[np.intp] | None = None) -> Values:
        block = self.block if positions is None else self.block.take(positions)
        return DescribedPairs(block, self.properties, _LengthScorer()).value_of(self.feature)


def check_feature(written: str | Feature) -> None:
    """Check that a feature keeps every contract; `FEATURE_CONTRACTS` lists them.

    Args:
        written: a name with arguments, ``path/to/file.py:MyFeature``, or a feature. The texts of the check have the
            columns source and language, its pairs the columns label1 and label2.

    Raises:
        AssertionError: a contract is broken; the message says which, and what was seen.

    >>> check_feature("words(of=mean)")
    """
    feature = make_features([written], NAMES)[0] if isinstance(written, str) else written
    check_contracts(f"feature '{feature}'", FEATURE_CONTRACTS, _Described(feature, _block()))


def says_what_it_is(described: _Described) -> None:
    """It says what it means, when it is undefined, and between which ends its values lie."""
    feature = described.feature
    for part in ("meaning", "undefined"):
        require(bool(getattr(feature, part)), f"{part} is empty")
    require(bool(type(feature).__doc__), "it has no docstring")
    require(feature.low < feature.high, f"its range is {feature.low}..{feature.high}")


def written_name_makes_it_again(described: _Described) -> None:
    """What it is written as makes the same feature, so that a plan means the same tomorrow."""
    (again,) = make_features([str(described.feature)], NAMES)
    require(again == described.feature, f"'{described.feature}' makes '{again}'")
    require(str(again) == str(described.feature), f"'{described.feature}' is written '{again}' after that")


def gives_one_value_a_pair(described: _Described) -> None:
    """There is one value for each pair: a float, or a text if its kind is "name"."""
    values = described.values()
    require(len(values) == PAIRS, f"{len(values)} values for {PAIRS} pairs")
    is_name = isinstance(values, pl.Series)
    if described.feature.kind != "any":
        require(is_name == (described.feature.kind == "name"), f"its kind is '{described.feature.kind}'")
    if not is_name:
        require(values.dtype == np.float64, f"its values are {values.dtype}, not float64")
    require(len(described.values(np.zeros(0, np.intp))) == 0, "it gives values where there are no pairs")


def stays_in_its_range(described: _Described) -> None:
    """No value lies below ``low`` or above ``high``; a truth is 0 or 1; none is infinite."""
    values = described.values()
    if isinstance(values, pl.Series):
        return
    known = values[~np.isnan(values)]
    inside = (known >= described.feature.low) & (known <= described.feature.high) & np.isfinite(known)
    low, high = described.feature.low, described.feature.high
    require(bool(inside.all()), f"{known[~inside][:3]} is outside {low}..{high}")
    if described.feature.kind == "truth":
        require(set(known.tolist()) <= {0.0, 1.0}, f"a truth is {sorted(set(known.tolist()))[:3]}")


def undefined_values_are_admitted(described: _Described) -> None:
    """If it says that it is never undefined, every pair has a value."""
    values = described.values()
    missing = values.null_count() if isinstance(values, pl.Series) else int(np.isnan(values).sum())
    if described.feature.undefined == "never":
        require(missing == 0, f"{missing} of {PAIRS} values are undefined")


def other_pairs_do_not_matter(described: _Described) -> None:
    """A pair has the same value in any block, whatever its size and order, bit by bit."""
    whole = _listed(described.values())
    order = np.random.default_rng(4).permutation(PAIRS)
    _require_equal(_listed(described.values(order)), [whole[at] for at in order])
    for size in (1, 7):
        for start in range(0, 21, size):
            positions = np.arange(start, start + size)
            _require_equal(_listed(described.values(positions)), whole[start : start + size])


def other_texts_do_not_matter(described: _Described) -> None:
    """What it needs of a text is the same whichever texts are read with it, so that shards can be cut anywhere."""
    texts = described.block.texts
    for one in needs([described.feature]).properties:
        arrays = property_arrays(one, texts)
        halves = [property_arrays(one, texts.take(rows)) for rows in np.split(np.arange(TEXTS), [17])]
        for part in arrays.keys() - {"offsets"}:
            joined = np.concatenate([half[part] for half in halves])
            require(
                bool(np.array_equal(joined, arrays[part], equal_nan=joined.dtype.kind == "f")), f"{one.key} differs"
            )


def can_be_sent(described: _Described) -> None:
    """It and its properties can be pickled, so that other processes can compute it."""
    again = pickle.loads(pickle.dumps((described.feature, needs([described.feature]).properties)))
    require(again[0] == described.feature, "it is another feature after that")


FEATURE_CONTRACTS = (
    says_what_it_is,
    written_name_makes_it_again,
    gives_one_value_a_pair,
    stays_in_its_range,
    undefined_values_are_admitted,
    other_pairs_do_not_matter,
    other_texts_do_not_matter,
    can_be_sent,
)
"""What every feature must keep."""


class _LengthScorer:
    """Any system: the share of the shorter text, with a standard deviation."""

    def names(self) -> Sequence[str]:
        return ()

    def range_of(self, written: str) -> Scale | None:
        return Scale(low=0.0, high=1.0)

    def predictions(self, written: str, items: Items) -> Predictions:
        pairs = zip(items.lefts, items.rights, strict=True)
        scores = np.array([min(len(a), len(b)) / max(len(a), len(b), 1) for a, b in pairs], dtype=np.float64)
        return Predictions(scores, sigmas=scores / 2)


NAMES = Names(("label1", "label2"), ("source", "language", "group", "document", "domain"), _LengthScorer())


def _require_equal(ours: list[object], theirs: list[object]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        both_missing = isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
        require(one == other or both_missing, f"{one} where {other} was expected")


def _listed(values: Values) -> list[object]:
    return list(values.to_list()) if isinstance(values, pl.Series) else list(values.tolist())


def _block() -> PairBlock:
    """Pairs of texts in several languages, some of them empty, with vectors and columns."""
    rng = np.random.default_rng(0)
    texts = Texts(
        pl.DataFrame(
            {
                "id": [str(number) for number in range(TEXTS)],
                "text": [" ".join(rng.choice(WORDS.split(), rng.integers(0, 12))) for _ in range(TEXTS)],
                "language": [("en", "de-AT", None)[number % 3] for number in range(TEXTS)],
                "source": [("news", "talks", None)[number % 5 % 3] for number in range(TEXTS)],
            }
        )
    )
    vectors = rng.standard_normal((TEXTS, WIDTH)).astype(np.float32)
    labels = {name: rng.choice(np.array(["0", "1", None], dtype=object), PAIRS) for name in ("label1", "label2")}
    left, right = rng.integers(0, TEXTS, (2, PAIRS))
    strata = rng.integers(0, len(STRATA), PAIRS).astype(np.uint8)
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return PairBlock(texts, left, right, strata, unit, labels)
