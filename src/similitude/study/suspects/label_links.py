"""Items whose labels say something about each other: the same pair again, or under another condition."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.inspect.checks.text_keys import keyed

__all__ = ["CONDITIONS", "DUPLICATES", "SWAPS", "LabelLinks", "label_links"]

CONDITIONS, DUPLICATES = 0, 1
"""Kinds of links: a pair under two conditions; the same pair, in either order, under the same condition."""
SWAPS = (True, False)
"""Whether the two labels of a link of each kind may have been exchanged; equal items have nothing to exchange."""


class LabelLinks(NamedTuple):
    """Links between items, none of which has more than one.

    Attributes:
        links: links x 2.
        kinds: of each link, `CONDITIONS` or `DUPLICATES`.
        partners: the linked item of each item; -1 for none.
        item_kinds: the kind of each item's link; -1 for none.
    """

    links: NDArray[np.intp]
    kinds: NDArray[np.intp]
    partners: NDArray[np.intp]
    item_kinds: NDArray[np.intp]


def label_links(benchmark: Benchmark) -> LabelLinks:
    """Link items two by two, in their order: first those that are the same, then those that differ in the condition.

    Texts are normalised: case, blanks and Unicode forms do not matter. Of a pair under more than two conditions, or
    one that occurs more than twice, the items are linked two by two and one may be left over.

    >>> pairs = Benchmark.from_columns(left=["a", "a", "A"], right=["b", "b", "b"], condition=["x", "y", "x"])
    >>> label_links(pairs).links.tolist()
    [[0, 2]]
    """
    frame = keyed(benchmark).with_row_index("place")
    pair = ["first_key", "second_key", "context_key"]
    same = _two_by_two(frame, [*pair, "condition_key"])
    rest = frame.filter(~pl.col("place").is_in(same.ravel().tolist())) if same.size else frame
    other = _two_by_two(rest, pair)
    links = np.concatenate([same, other]).astype(np.intp)
    kinds = np.repeat(np.array([DUPLICATES, CONDITIONS], np.intp), [len(same), len(other)])
    partners, item_kinds = np.full((2, len(benchmark)), -1, np.intp)
    partners[links], item_kinds[links] = links[:, ::-1], kinds[:, None]
    return LabelLinks(links, kinds, partners, item_kinds)


def _two_by_two(frame: pl.DataFrame, keys: list[str]) -> NDArray[np.intp]:
    """The rows that share all keys, in pairs, in the order of the rows."""
    numbered = frame.select("place", *keys, number=pl.int_range(pl.len()).over(keys), size=pl.len().over(keys))
    whole = numbered.filter(pl.col("number") < pl.col("size") // 2 * 2).sort(*keys, "number")
    places = whole["place"].to_numpy().reshape(-1, 2)
    return np.asarray(places[np.argsort(places[:, 0], kind="stable")], np.intp)
