"""The items that leave: nothing about them says how or why they were chosen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.pairs import STRATA, PairBlock
from similitude.collect.candidates.selection.selection import Selection
from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns

__all__ = ["BlindItems", "blind_items"]

ID_LENGTH = 12
"""Characters of an id: two of a million items have the same with a probability of 0.2 %; then both become longer."""


@dataclass(frozen=True, slots=True, eq=False)
class BlindItems:
    """Items for people and models, and what is known of them beside.

    Attributes:
        items: in random order, under ids that say nothing.
        descriptions: a row for each item, in the same order: the ids of its texts, which of them was on the left, how
            the pair was found, what it was drawn from, and what was measured of it; a column that came with given pairs
            under one of these names begins with "given_". Not for those who judge.
    """

    items: Items
    descriptions: pl.DataFrame


def blind_items(selection: Selection, *, rng: np.random.Generator, fixed_sides: bool = False) -> BlindItems:
    """Turn chosen pairs into items that leak nothing of the selection.

    - The order is random.
    - An id is a hash of the pair's texts, whichever is left: the same pair has the same id in every run, whatever else
      was chosen.
    - Which text is left is random. A dialogue is always left, because the right text is compared with its last turn.
    - Group, language, domain and source are kept if both texts have the same, or if the left one is a dialogue's turn.
    - Scores, strata, cells and ranks are in the descriptions only.

    Args:
        selection: the chosen pairs.
        rng: the source of randomness.
        fixed_sides: keep left and right as pairs were found, for a task where sides differ in kind.
    """
    order = rng.permutation(len(selection.pairs))
    pairs = selection.pairs.take(order)
    is_dialogue = pairs.texts.frame["context"].is_not_null().to_numpy()[pairs.left]
    swap = (rng.random(len(pairs)) < 0.5) & ~is_dialogue & (not fixed_sides)
    left, right = np.where(swap, pairs.right, pairs.left), np.where(swap, pairs.left, pairs.right)
    frame = _items(pairs, left, right, is_dialogue)
    beside = _descriptions(pairs, left, right, swap, [selection.cells[row] for row in order.tolist()])
    return BlindItems(Items(frame), frame.select("id").hstack(beside))


def _items(
    pairs: PairBlock, left: NDArray[np.int64], right: NDArray[np.int64], is_dialogue: NDArray[np.bool_]
) -> pl.DataFrame:
    one, other = pairs.texts.frame[left], pairs.texts.frame[right]
    dialogue = pl.Series(is_dialogue)
    shared = {
        name: one[name].set(~(dialogue | one[name].eq_missing(other[name])), None)
        for name in ("group", "language", "domain", "source")
    }
    columns = {"id": _ids(one, other), "left": one["text"], "right": other["text"], "context": one["context"]}
    return with_all_columns(pl.DataFrame({**columns, **shared}), ITEM_SCHEMA)


def _descriptions(
    pairs: PairBlock, left: NDArray[np.int64], right: NDArray[np.int64], swap: NDArray[np.bool_], cells: list[str]
) -> pl.DataFrame:
    frame, texts = pairs.texts.frame["id"], {"left": left, "right": right}
    ids = {f"{side}_id": frame[rows] for side, rows in texts.items()}
    found = {
        "is_swapped": swap,
        "stratum": [STRATA[stratum] for stratum in pairs.strata.tolist()],
        "cell": cells,
    }
    ours = {"id", *ids, *found}
    measured = {f"given_{name}" if name in ours else name: values for name, values in pairs.columns.items()}
    return pl.DataFrame({**ids, **found, **measured})


def _ids(one: pl.DataFrame, other: pl.DataFrame) -> list[str]:
    """A hash of each pair, whichever text is left; longer where two are equal."""
    digests = [_digest(*pair) for pair in zip(one.rows(), other.rows(), strict=True)]
    length = ID_LENGTH
    while len({digest[:length] for digest in digests}) < len(digests) and length < len(digests[0]):
        length *= 2
    return _numbered([digest[:length] for digest in digests])


def _digest(one: tuple[object, ...], other: tuple[object, ...]) -> str:
    return hashlib.blake2b("\0".join(sorted((repr(one), repr(other)))).encode(), digest_size=24).hexdigest()


def _numbered(ids: list[str]) -> list[str]:
    """Distinct ids: of pairs that are equal in everything, as given ones may be, all but the first get a number."""
    seen: dict[str, int] = {}
    distinct = []
    for each in ids:
        seen[each] = seen.get(each, 0) + 1
        distinct.append(each if seen[each] == 1 else f"{each}-{seen[each]}")
    return distinct
