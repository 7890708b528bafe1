"""Best-worst answers as arrays, checked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.judgements import Judgements
from similitude.data.plural import counted, listed
from similitude.errors import InputError

__all__ = ["Tuples", "numbered", "oddities", "refuse_strays", "tuples_of"]

_ITEMS = pl.col("items")
_SAME = pl.col("best") == pl.col("worst")
_REPEATS = _ITEMS.list.n_unique() < _ITEMS.list.len()


class Tuples(NamedTuple):
    """Best-worst answers as numbers of items; each tuple holds an item once.

    Attributes:
        ids: the items, in order of first appearance.
        members: answers x places, numbers of items in rising order; -1 after the last.
        best: one number an answer.
        worst: one number an answer.
    """

    ids: list[str]
    members: NDArray[np.intp]
    best: NDArray[np.intp]
    worst: NDArray[np.intp]


def refuse_strays(judgements: Judgements) -> None:
    """Refuse answers that are not in their tuple, or are missing.

    Raises:
        InputError: there is one; the message quotes the first and counts them.
    """
    is_stray = ~(_ITEMS.list.contains(pl.col("best")) & _ITEMS.list.contains(pl.col("worst"))).fill_null(False)
    strays = judgements.frame.filter(is_stray)
    if strays.height:
        row = strays.row(0, named=True)
        asked = f"question '{row['question']}'" if row["question"] else "a question"
        what = (
            f"{counted(strays.height, 'answer')} that {'is' if strays.height == 1 else 'are'} not among the items shown"
            f"; the first: {asked}, best '{row['best']}', worst '{row['worst']}', shown {listed(row['items'] or ())}"
        )
        raise InputError(what, where=judgements.name, remedy="mend these rows or take them out")


def oddities(answers: pl.DataFrame, *, same: str, repeated: str) -> tuple[str, ...]:
    """Notes on answers with one item as best and as worst, and on tuples that repeat an item.

    Args:
        answers: those that count.
        same: what the method does with the first, as the end of a sentence.
        repeated: what it does with the second.
    """
    found = answers.select(same=_SAME.sum(), repeated=_REPEATS.sum()).row(0, named=True)
    told = (
        (found["same"], "answer", f"with the same item as best and as worst: {same}"),
        (found["repeated"], "answer", f"about a tuple that repeats an item: {repeated}"),
    )
    return tuple(f"{counted(number, noun)} {rest}" for number, noun, rest in told if number)


def tuples_of(answers: pl.DataFrame) -> Tuples:
    """A table of answers as numbers of items."""
    long = answers.select(_ITEMS).with_row_index("answer").explode("items")
    ids = long["items"].unique(maintain_order=True)
    codes = long.with_columns(items=numbered(long["items"], ids)).unique().sort("answer", "items")
    place = codes.select(pl.int_range(pl.len()).over("answer")).to_series().to_numpy()
    members = np.full((answers.height, int(place.max()) + 1), -1, dtype=np.intp)
    members[codes["answer"].to_numpy(), place] = codes["items"].to_numpy()
    best, worst = (numbered(answers[name], ids).to_numpy().astype(np.intp) for name in ("best", "worst"))
    return Tuples(ids.to_list(), members, best, worst)


def numbered(names: pl.Series, known: pl.Series) -> pl.Series:
    """The place of each name among those known.

    >>> numbered(pl.Series(["b", "a"]), pl.Series(["a", "b"])).to_list()
    [1, 0]
    """
    return names.replace_strict(known, pl.int_range(len(known), eager=True), return_dtype=pl.Int64)
