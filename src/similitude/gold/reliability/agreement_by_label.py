"""Agreement by source, number of turns or another label of the items (GiCCS, Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, InputError, UnknownNameError
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.split_half import USUAL_HALVES, Halving

__all__ = ["OVERALL", "agreement_by", "labels_of"]

OVERALL = "overall"
"""The label of all answers together."""
NO_LABEL = "-"

_TURNS = pl.col("context").list.len().cast(pl.String) + "-turn"
_COLUMNS = ("group", "language", "domain", "source", "split", "condition")


def agreement_by(
    judgements: Judgements,
    labels: Mapping[str, str],
    *,
    resampling: Resampling = USUAL,
    halving: Halving = USUAL_HALVES,
    listener: Listener | None = None,
) -> dict[str, list[Agreement]]:
    """The figures of `agreement_figures` for the items of each label, in order of first appearance, then overall.

    Every part is computed as if it were alone: figures do not depend on the other labels.

    Args:
        judgements: best-worst answers or ratings.
        labels: item id -> label; `labels_of` makes them from columns of the items.
        resampling: how intervals are drawn.
        halving: how answers are split for split-half reliability.
        listener: is told the progress, label by label.

    Raises:
        InputError: an item has no label, or a tuple mixes items of several labels.
        ArgumentError: a label is called "overall".

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> rows = {"annotator": list("xxxxyyyy"), "item": list("abcd") * 2, "value": [1.0, 2, 3, 4, 1, 2, 4, 3]}
    >>> made = Judgements(name="made", frame=pl.DataFrame(rows))
    >>> labels = {"a": "easy", "b": "easy", "c": "hard", "d": "hard"}
    >>> found = agreement_by(made, labels, resampling=NO_INTERVALS)
    >>> {label: round(figures[0].estimate.value, 2) for label, figures in found.items()}
    {'easy': 1.0, 'hard': -0.5, 'overall': 0.82}
    """
    of_answer = _label_of_answers(judgements, labels)
    names = of_answer.unique(maintain_order=True).to_list()
    if OVERALL in names:
        raise ArgumentError(f"a label is called '{OVERALL}'", remedy="give it another name")
    parts = {name: replace(judgements, frame=judgements.frame.filter(of_answer == name)) for name in names}
    parts[OVERALL] = judgements
    found: dict[str, list[Agreement]] = {}
    for name, part in parts.items():
        found[name] = agreement_figures(part, resampling=resampling, halving=_within(halving, part))
        if listener is not None:
            listener.progress("agreement by label", len(found), len(parts))
    return found


def _within(halving: Halving, part: Judgements) -> Halving:
    """The halving of a part, which does not have all the items to leave out."""
    judged = set(part.judged)
    return replace(halving, without=tuple(item for item in halving.without if item in judged))


def labels_of(judgements: Judgements, *columns: str) -> dict[str, str]:
    """A label for every item from its columns, such as "BAS SmartKom, 3-turn" from source and turns.

    Args:
        judgements: with a table of items.
        columns: "source", "domain", "group", "language", "split", "condition", or "turns" (number of turns in the
            context). An empty cell becomes "-".

    Raises:
        InputError: there is no table of items.
        UnknownNameError: a column is unknown.
    """
    if judgements.items is None:
        remedy = "read the judgements together with the file of items"
        raise InputError("only the ids of the items are known", where=judgements.name, remedy=remedy)
    for column in columns:
        if column not in (*_COLUMNS, "turns"):
            raise UnknownNameError("column of items", column, (*_COLUMNS, "turns"))
    parts = [(_TURNS if column == "turns" else pl.col(column)).fill_null(NO_LABEL) for column in columns]
    made = judgements.items.select("id", label=pl.concat_str(parts, separator=", "))
    return dict(made.iter_rows())


def _label_of_answers(judgements: Judgements, labels: Mapping[str, str]) -> pl.Series:
    """The label of every answer: that of its item, or of all items of its tuple."""
    missing = [item for item in judgements.judged if item not in labels]
    if missing:
        what = f"{len(missing):,} items have no label, such as '{missing[0]}'"
        raise InputError(what, where=judgements.name, remedy="give every judged item a label")
    judged = pl.col("items") if judgements.kind == "best-worst" else pl.concat_list("item")
    long = judgements.frame.select(id=judged).with_row_index("answer").explode("id")
    known = {item: labels[item] for item in judgements.judged}
    label = pl.col("id").replace_strict(list(known), list(known.values()))
    by_answer = long.with_columns(label=label).group_by("answer", maintain_order=True).agg(pl.col("label").unique())
    mixed = by_answer.filter(pl.col("label").list.len() > 1)
    if mixed.height:
        question = judgements.frame["question"][mixed["answer"][0]]
        both = " and ".join(f"'{label}'" for label in sorted(mixed["label"][0])[:2])
        remedy = "label items so that a tuple has one label"
        raise InputError(f"question '{question}' mixes items of {both}", where=judgements.name, remedy=remedy)
    return by_answer["label"].list.first()
