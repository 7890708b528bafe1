"""Gold labels of items in tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation import Aggregated
from similitude.report.tables import Table, TableCell, TableColumn

__all__ = ["item_texts", "label_tables"]

MOST_ITEMS = 10
"""Number of items shown."""
LONGEST = 60


def label_tables(judgements: Judgements, made: Aggregated) -> Iterator[Table]:
    """How many items have each label, and the items on which annotators agree least."""
    yield _counts(made)
    yield _least_agreed(judgements, made)


def item_texts(judgements: Judgements) -> Mapping[str, str]:
    """The beginning of both texts of each item; empty if texts are not known."""
    items = judgements.items
    if items is None:
        return {}
    both = (pl.col(name).fill_null("").str.slice(0, LONGEST) for name in ("left", "right"))
    return dict(items.select("id", pl.concat_str(both, separator=" / ")).iter_rows())


def _counts(made: Aggregated) -> Table:
    labels = made.frame["label"]
    counts = dict(labels.drop_nulls().value_counts().iter_rows())
    numbers = {name: counts.get(name, 0) for name in made.categories}
    numbers |= {"no label (tie)": int(made.frame["tie"].sum())} if made.frame["tie"].any() else {}
    rows = tuple(
        (
            TableCell(text=name),
            TableCell(text=f"{number:,}", value=float(number)),
            TableCell(text=f"{number / max(len(labels), 1):.0%}", value=number / max(len(labels), 1)),
        )
        for name, number in numbers.items()
    )
    columns = (
        TableColumn(head="label", is_number=False, is_header=True),
        TableColumn(head="items"),
        TableColumn(head="share"),
    )
    return Table(name="labels", caption=f"Labels of {len(labels):,} items.", columns=columns, rows=rows)


def _least_agreed(judgements: Judgements, made: Aggregated) -> Table:
    shown = made.frame.filter(pl.col("answers") > 0).sort("share", maintain_order=True).head(MOST_ITEMS)
    texts = item_texts(judgements)
    rows = tuple(
        (
            TableCell(text=row["id"]),
            TableCell(text="tie" if row["tie"] else row["label"]),
            TableCell(text=f"{row['share']:.3f}", value=float(row["share"])),
            TableCell(text=f"{row['votes']:,}", value=float(row["votes"])),
            TableCell(text=f"{row['answers']:,}", value=float(row["answers"])),
            *([TableCell(text=texts.get(row["id"], ""))] if texts else []),
        )
        for row in shown.iter_rows(named=True)
    )
    columns = (
        TableColumn(head="item", is_number=False, is_header=True),
        TableColumn(head="label", is_number=False),
        TableColumn(head="share"),
        TableColumn(head="votes"),
        TableColumn(head="answers"),
        *([TableColumn(head="texts", is_number=False)] if texts else []),
    )
    caption = f"The {len(rows):,} items with the smallest share for their label."
    return Table(name="least-agreed", caption=caption, columns=columns, rows=rows)
