"""Answers in categories, counted by item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted, listed
from similitude.errors import InputError
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.stats.arrays import Array, Integers

__all__ = ["LabelledItems", "label_table", "labelled_items"]

SHARE = "share_"
"""The prefix of the columns that hold the share of one category."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledItems:
    """The answers that count.

    Attributes:
        ids: the items, in the order in which they were first judged.
        categories: the categories in words.
        annotator: the annotator of each answer; null where unnamed.
        item: the number of the item of each answer.
        label: the number of the category of each answer.
        votes: items x categories.
        notes: what was left out, and other caveats.
    """

    ids: list[str]
    categories: tuple[str, ...]
    annotator: pl.Series
    item: Integers
    label: Integers
    votes: Array
    notes: tuple[str, ...]


def labelled_items(judgements: Judgements) -> LabelledItems:
    """The answers that count, item by item.

    Raises:
        InputError: no answer names a category.
    """
    answers, notes = last_answers(judgements)
    if answers.is_empty():
        raise InputError("no answer names a category", where=judgements.name, remedy="at least one is needed")
    ids = judgements.judged
    item = numbered(answers["item"], pl.Series(ids)).to_numpy().astype(np.intp)
    label = answers["value"].to_numpy().astype(np.intp)
    votes = np.zeros((len(ids), len(judgements.categories)))
    np.add.at(votes, (item, label), 1.0)
    return LabelledItems(
        ids=ids,
        categories=judgements.categories,
        annotator=answers["annotator"],
        item=item,
        label=label,
        votes=votes,
        notes=(*notes, *_thin(ids, votes.sum(axis=1))),
    )


def label_table(labelled: LabelledItems, shares: Array) -> pl.DataFrame:
    """One row per item: id, label, share, votes (for the label), answers, tie, and the share of every category.

    Two categories with the same largest share are a tie: the item has no label.

    Args:
        labelled: the answers.
        shares: items x categories, each row summing to 1; nan for an item without an answer.
    """
    number = labelled.votes.sum(axis=1)
    best, largest = shares.argmax(axis=1), shares.max(axis=1)
    is_tie = np.isclose(shares, largest[:, None], rtol=0, atol=1e-9).sum(axis=1) > 1  # nan is close to nothing
    named = (number > 0) & ~is_tie
    words = pl.Series(labelled.categories)[best.tolist()]
    table = pl.DataFrame(
        {
            "id": labelled.ids,
            "label": words,
            "share": largest,
            "votes": labelled.votes[np.arange(len(best)), best].astype(np.int64),
            "answers": number.astype(np.int64),
            "tie": is_tie,
        }
    ).with_columns(
        label=pl.when(pl.Series(named)).then("label"),
        share=pl.col("share").fill_nan(None),
    )
    columns = {f"{SHARE}{name}": shares[:, place] for place, name in enumerate(labelled.categories)}
    return pl.concat([table, pl.DataFrame(columns).fill_nan(None)], how="horizontal")


def _thin(ids: list[str], number: Array) -> tuple[str, ...]:
    """Notes on items with no answer, and with only one."""
    none, one = ([ids[place] for place in np.flatnonzero(number == few)] for few in (0, 1))
    told = []
    if none:
        told.append(f"{counted(len(none), 'item')} without an answer, and so without a label: {listed(none)}")
    if one:
        told.append(f"{counted(len(one), 'item')} with one answer, which decides the label")
    return tuple(told)
