"""Prompted scores in the layouts of the C-STS paper (tables 4, 11 and 12), and compared with people's opinions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from similitude.data.prediction import MOST_REPLACED
from similitude.evaluate.significance import Confidence
from similitude.report.notation import DASH, how_sure, how_tested
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.tables.table import Notes, caption
from similitude.stats import Interval
from similitude.study.prompt_grid.study import PromptGridStudy

__all__ = ["answer_table", "opinion_table", "score_table", "ways_of", "words_of_way"]

WAYS = {
    "answer": "scores as the model states them",
    "expected": "scores as the mean over the scale, weighted by probability",
    "raters": "scores as the mean of simulated raters",
}
DAGGER = "†"


def ways_of(study: PromptGridStudy) -> list[str]:
    """The methods of scoring, in order."""
    return list(dict.fromkeys(cell.setting["by"] for cell in study.cells))


def words_of_way(by: str) -> str:
    """A method of scoring, in words."""
    return f"{WAYS[by]} (by {by})"


def score_table(study: PromptGridStudy, by: str) -> Table:
    """Table 4: Spearman x 100, a row for each instruction and model, a column for each number of shots."""
    shots, notes = _levels(study, "shots"), Notes()
    rows = [*_reference_rows(study, len(shots), notes)]
    for instruction in _levels(study, "instruction"):
        best = [_best(study, by, instruction, number) for number in shots]
        for line, model in enumerate(_levels(study, "model")):
            places = [_place(study, model=model, instruction=instruction, shots=number, by=by) for number in shots]
            figures = [_spearman(study, place, top, notes) for place, top in zip(places, best, strict=True)]
            rows.append((TableCell(text="" if line else instruction), TableCell(text=model), *figures))
    return Table(
        name=f"scores-{by}",
        caption=_score_caption(study, by),
        columns=(*_heads("instruction", "model"), *(TableColumn(head=f"{number}-shot\u00a0↑") for number in shots)),
        rows=tuple(rows),
        notes=notes.all(),
    )


def answer_table(study: PromptGridStudy, by: str) -> Table:
    """Tables 11 and 12: for each number of shots the share of invalid answers, Pearson and Spearman, all x 100."""
    shots, notes = _levels(study, "shots"), Notes()
    rows = []
    for instruction in _levels(study, "instruction"):
        for line, model in enumerate(_levels(study, "model")):
            cells = [TableCell(text="" if line else instruction), TableCell(text=model)]
            for number in shots:
                place = _place(study, model=model, instruction=instruction, shots=number, by=by)
                cells += [
                    _percent(study.invalid(place)),
                    _figure(study, place, 1, notes),
                    _figure(study, place, 0, notes),
                ]
            rows.append(tuple(cells))
    names = (("invalid", "answers without a number, replaced by a draw"), ("Pears.", "Pearson"), ("Spear.", "Spearman"))
    heads = [TableColumn(head=f"{number}-shot {name}", meaning=words) for number in shots for name, words in names]
    words = f"Invalid answers in per cent, Pearson and Spearman x 100; {words_of_way(by)}."
    return Table(
        name=f"answers-{by}",
        caption=caption(study.run, words),
        columns=(*_heads("instruction", "model"), *heads),
        rows=tuple(rows),
        notes=notes.all(),
    )


def opinion_table(study: PromptGridStudy) -> Table | None:
    """The spread of the model, or of its simulated raters, against people's; None if there is nothing to compare."""
    if not study.opinions:
        return None
    parts = list(study.cells[0].setting)
    rows = []
    for one in study.opinions:
        setting = study.cells[one.cell].setting
        rows.append(
            (
                *(TableCell(text=str(setting[part])) for part in parts),
                _decimals(one.kl, 2),
                _decimals(100 * one.sigma_rho, 1),
                _decimals(one.sigma, 2),
                TableCell(text=f"{one.agreed:,}", value=one.agreed),
                TableCell(text=f"{one.unrated:,}", value=one.unrated),
            )
        )
    columns = (
        TableColumn(
            head="KL\u00a0↓", meaning="KL(people || model) of two Gaussians, over items on which people differ"
        ),
        TableColumn(
            head="sigma-rho\u00a0↑", meaning="Spearman x 100 between the model's and people's standard deviations"
        ),
        TableColumn(head="mean sigma", meaning="the model's mean standard deviation, on the gold scale"),
        TableColumn(
            head="no doubt", meaning="items with a standard deviation of 0; for KL it is replaced by 2 % of the scale"
        ),
        TableColumn(head="unrated", meaning="items with a number from fewer than two simulated raters, left out here"),
    )
    people = study.opinions[0].human_sigma
    words = f"The model's spread of opinion compared with people's, whose mean standard deviation is {people:.2f}."
    return Table(
        name="opinions",
        caption=caption(study.run, words),
        columns=(*_heads(*parts), *columns),
        rows=tuple(rows),
    )


