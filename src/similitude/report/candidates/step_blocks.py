"""One step in detail: notes, losses, facts, distributions before and after, examples on both sides of its border."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeGuard

from markupsafe import Markup

from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.drawing import Figure, KeptBar, Panel, before_after, kept_bars
from similitude.report.candidates.words import (
    FOUND_BY,
    counted_kept,
    found_by,
    percent_text,
    reasons,
    shortened,
    value_text,
)
from similitude.report.page.sheet import Aside, Block, Border, Example, Facts, Fold, Points
from similitude.report.tables import Table, TableCell, TableColumn

__all__ = ["step_blocks", "step_heading"]

MOST_EXAMPLES: Final = 4
"""On each side of a border."""
MOST_NAMES: Final = 12
"""A distribution over names shows no more; the others are one row."""
MOST_ROWS: Final = 20
"""A table of facts shows no more rows."""
SHORT: Final = 8
"""A table of facts with more rows is folded."""
MOST_DISTRIBUTIONS: Final = 12


def step_heading(step: Step) -> str:
    """The step and what it kept: ``iou <= 0.12: 4,210 pairs, 4.8 %``."""
    return f"{step.name}: {counted_kept(step)}"


def step_blocks(step: Step, place: str) -> Iterator[Block]:
    """What is known of a step.

    Args:
        step: the step.
        place: its place on the page, which keeps the names of tables apart.
    """
    if dropped := reasons(step.losses, most=len(step.losses)):
        yield f"Dropped: {dropped}."
    if step.notes:
        yield Points(step.notes)
    yield from _facts(step, place)
    yield from _strata(step)
    yield from _distributions(step)
    yield from _borders(step.examples)


def _facts(step: Step, place: str) -> Iterator[Block]:
    """Numbers and words as a list; records as tables below it."""
    tables = {name: records for name, value in step.facts.items() if (records := _records(value))}
    told = [sentence for value in step.facts.values() if _is_told(value) for sentence in value]
    plain = tuple(
        (_head(name), _plain(value))
        for name, value in step.facts.items()
        if name not in (*tables, FOUND_BY) and not _is_told(value) and value not in ({}, [], (), "", None)
    )
    if told:
        yield " ".join(told)
    if plain:
        yield Facts(plain)
    for number, (name, records) in enumerate(tables.items()):
        table = _record_table(f"facts-{place}-{number}", _head(name), records)
        is_long = len(table.rows) > SHORT
        yield Fold(summary=table.caption.rstrip("."), blocks=(table,)) if is_long else table


def _head(name: str) -> str:
    return name.replace("_", " ")


def _is_told(value: object) -> TypeGuard[list[str]]:
    """Whether the value is a list of sentences."""
    is_list = isinstance(value, list | tuple) and len(value) > 0
    return is_list and all(isinstance(one, str) and one.endswith(".") for one in value)  # type: ignore[attr-defined]


def _records(value: object) -> list[Mapping[str, object]]:
    """The records, if the value is a list of nothing else."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return []
    records = [one for one in value if isinstance(one, Mapping)]
    return records if len(records) == len(value) else []


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{_head(str(name))}: {_plain(one)}" for name, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return shortened(", ".join(map(_plain, value)))
    return shortened(value_text(value))


def _record_table(name: str, head: str, records: Sequence[Mapping[str, object]]) -> Table:
    shown = records[:MOST_ROWS]
    keys = list(dict.fromkeys(key for record in shown for key in record))
    texts = {key for key in keys if not all(isinstance(record.get(key), int | float | None) for record in shown)}
    columns = tuple(TableColumn(head=_head(key), is_number=key not in texts, is_text=key in texts) for key in keys)
    rows = tuple(tuple(_cell(record.get(key)) for key in keys) for record in shown)
    cut = f", the first {len(shown)} of {len(records):,}" if len(records) > len(shown) else ""
    return Table(name=name, caption=f"{head.capitalize()}{cut}.", columns=columns, rows=rows)


