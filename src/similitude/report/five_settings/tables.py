"""Tables of the five settings: tables 7 and 8 of the USTS paper, and the trained models."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from similitude.report.notation import DASH, SIMULATED, direction
from similitude.report.tables import HeadSpan, Table, TableCell, TableColumn
from similitude.report.tables.table import Notes
from similitude.study.five_settings.findings import MEASURES, DomainResult, FiveSettings
from similitude.study.five_settings.table import SettingRow

__all__ = ["as_in_the_paper", "figures_table", "spread_table", "training_table"]

HEADS = {"pearson": "r", "spearman": "ρ", "ece_wang2022": "ECE", "nlpd_wang2022": "NLPD", "kl": "KL"}
"""The columns of table 7."""

OURS = {
    "ece": "ECE (mean gap)",
    "nlpd": "NLPD (whole)",
    "crps": "CRPS",
    "sigma_pearson": "σ r",
    "sigma_spearman": "σ ρ",
}
"""What the paper leaves out."""

VALIDATED = {"r": ("r", "pearson"), "ρ": ("rho", "spearman"), "KL": ("kl",), "CRPS": ("crps",), "σ ρ": ("sigma_rho",)}
"""Heads, and the names of the figure in different kinds of training."""

NO_SIGMA = "the system gives no standard deviation"


def as_in_the_paper(settings: FiveSettings) -> Table:
    """Table 7: correlation, ECE, NLPD and KL of every system in every setting on every benchmark."""
    words = (
        "Test figures under the five settings, as table 7 of the USTS paper has them (ECE: sum of squared gaps; "
        "NLPD: without its constant). "
    )
    return _table(settings, HEADS, name="table-7", words=words)


def figures_table(settings: FiveSettings) -> Table:
    """The measures that the paper leaves out, in the same layout."""
    words = "More test figures: ECE as mean absolute gap of central intervals, NLPD with its constant, CRPS, and how "
    words += "predicted standard deviations correlate with people's. "
    return _table(settings, OURS, name="more-figures", words=words)


def spread_table(settings: FiveSettings) -> Table:
    """Table 8: how predicted standard deviations correlate with people's, and their means."""
    notes = Notes()
    known = [result for result in settings.results if not math.isnan(result.human_sigma)]
    rows = tuple(
        (*names, *(cell for result in known for cell in _spread_cells(result, row, notes)))
        for row, names in _named([row for row in settings.rows if any(_says_spread(one, row) for one in known)])
    )
    spans = (
        HeadSpan(head="", columns=2),
        *(HeadSpan(head=f"{one.name} (σ {one.human_sigma:.2f})", columns=3) for one in known),
    )
    return Table(
        name="table-8",
        caption=_told(
            settings,
            "Correlation of predicted with human standard deviations on the test items, and the mean predicted one, as "
            "table 8 of the USTS paper has them; in brackets the mean among people. The best is bold.",
        ),
        columns=(*_name_columns(), *(_number(head) for _ in known for head in ("r ↑", "ρ ↑", "mean σ"))),
        rows=_with_best(rows, known),
        notes=notes.all(),
        spans=spans,
    )


def training_table(settings: FiveSettings) -> Table:
    """Every model that was trained, with its figures on the validation items."""
    rows = tuple(
        (
            TableCell(text=one.label),
            TableCell(text=" + ".join(one.model.on)),
            TableCell(text=f"{one.items:,}", value=one.items),
            *(_plain(_first_known(one.validation, names)) for names in VALIDATED.values()),
            TableCell(text=str(one.folder.name), is_code=True),
        )
        for one in settings.models
    )
    return Table(
        name="trained",
        caption=_told(
            settings,
            "Every model that was trained, with its figures on the validation items, by which its best epoch was "
            "chosen; the test items were not used. Spread and KL are those before recalibration.",
        ),
        columns=(
            _word("model"),
            _word("trained on"),
            _number("items"),
            *(_number(head) for head in VALIDATED),
            _word("folder"),
        ),
        rows=rows,
    )


def _first_known(figures: Mapping[str, float], names: tuple[str, ...]) -> float:
    return next((figures[name] for name in names if name in figures), math.nan)


