"""Multiple choice in the layout of GiCCS, table 6: accuracy and nDCG by turns and context; position bias."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from similitude.data.prediction import MOST_REPLACED
from similitude.drawing import Figure, Panel, Whisker, interval_plot
from similitude.report.notation import DASH, how_tested
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.tables.table import Notes, caption
from similitude.study.prompt_grid.choice import FEWEST, ChoiceFigure, ChoicePart
from similitude.study.prompt_grid.study import PromptGridStudy

__all__ = ["accuracy_figure", "accuracy_table", "gain_table", "place_table"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CHANCE = "chance"


class _Row(NamedTuple):
    """A row of the table: model, method, and its index in the run with and without the dialogue."""

    model: str
    by: str
    places: dict[bool, int]


def accuracy_table(study: PromptGridStudy) -> Table:
    """Table 6: the share of right choices with its standard error."""
    words = "Share of questions whose best option is chosen, ± standard error (ddof 1)"
    return _table(study, "accuracy", words, lambda one: (one.accuracy, one.error, one.letters))


def gain_table(study: PromptGridStudy) -> Table:
    """The nDCG of the ranking of all options."""
    words = "nDCG of the ranking of all options, mean over questions ± standard error (ddof 1)"
    return _table(study, "ndcg", words, lambda one: (one.ndcg, one.ndcg_error, one.ndcg_letters))


def place_table(study: PromptGridStudy) -> Table | None:
    """How often each position was chosen; None without choices."""
    found = [(cell, facts.bias) for cell, facts in zip(study.cells, study.facts, strict=True) if facts.bias]
    if not found:
        return None
    most = max(len(bias.counts) for _, bias in found)
    rows = []
    for cell, bias in found:
        shares = [TableCell(text=f"{100 * share:.1f}", value=100 * share) for share in bias.shares]
        tested = [_decimals(bias.chi_square, 1), TableCell(text=_p_value(bias.p_value), value=bias.p_value)]
        named = [
            TableCell(text=cell.setting["model"]),
            TableCell(text=cell.setting["by"]),
            TableCell(text=_told(cell.setting["dialogue"])),
        ]
        questions = TableCell(text=f"{bias.questions:,}", value=bias.questions)
        rows.append((*named, questions, *shares, *([TableCell(text="")] * (most - len(shares))), *tested))
    columns = (
        *_names("model", "by", "context"),
        TableColumn(head="asked", meaning="questions; one in another order counts again"),
        *(TableColumn(head=letter) for letter in LETTERS[:most]),
        TableColumn(head="chi-square"),
        TableColumn(head="p"),
    )
    words = (
        f"How often each position was chosen, in per cent; {100 / most:.3g} each without bias. Rotations of one "
        "question are not independent, so the test is conservative."
    )
    return Table(name="places", caption=words, columns=columns, rows=tuple(rows))


def accuracy_figure(study: PromptGridStudy) -> Figure:
    """Accuracy over all questions: a dot per system, a line of one standard error on both sides."""
    whole = study.parts[-1]
    lines = [
        Whisker(
            label, _around(one.accuracy, one.error), one.accuracy, one.accuracy - one.error, one.accuracy + one.error
        )
        for label, one in zip(study.labels, whole.figures, strict=True)
    ]
    lines.append(Whisker(CHANCE, _around(whole.chance.accuracy, math.nan), whole.chance.accuracy))
    words = f"Share of right choices over {whole.groups} questions; lines: one standard error on both sides."
    return Figure(panels=(Panel("accuracy", "", interval_plot(words, lines)),), caption=caption(study.run, words))


def _table(
    study: PromptGridStudy, name: str, words: str, pick: Callable[[ChoiceFigure], tuple[float, float, str]]
) -> Table:
    lines, notes = list(_rows(study)), Notes()
    sides = _sides(lines)
    best = {(part.name, side): _best(study, lines, part, side, pick) for part in study.parts for side in sides}
    rows = [
        (
            TableCell(text=row.model),
            TableCell(text=row.by),
            *(
                _cell(study, row, part, side, best[part.name, side], pick, notes)
                for part in study.parts
                for side in sides
            ),
        )
        for row in lines
    ]
    chance = [_plain(pick(part.chance)[0]) for part in study.parts for _ in sides]
    heads = [_head(part, side) for part in study.parts for side in sides]
    return Table(
        name=name,
        caption=_caption(study, words),
        columns=(*_names("model", "by"), *(TableColumn(head=head) for head in heads)),
        rows=(*rows, (TableCell(text=CHANCE), TableCell(text=""), *chance)),
        notes=notes.all(),
    )


def _rows(study: PromptGridStudy) -> Iterator[_Row]:
    """Every model and method; then every reference system."""
    found: dict[tuple[str, str], dict[bool, int]] = {}
    for place, cell in enumerate(study.cells):
        setting = cell.setting
        found.setdefault((setting["model"], setting["by"]), {})[setting["dialogue"]] = place
    for (model, by), places in found.items():
        yield _Row(model, by, places)
    first = len(study.cells)
    for place, label in enumerate(study.labels[first:], start=first):
        yield _Row(label, "", {"context" in study.run.systems[place].reads: place})


def _sides(rows: list[_Row]) -> list[bool]:
    """With and without the dialogue, if there are any such rows."""
    return [side for side in (True, False) if any(side in row.places for row in rows)]


def _head(part: ChoicePart, side: bool) -> str:
    return f"{part.name} {'with' if side else 'without'} context ({part.groups})"


def _cell(
    study: PromptGridStudy,
    row: _Row,
    part: ChoicePart,
    side: bool,
    best: float,
    pick: Callable[[ChoiceFigure], tuple[float, float, str]],
    notes: Notes,
) -> TableCell:
    if side not in row.places:
        return TableCell(text="")
    value, error, letters = pick(part.figures[row.places[side]])
    if math.isnan(value):
        return TableCell(text=DASH)
    is_never = study.run.never_best[row.places[side]]
    words = f"more than {100 * MOST_REPLACED:g} % of the answers named no option: never called best"
    return TableCell(
        text=f"{value:.3f}",
        value=value,
        interval="" if math.isnan(error) else f"± {error:.3f}",
        letters=letters,
        is_best=value == best and not is_never,
        note=notes.number(words) if is_never else 0,
    )


def _best(
    study: PromptGridStudy,
    rows: list[_Row],
    part: ChoicePart,
    side: bool,
    pick: Callable[[ChoiceFigure], tuple[float, float, str]],
) -> float:
    places = [row.places[side] for row in rows if side in row.places]
    values = [pick(part.figures[place])[0] for place in places if not study.run.never_best[place]]
    return max((value for value in values if not math.isnan(value)), default=math.nan)


def _caption(study: PromptGridStudy, words: str) -> str:
    told, sure = f"{words}; in brackets, the number of questions.", study.run.confidence
    if sure is not None:
        told += f" Figures of one part that share a letter are not significantly different ({how_tested(sure)})"
        few = [part.name for part in study.parts if part.groups < FEWEST]
        told += f"; nothing was tested in {', '.join(few)}, with fewer than {FEWEST} questions." if few else "."
    return caption(study.run, told)


def _names(*heads: str) -> tuple[TableColumn, ...]:
    return tuple(TableColumn(head=head, is_number=False, is_header=head == "model") for head in heads)


def _around(value: float, error: float) -> str:
    return f"{value:.3f}" if math.isnan(error) else f"{value:.3f} ± {error:.3f}"


def _told(dialogue: bool) -> str:
    return "with" if dialogue else "without"


def _plain(value: float) -> TableCell:
    return _decimals(value, 3)


def _decimals(value: float, digits: int) -> TableCell:
    return TableCell(text=DASH) if math.isnan(value) else TableCell(text=f"{value:.{digits}f}", value=value)


def _p_value(value: float) -> str:
    if math.isnan(value):
        return DASH
    return "<.001" if value < 0.001 else f"{value:.3f}"
