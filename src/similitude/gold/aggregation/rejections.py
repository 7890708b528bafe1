"""Items that most annotators of a verification reject: the question does not apply to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted, listed
from similitude.errors import InputError
from similitude.gold.aggregation.last_answers import last_of_each

__all__ = ["Acceptance", "accept_items", "applies_answers", "applies_were_asked", "shares_that_apply", "without_items"]

MOST_LISTED = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Acceptance:
    """The judgements that gold is made of, and the items that most annotators reject.

    Attributes:
        judgements: those of the items that are kept.
        shares: one row per item: item, applies_share, applies_answers; None if nobody was asked.
        rejected: the rows of ``shares`` that most annotators reject, kept or not.
        notes: what was left out or kept, and ties.
    """

    judgements: Judgements
    shares: pl.DataFrame | None = None
    rejected: pl.DataFrame | None = None
    notes: tuple[str, ...] = ()


def applies_were_asked(judgements: Judgements) -> bool:
    """Whether annotators said if the question applies.

    >>> rows = {"item": ["a", "b"], "value": [1.0, None], "applies": [True, False]}
    >>> applies_were_asked(Judgements(name="made", frame=pl.DataFrame(rows)))
    True
    """
    return "applies" in judgements.frame.columns and judgements.frame["applies"].null_count() < len(judgements)


def applies_answers(judgements: Judgements) -> pl.DataFrame:
    """The last answer of each annotator about each item that says if the question applies."""
    return last_of_each(judgements.frame).filter(pl.col("applies").is_not_null())


def shares_that_apply(judgements: Judgements) -> pl.DataFrame:
    """For each item, the share of annotators who say that the question applies, and their number.

    Returns:
        Columns item, applies_share, applies_answers, in the order in which items were first judged.
    """
    answers = applies_answers(judgements).group_by("item", maintain_order=True)
    return answers.agg(applies_share=pl.col("applies").mean(), applies_answers=pl.len().cast(pl.Int64))


def accept_items(
    judgements: Judgements, *, keep_rejected: bool = False, decided: Mapping[str, bool] | None = None
) -> Acceptance:
    """The judgements without the items that most annotators reject; all judgements if nobody was asked.

    An item that exactly half of the annotators reject is kept, and a note counts such ties.

    Args:
        judgements: answers of any kind.
        keep_rejected: whether to keep the rejected items.
        decided: whether the question applies, by item, where a leader has decided it, whatever annotators say.

    Raises:
        InputError: most annotators reject every item.

    >>> rows = {"item": ["a"] * 3, "value": [1.0, None, None], "applies": [True, False, False]}
    >>> made = Judgements(name="made", frame=pl.DataFrame(rows))
    >>> accept_items(made, keep_rejected=True).notes
    ('1 item that most annotators reject is kept: a',)
    """
    if not applies_were_asked(judgements):
        return Acceptance(judgements=judgements)
    shares = shares_that_apply(judgements)
    refused, taken = _decided_items(decided or {})
    is_open = ~pl.col("item").is_in(taken + refused)
    rejected = shares.filter((is_open & (pl.col("applies_share") < 0.5)) | pl.col("item").is_in(refused))
    ties = shares.filter(is_open & (pl.col("applies_share") == 0.5))["item"].to_list()
    kept = judgements if keep_rejected or rejected.is_empty() else without_items(judgements, rejected["item"])
    notes = (*_rejection_note(rejected["item"].to_list(), kept=keep_rejected), *_tie_note(ties))
    return Acceptance(judgements=kept, shares=shares, rejected=rejected, notes=notes)


def _decided_items(decided: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    """The items that leaders refuse, and those that they accept."""
    return [item for item, applies in decided.items() if not applies], [
        item for item, applies in decided.items() if applies
    ]


def without_items(judgements: Judgements, rejected: pl.Series) -> Judgements:
    """The judgements without those of some items.

    Raises:
        InputError: none is left.
    """
    frame = judgements.frame.filter(~pl.col("item").is_in(rejected.implode()))
    if frame.is_empty():
        what = "most annotators reject every item: the question does not apply to it"
        raise InputError(what, where=judgements.name, remedy="--keep-rejected keeps rejected items")
    items, earlier = judgements.items, judgements.superseded
    return replace(
        judgements,
        frame=frame,
        items=None if items is None else items.filter(~pl.col("id").is_in(rejected.implode())),
        superseded=None if earlier is None else earlier.filter(~pl.col("item").is_in(rejected.implode())),
    )


def _rejection_note(items: list[str], *, kept: bool) -> tuple[str, ...]:
    if not items:
        return ()
    verb = "is" if len(items) == 1 else "are"
    done = "kept" if kept else "left out of gold (--keep-rejected keeps)"
    return (f"{counted(len(items), 'item')} that most annotators reject {verb} {done}: {listed(items, MOST_LISTED)}",)


def _tie_note(items: list[str]) -> tuple[str, ...]:
    if not items:
        return ()
    verb = "is" if len(items) == 1 else "are"
    what = f"{counted(len(items), 'item')} that half of the annotators reject {verb} kept"
    return (f"{what}: {listed(items, MOST_LISTED)}",)
