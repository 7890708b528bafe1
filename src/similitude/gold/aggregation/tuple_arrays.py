"""Best-worst answers as arrays, checked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted, listed
from similitude.errors import InputError
from similitude.stats.arrays import Integers

__all__ = ["Tuples", "numbered", "oddities", "refuse_strays", "tuples_of"]

_ITEMS = pl.col("items")
_SAME = pl.col("best") == pl.col("worst")
_REPEATS = _ITEMS.list.n_unique() < _ITEMS.list.len()


class Tuples(NamedTuple):
    """Best-worst answers as item numbers; each tuple holds an item once.

    Attributes:
        ids: item ids, in order of first appearance.
        members: answers x places, item numbers in ascending order; -1 pads short tuples.
        best: one number per answer.
        worst: one number per answer.
    """

    ids: list[str]
    members: Integers
    best: Integers
    worst: Integers


def refuse_strays(judgements: Judgements) -> None:
    """Refuse answers that are missing, or that name an item outside their tuple.

    Raises:
        InputError: there are such answers; the message quotes the first and counts them.
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
        raise InputError(what, where=judgements.name, remedy="correct or remove these rows")


def oddities(answers: pl.DataFrame, *, same: str, repeated: str) -> tuple[str, ...]:
    """Notes on answers with one item as best and as worst, and on tuples that repeat an item.

    Args:
        answers: those that count.
        same: what the method does with the former, as the end of a sentence.
        repeated: what it does with the latter.
    """
    found = answers.select(same=_SAME.sum(), repeated=_REPEATS.sum()).row(0, named=True)
    told = (
        (found["same"], "answer", f"with the same item as best and as worst: {same}"),
        (found["repeated"], "answer", f"about a tuple that repeats an item: {repeated}"),
    )
    return tuple(f"{counted(number, noun)} {rest}" for number, noun, rest in told if number)


def tuples_of(answers: pl.DataFrame) -> Tuples:
    """A table of answers as item numbers."""
    long = answers.select(_ITEMS).with_row_index("answer").explode("items")
    ids = long["items"].unique(maintain_order=True)
    codes = long.with_columns(items=numbered(long["items"], ids)).unique().sort("answer", "items")
    place = codes.select(pl.int_range(pl.len()).over("answer")).to_series().to_numpy()
    members = np.full((answers.height, int(place.max()) + 1), -1)
    members[codes["answer"].to_numpy(), place] = codes["items"].to_numpy()
    best, worst = (numbered(answers[name], ids).to_numpy().astype(np.intp) for name in ("best", "worst"))
    return Tuples(ids.to_list(), members, best, worst)


def numbered(names: pl.Series, known: pl.Series) -> pl.Series:
    """The index of each name among the known ones.

    >>> numbered(pl.Series(["b", "a"]), pl.Series(["a", "b"])).to_list()
    [1, 0]
    """
    return names.replace_strict(known, np.arange(len(known)))