def _reference_rows(study: PromptGridStudy, shots: int, notes: Notes) -> Iterator[tuple[TableCell, ...]]:
    """Reference systems, which have one figure whatever the number of shots."""
    first = len(study.cells)
    for place, label in enumerate(study.labels[first:], start=first):
        empty = (TableCell(text=""),) * (shots - 1)
        yield (TableCell(text=""), TableCell(text=f"{DAGGER}{label}"), _spearman(study, place, math.nan, notes), *empty)


def _spearman(study: PromptGridStudy, place: int, best: float, notes: Notes) -> TableCell:
    figure = study.run.figures[place][0]
    if math.isnan(figure.value):
        return notes.dash(figure.reason)
    sure = study.run.confidence
    interval = Interval(math.nan, math.nan) if sure is None else sure.intervals[place][0]
    return TableCell(
        text=f"{100 * figure.value:.1f}",
        value=100 * figure.value,
        interval=_interval(interval),
        letters="" if sure is None else sure.ranks[place][0].letters,
        is_best=figure.value == best and not study.run.never_best[place],
        note=_note(study, place, interval, notes),
    )


def _note(study: PromptGridStudy, place: int, interval: Interval, notes: Notes) -> int:
    if study.run.never_best[place]:
        return notes.number(f"more than {100 * MOST_REPLACED:g} % of the answers were replaced: never called best")
    return notes.number(f"interval: {interval.reason}") if interval.reason else 0


def _figure(study: PromptGridStudy, place: int, column: int, notes: Notes) -> TableCell:
    figure = study.run.figures[place][column]
    return notes.dash(figure.reason) if math.isnan(figure.value) else _percent(figure.value)


def _best(study: PromptGridStudy, by: str, instruction: str, shots: int) -> float:
    """The best figure of an instruction and a number of shots, bold in the paper; nan for a single model."""
    if len(study.plan.models) == 1:
        return math.nan
    wanted = {"by": by, "instruction": instruction, "shots": shots}
    values = [
        study.run.figures[place][0].value
        for place, cell in enumerate(study.cells)
        if wanted.items() <= dict(cell.setting).items() and not study.run.never_best[place]
    ]
    return max((value for value in values if not math.isnan(value)), default=math.nan)


def _score_caption(study: PromptGridStudy, by: str) -> str:
    bold = "" if len(study.plan.models) == 1 else "; bold: the best with this instruction and these shots"
    words = f"Spearman x 100, {words_of_way(by)}{bold}."
    if study.plan.references:
        words += f" {DAGGER}: not a language model; shots and instructions do not apply."
    sure = study.run.confidence
    return caption(study.run, words + ("" if sure is None else _how_sure(sure)))


def _how_sure(sure: Confidence) -> str:
    notes = "".join(f" {note[:1].upper()}{note[1:]}." for note in sure.notes)
    told = f" In brackets the {how_sure(sure)}. Figures anywhere in the study that share a letter are not"
    return f"{told} significantly different ({how_tested(sure)}).{notes}"


def _levels(study: PromptGridStudy, part: str) -> list[Any]:
    return list(dict.fromkeys(cell.setting[part] for cell in study.cells))


def _place(study: PromptGridStudy, **setting: Any) -> int:
    return [dict(cell.setting) for cell in study.cells].index(setting)


def _heads(*names: str) -> Sequence[TableColumn]:
    return [TableColumn(head=name, is_number=name == "shots", is_header=name == "model") for name in names]


def _percent(value: float) -> TableCell:
    return TableCell(text=DASH) if math.isnan(value) else TableCell(text=f"{100 * value:.1f}", value=100 * value)


def _decimals(value: float, digits: int) -> TableCell:
    return TableCell(text=DASH) if math.isnan(value) else TableCell(text=f"{value:.{digits}f}", value=value)


def _interval(interval: Interval) -> str:
    return "" if math.isnan(interval.low) else f"[{100 * interval.low:.0f}, {100 * interval.high:.0f}]"
