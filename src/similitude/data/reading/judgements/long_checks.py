"""Checks of tables with one answer per row: ids of rows instead of items, and people who are summaries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import polars as pl

from similitude.data.reading.column_names import column_flag
from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["refuse_row_ids", "refuse_summaries"]

NOBODY = re.compile(
    r"^(gold|gold[\s_-]?(standard|label)|mean|average|avg|median|majority([\s_-]?vote)?|consensus|adjudicat\w*|aggregated?|"
    r"ground[\s_-]?truth|truth|final|all|overall|total|everyone|mittelwert|durchschnitt)$"
)
"""Names, in lower case, of annotators who are no people."""


def refuse_row_ids(table: RawTable, matched: Mapping[str, str], source: JudgementSource) -> None:
    """Check that the item is not the id of the row while another column names what several people judged.

    Raises:
        InputError: every row has an id of its own, and texts recur.
    """
    if "item" not in matched or "annotator" not in matched or "item" in source.columns:
        return
    ids, people = (answer_texts(table.columns[matched[name]]) for name in ("item", "annotator"))
    if people.n_unique() < 2 or ids.n_unique() < len(ids) or len(ids) < 2:
        return
    for column in _other_items(table, matched):
        shown = pl.DataFrame({"it": column, "who": people})
        if column.null_count() == 0 and _is_shared(shown):
            what = f"every row has a '{matched['item']}' of its own, so nobody judged what another did"
            by_texts = ", or leave the id out with --column item=" if {"left", "right"} <= set(matched) else ""
            remedy = f"name what was judged: --column item=NAME{by_texts}"
            raise InputError(what, where=table.file, remedy=remedy)


def _other_items(table: RawTable, matched: Mapping[str, str]) -> Iterator[pl.Series]:
    """Other columns that may name the items."""
    if {"left", "right"} <= set(matched):
        left, right = (answer_texts(table.columns[matched[name]]) for name in ("left", "right"))
        yield left.fill_null("") + "\x1f" + right.fill_null("")
        return
    yield from (answer_texts(table.columns[each]) for each in table.columns if each and each not in matched.values())


def _is_shared(shown: pl.DataFrame) -> bool:
    """Whether most values were seen by several people, each of whom saw each once."""
    people = shown.group_by("it").agg(pl.col("who").n_unique(), pl.len())
    return bool((people["who"] == people["len"]).all()) and int((people["who"] > 1).sum()) * 2 > people.height


def refuse_summaries(table: RawTable, matched: Mapping[str, str], source: JudgementSource) -> None:
    """Check that no annotator is a summary of others, such as mean or gold.

    Raises:
        InputError: one is.
    """
    theirs = matched.get("annotator")
    if theirs is None or "annotator" in source.columns:
        return
    people = answer_texts(table.columns[theirs]).drop_nulls().unique(maintain_order=True).to_list()
    nobody = next((name for name in people if NOBODY.match(name.strip().lower())), None)
    if nobody is not None and len(people) > 1:
        what = f"annotator {excerpt(nobody)} seems to be no person, but the answer of all"
        remedy = f"leave it out with --where '{theirs}!={nobody}', or keep it with {column_flag('annotator', theirs)}"
        raise InputError(what, where=table.file, remedy=remedy)