def _table(settings: FiveSettings, heads: dict[str, str], *, name: str, words: str) -> Table:
    notes = Notes()
    shown = [(result, measure) for result in settings.results for measure in heads if _is_known(result, measure)]
    rows = tuple(
        (*names, *(_cell(settings, result, row, measure, notes) for result, measure in shown))
        for row, names in _named(settings.rows)
    )
    spans = [HeadSpan(head="", columns=2)]
    spans += [
        HeadSpan(head=result.name, columns=sum(one is result for one, _ in shown))
        for result in settings.results
        if any(one is result for one, _ in shown)
    ]
    best = (
        "Bold: the best of the systems that read both texts together; underlined: the best of those that compare "
        "vectors of single sentences."
    )
    return Table(
        name=name,
        caption=_told(settings, words + best),
        columns=(*_name_columns(), *(_number(f"{heads[measure]} {_arrow(one, measure)}") for one, measure in shown)),
        rows=rows,
        notes=notes.all(),
        spans=tuple(spans),
    )


def _is_known(result: DomainResult, measure: str) -> bool:
    """Whether the benchmark supports the measure: KL needs human sigmas."""
    return measure not in ("kl", "sigma_pearson", "sigma_spearman") or not math.isnan(result.human_sigma)


def _arrow(result: DomainResult, measure: str) -> str:
    return direction(result.run.measures[MEASURES.index(measure)])


def _cell(settings: FiveSettings, result: DomainResult, row: SettingRow, measure: str, notes: Notes) -> TableCell:
    value = result.figure(row, measure)
    if math.isnan(value):
        return notes.dash(_why(settings, result, row, measure))
    alike = [one for one in result.rows if one.kind.reads_together == row.kind.reads_together]
    values = [one for one in (result.figure(each, measure) for each in alike) if not math.isnan(one)]
    higher = result.run.measures[MEASURES.index(measure)].higher_is_better
    is_best = _written(value) == _written((max if higher else min)(values))
    together = row.kind.reads_together
    return TableCell(
        text=_written(value), value=value, is_best=is_best and together, is_underlined=is_best and not together
    )


def _why(settings: FiveSettings, result: DomainResult, row: SettingRow, measure: str) -> str:
    """Why a figure is missing."""
    for one in settings.missing:
        if (one.domain, one.row) == (result.name, row):
            return one.why
    if row not in result.rows:
        return "not tested"
    reason = result.run.figures[result.rows.index(row)][MEASURES.index(measure)].reason or "undefined"
    return reason if reason == NO_SIGMA else f"undefined: {reason}"


def _named(rows: Sequence[SettingRow]) -> Iterator[tuple[SettingRow, tuple[TableCell, TableCell]]]:
    """Each row with its names; a setting is named in its first row, as in the paper."""
    before = None
    for row in rows:
        setting = "" if row.setting == before else f"({row.setting.number}) {row.setting.title}"
        before = row.setting
        yield row, (TableCell(text=setting), TableCell(text=row.kind.label))


def _name_columns() -> tuple[TableColumn, TableColumn]:
    return _word("setting"), TableColumn(head="system", is_number=False, is_header=True)


def _says_spread(result: DomainResult, row: SettingRow) -> bool:
    return row in result.rows and result.spreads[result.rows.index(row)] is not None


def _spread_cells(result: DomainResult, row: SettingRow, notes: Notes) -> Iterable[TableCell]:
    if not _says_spread(result, row):
        yield from (notes.dash(NO_SIGMA) for _ in range(3))
        return
    for measure in ("sigma_pearson", "sigma_spearman"):
        value = result.figure(row, measure)
        yield _plain(value) if not math.isnan(value) else notes.dash("undefined: standard deviations are constant")
    spreads = result.spreads[result.rows.index(row)]
    assert spreads is not None  # _says_spread
    yield _plain(float(spreads.predicted.mean()))


def _with_best(
    rows: tuple[tuple[TableCell, ...], ...], known: Sequence[DomainResult]
) -> tuple[tuple[TableCell, ...], ...]:
    """The rows, the highest correlation of each column bold."""
    columns = [2 + 3 * place + which for place in range(len(known)) for which in (0, 1)]
    best = {
        column: _written(
            max((row[column].value for row in rows if not math.isnan(row[column].value)), default=math.nan)
        )
        for column in columns
    }
    return tuple(
        tuple(
            TableCell(text=cell.text, value=cell.value, is_best=True) if cell.text == best.get(column) else cell
            for column, cell in enumerate(row)
        )
        for row in rows
    )


def _plain(value: float) -> TableCell:
    return TableCell(text=_written(value), value=value)


def _written(value: float) -> str:
    """Three decimals; fewer for large figures, as overconfident systems have."""
    if math.isnan(value):
        return DASH
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def _number(head: str) -> TableColumn:
    return TableColumn(head=head)


def _word(head: str) -> TableColumn:
    return TableColumn(head=head, is_number=False)


def _told(settings: FiveSettings, words: str) -> str:
    if settings.drawn:
        words += f" {'; '.join(settings.drawn)}."
    return f"{words} {SIMULATED}." if settings.is_simulated else words