def _cell(value: object) -> TableCell:
    if isinstance(value, list | tuple):
        return TableCell(text=shortened("\n".join(map(_plain, value))))
    return TableCell(text="" if value is None else shortened(value_text(value)))


def _strata(step: Step) -> Iterator[Block]:
    """How pairs were found: a figure, or for a single way a fact."""
    counts = found_by(step)
    if len(counts) > 1:
        nothing = (0,) * len(counts)
        yield _names_figure(Distribution(name="found by", edges=(*counts,), before=nothing, after=(*counts.values(),)))
    else:
        yield from (Facts((("found by", name),)) for name in counts)


def _distributions(step: Step) -> Iterator[Block]:
    """Those over numbers beside each other, then one figure for each over names."""
    shown = step.distributions[:MOST_DISTRIBUTIONS]
    numbers = [one for one in shown if not _is_of_names(one) and one.before]
    if numbers:
        panels = tuple(Panel(one.name, "", _drawn(one)) for one in numbers)
        words = f"{step.of.capitalize()} before and after the step; each histogram with its own height."
        yield Figure(panels, words, layout="panels")
    yield from (_names_figure(one) for one in shown if _is_of_names(one) and len(_named_counts(one)) > 1)
    if len(step.distributions) > len(shown):
        yield Aside(f"{len(step.distributions) - len(shown):,} more distributions are not shown.")


def _is_of_names(one: Distribution) -> bool:
    return any(isinstance(edge, str) for edge in one.edges)


def _drawn(one: Distribution) -> Markup:
    edges = [float(edge) for edge in one.edges]
    return before_after(f"Distribution of {one.name} before and after", edges, one.before, one.after)


def _names_figure(one: Distribution) -> Figure:
    """A bar for each name: the share that was kept of it or, if nothing was there before, its share of all."""
    rows = sorted(_named_counts(one), key=lambda row: -max(row[1:]))
    others = rows[MOST_NAMES:]
    if others:
        gone = (f"{len(others):,} others", sum(row[1] for row in others), sum(row[2] for row in others))
        rows = [*rows[:MOST_NAMES], gone]
    is_made = not any(one.before)
    total = sum(one.after)
    bars = [_name_bar(name, total if is_made else before, after, is_made=is_made) for name, before, after in rows]
    what = "shares of all" if is_made else "what was kept of each"
    return Figure((Panel("", "", kept_bars(f"{one.name}: {what}", bars)),), f"{one.name.capitalize()}: {what}.")


def _named_counts(one: Distribution) -> list[tuple[str, int, int]]:
    """Each name that occurs, with its counts before and after."""
    rows = zip(map(str, one.edges), one.before, one.after, strict=True)
    return [row for row in rows if row[1] or row[2]]


def _name_bar(name: str, before: int, after: int, *, is_made: bool) -> KeptBar:
    share = after / before if before else 0.0
    numbers = f"{after:,}" if is_made else f"{after:,} of {before:,}"
    return KeptBar(shortened(name, 40), f"{numbers}, {percent_text(share)}", share)


def _borders(examples: Sequence[BorderExample]) -> Iterator[Block]:
    """Both sides of each border."""
    for border in dict.fromkeys(one.border for one in examples):
        here = [one for one in examples if one.border == border]
        sides = ([one for one in here if one.is_kept is is_kept] for is_kept in (True, False))
        kept, dropped = (tuple(map(_example, side[:MOST_EXAMPLES])) for side in sides)
        yield Border(kept, dropped, border)


def _border_value(value: float | str) -> str:
    """With all decimals that filters compare, so that nothing seems to lie on the border that does not."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else value_text(value)


def _example(one: BorderExample) -> Example:
    texts = (one.left,) if one.right is None else (one.left, one.right)
    return Example(_border_value(one.value), tuple(map(shortened, texts)))
