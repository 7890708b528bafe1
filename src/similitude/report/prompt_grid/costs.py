"""Answers, tokens and costs of a study, and the contrasts between parts of its grid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from similitude.report.notation import DASH, p_value_text
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.tables.table import caption
from similitude.study.prompt_grid.contrasts import pairs_apart
from similitude.study.prompt_grid.estimates import CellEstimate
from similitude.study.prompt_grid.facts import Facts
from similitude.study.prompt_grid.study import PromptGridStudy
from similitude.systems.prompted.tally import AnswerTally

__all__ = ["contrast_table", "cost_table", "estimate_table"]

COUNTED: tuple[tuple[str, str, str], ...] = (
    ("invalid", "invalid", "answers without a number on the scale, or a letter"),
    ("off_scale", "off scale", "numbers off the scale, which the rule of a paper keeps"),
    ("prose", "prose", "answers with words or other numbers around the one that was read"),
    ("cut", "cut", "answers cut off at the length limit"),
)
Counted = tuple[tuple[str, str, str], ...]
TOTALS = ("prompts", "cached", "tokens_in", "tokens_out_at_most")
PARTS = {"shots": "{}-shot", "dialogue": "{} context"}


def cost_table(study: PromptGridStudy) -> Table:
    """One row per cell: answers and how they were read, tokens, cost; and totals."""
    parts = list(study.cells[0].setting)
    prices = any(facts.cost is not None for facts in study.facts)
    counted = COUNTED if any(facts.tally.answers for facts in study.facts) else ()
    rows = [
        (
            *(TableCell(text=_written(cell.setting[part])) for part in parts),
            *_read(facts.tally, counted),
            _count(facts.read, is_estimate=facts.is_estimate),
            _count(facts.written),
            *([_money(facts.cost)] if prices else []),
        )
        for cell, facts in zip(study.cells, study.facts, strict=True)
    ]
    whole = _together(study, len(parts), counted, prices)
    columns = (
        *_names(parts),
        *([TableColumn(head="answers", meaning="none if given texts were scored")] if counted else []),
        *(TableColumn(head=f"{head} %", meaning=meaning) for _, head, meaning in counted),
        TableColumn(head="tokens read"),
        TableColumn(head="tokens written"),
        *([TableColumn(head="cost")] if prices else []),
    )
    first = "Outcomes of the answers, and the" if counted else "The"
    words = (
        f"{first} tokens of every cell, cached answers included; ~: counted from the prompts, because the model did "
        "not report them."
    )
    if len(_distinct(study)) < len(study.cells):
        words += " Cells with the same prompts share their answers, which count once in the last line."
    return Table(name="costs", caption=words, columns=columns, rows=(*rows, whole))


def contrast_table(study: PromptGridStudy) -> Table | None:
    """The effect of each part of the grid, all else being equal; None without a test."""
    if not study.contrasts or study.run.confidence is None:
        return None
    scale, digits = (1, 3) if study.parts else (100, 1)
    sure, alpha = study.run.confidence, 1 - study.run.confidence.level
    rows = tuple(
        (
            TableCell(text=one.part),
            TableCell(text=f"{_level(one.part, one.one)} against {_level(one.part, one.other)}"),
            TableCell(text=f"{one.pairs}", value=one.pairs),
            _difference(one.difference, one.interval.low, one.interval.high, scale, digits),
            TableCell(
                text=DASH if math.isnan(one.p_value) else p_value_text(one.p_value, is_floor=one.is_floor),
                value=one.p_value,
                is_best=one.p_value <= alpha,
            ),
        )
        for one in study.contrasts
    )
    measure = study.run.measures[0]
    words = (
        f"Mean difference in {measure}{' x 100' if scale == 100 else ''} over all pairs of cells that differ in "
        f"nothing else, with its {100 * sure.level:g} % interval; p two-sided (paired bootstrap, "
        f"{study.contrast_resamples:,} resamples), Holm-corrected over this table; bold: significant."
    )
    if any(one.pairs < len(found) for one, (_, _, _, found) in zip(study.contrasts, _apart(study), strict=True)):
        words += " Pairs in which one figure is undefined, or often undefined in resamples, are left out."
    columns = (*_names(["part"]), TableColumn(head="compared", is_number=False, is_header=True))
    numbers = ("pairs", "difference", "p")
    return Table(
        name="contrasts",
        caption=caption(study.run, words),
        columns=(*columns, *(TableColumn(head=head) for head in numbers)),
        rows=rows,
    )


def _apart(study: PromptGridStudy) -> Iterator[tuple[str, Any, Any, tuple[tuple[int, int], ...]]]:
    return pairs_apart([cell.setting for cell in study.cells])


def estimate_table(expected: Sequence[CellEstimate]) -> Table:
    """The expected prompts, tokens and costs, one row per system, and totals."""
    prices = any(one.estimate.cost is not None for one in expected)
    rows = [
        (
            TableCell(text=one.name),
            _count(one.estimate.prompts),
            _count(one.estimate.cached),
            _count(one.estimate.tokens_in, is_estimate=not one.is_counted),
            _count(one.estimate.tokens_out_at_most),
            *([_money(one.estimate.cost)] if prices else []),
        )
        for one in expected
    ]
    distinct = [one.estimate for one in expected if not one.is_shared]
    sums = [sum(getattr(one, name) for one in distinct) for name in TOTALS]
    is_rough = [name == "tokens_in" and any(not one.is_counted for one in expected) for name in TOTALS]
    whole = (_count(number, is_estimate=rough) for number, rough in zip(sums, is_rough, strict=True))
    heads = ["prompts", "answered", "tokens in", "tokens out at most", *(["cost at most"] if prices else [])]
    paid = [_money(sum(one.cost or 0.0 for one in distinct))] if prices else []
    return Table(
        name="estimate",
        caption=_estimate_caption(expected),
        columns=(
            TableColumn(head="asked", is_number=False, is_header=True),
            *(TableColumn(head=head) for head in heads),
        ),
        rows=(*rows, (TableCell(text="all"), *whole, *paid)),
    )


def _estimate_caption(expected: Sequence[CellEstimate]) -> str:
    words = "A dry run: nothing was asked. Tokens are those of prompts without a cached answer"
    words += "; ~: estimated from the texts, else counted." if any(not one.is_counted for one in expected) else "."
    if any(one.is_shared for one in expected):
        words += " Systems with the same prompts share their answers, which count once in the last line."
    if any(one.is_assumed for one in expected):
        words += (
            " Whether an endpoint returns likelihoods of given texts is known only at run time; until then, the first "
            "tokens of an answer are assumed (scores_choices = true overrides this)."
        )
    return words


def _together(study: PromptGridStudy, parts: int, counted: Counted, prices: bool) -> tuple[TableCell, ...]:
    distinct = _distinct(study)
    whole = sum((facts.tally for facts in distinct), start=AnswerTally())
    read, written = (sum(getattr(facts, name) for facts in distinct) for name in ("read", "written"))
    return (
        TableCell(text="all"),
        *([TableCell(text="")] * (parts - 1)),
        *_read(whole, counted),
        _count(read, is_estimate=any(facts.is_estimate for facts in distinct)),
        _count(written),
        *([_money(sum(facts.cost or 0.0 for facts in distinct))] if prices else []),
    )


def _distinct(study: PromptGridStudy) -> list[Facts]:
    """One entry for all cells with the same prompts."""
    return list({cell.asks: facts for cell, facts in zip(study.cells, study.facts, strict=True)}.values())


def _read(tally: AnswerTally, counted: Counted) -> Iterator[TableCell]:
    """The number of answers, and how they were read."""
    if counted:
        yield TableCell(text=f"{tally.answers:,}" if tally.answers else DASH, value=tally.answers)
    yield from (_share(tally.share(name)) for name, _, _ in counted)


def _difference(value: float, low: float, high: float, scale: int, digits: int) -> TableCell:
    if math.isnan(value):
        return TableCell(text=DASH)
    interval = "" if math.isnan(low) else f"[{scale * low:+.{digits}f}, {scale * high:+.{digits}f}]"
    return TableCell(text=f"{scale * value:+.{digits}f}", value=scale * value, interval=interval)


def _names(parts: Sequence[str]) -> tuple[TableColumn, ...]:
    return tuple(TableColumn(head=part, is_number=part == "shots", is_header=part == "model") for part in parts)


def _level(part: str, value: Any) -> str:
    return PARTS.get(part, "{}").format(_written(value))


def _written(value: Any) -> str:
    return {True: "with", False: "without"}[value] if isinstance(value, bool) else str(value)


def _share(value: float) -> TableCell:
    return TableCell(text=DASH) if math.isnan(value) else TableCell(text=f"{100 * value:.1f}", value=100 * value)


def _count(number: int, *, is_estimate: bool = False) -> TableCell:
    return TableCell(text=f"{'~' if is_estimate else ''}{number:,}", value=number)


def _money(value: float | None) -> TableCell:
    if value is None:
        return TableCell(text=DASH)
    return TableCell(text=f"{value:{',.2f' if value >= 1 else '.3g'}}", value=value)
