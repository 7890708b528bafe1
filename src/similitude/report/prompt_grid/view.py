"""A study of language models: for the terminal, as a page, as Markdown and LaTeX."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.console import RenderableType

from similitude.data.prediction import MOST_REPLACED
from similitude.drawing import Curve, Figure, Panel, curve_plot
from similitude.report.latex import LATEX_HEAD, latex_table
from similitude.report.markdown import markdown_table
from similitude.report.notation import SIMULATED, data_line
from similitude.report.page.sheet import Section, Sheet
from similitude.report.prompt_grid.costs import contrast_table, cost_table
from similitude.report.prompt_grid.multiple_choice import accuracy_figure, accuracy_table, gain_table, place_table
from similitude.report.prompt_grid.scores import answer_table, opinion_table, score_table, ways_of, words_of_way
from similitude.report.tables import Table
from similitude.report.tables.table import caption
from similitude.report.terminal import terminal_view
from similitude.study.conclusion_sentence import others_in_words
from similitude.study.prompt_grid.plan import ScorePlan
from similitude.study.prompt_grid.study import PromptGridStudy

__all__ = ["judging_latex", "judging_markdown", "judging_sheet", "judging_summary", "judging_tables", "judging_view"]

MOST_LINES = 8
"""Lines per figure; more are hard to distinguish."""
MOST_INVALID = 0.05
"""If the best cell has a larger share of invalid answers, the summary warns."""


def judging_tables(study: PromptGridStudy) -> list[Table]:
    """All tables, in order."""
    return [table for section in judging_sheet(study).sections for table in section.tables]


def judging_view(study: PromptGridStudy) -> RenderableType:
    """The study for the terminal."""
    warning = SIMULATED if study.run.data.is_simulated else ""
    notes = (f"{name}: {note}" for name, note in _notes(study))
    return terminal_view(judging_summary(study), judging_tables(study), warning=warning, notes=notes)


def judging_markdown(study: PromptGridStudy) -> str:
    """All tables as GitHub Markdown."""
    tables = [markdown_table(table) for table in judging_tables(study)]
    return "\n\n".join([f"# {study.plan.name}", judging_summary(study), *tables]) + "\n"


def judging_latex(study: PromptGridStudy) -> str:
    """All tables for a paper."""
    return "\n\n".join([LATEX_HEAD, *(latex_table(table, study.plan.name) for table in judging_tables(study))]) + "\n"


def judging_sheet(study: PromptGridStudy) -> Sheet:
    """The study as a page."""
    asked = _choice_sections(study) if study.parts else _score_sections(study)
    last = [Section(name="costs", title="Answers, tokens and costs", tables=(cost_table(study),))]
    contrasts = contrast_table(study)
    if contrasts is not None:
        last.insert(0, Section(name="contrasts", title="What makes a difference", tables=(contrasts,)))
    return Sheet(
        kind="study of language models",
        name=study.plan.name,
        about=f"{study.run.data.name}: {data_line(study.run)}",
        summary=judging_summary(study),
        simulated=SIMULATED if study.run.data.is_simulated else "",
        sections=(*asked, *last, Section(name="how", title="How it was asked", facts=tuple(_facts(study)))),
    )


def judging_summary(study: PromptGridStudy) -> str:
    """The main result, in one or two sentences."""
    values = [row[0].value for row in study.run.figures[: len(study.cells)]]
    known = [place for place, value in enumerate(values) if not math.isnan(value)]
    if not known:
        return "No figure is defined: see the notes."
    sure = [place for place in known if not study.run.never_best[place]]
    if not sure:
        return f"No cell can be called best: in each, more than {100 * MOST_REPLACED:g} % of the answers were replaced."
    best = max(sure, key=lambda place: values[place])
    told = f"{_best_words(study, best)}{_tied_words(study, best)}.{_reference_words(study, best)}"
    invalid = study.invalid(best)
    return told if not invalid > MOST_INVALID else f"{told} {_invalid_words(study, best, invalid)}"


def _invalid_words(study: PromptGridStudy, best: int, invalid: float) -> str:
    named = "option" if study.parts else "number"
    instead = "they were left out" if study.cells[best].setting["by"] == "raters" else "chance stands in for them"
    return f"Beware: {100 * invalid:.3g} % of the best cell's answers named no {named}; {instead}."


def _best_words(study: PromptGridStudy, best: int) -> str:
    name, value = study.cells[best].name, study.run.figures[best][0].value
    if not study.parts:
        return f"Best of {len(study.cells)}: {name}, Spearman {100 * value:.1f} (x 100)"
    whole = study.parts[-1]
    figure = whole.figures[best]
    around = "" if math.isnan(figure.error) else f" ± {figure.error:.3f}"
    chance = f"by chance {whole.chance.accuracy:.3f}"
    return f"Best of {len(study.cells)}: {name}, right in {value:.3f}{around} of {whole.groups} questions ({chance})"


def _tied_words(study: PromptGridStudy, best: int) -> str:
    sure = study.run.confidence
    if sure is None or len(study.cells) < 2:
        return ""
    letters = [set(row[0].letters) for row in sure.ranks[: len(study.cells)]]
    tied = sum(bool(own & letters[best]) for place, own in enumerate(letters) if place != best)
    others = len(study.cells) - 1
    apart = {others: others_in_words(["the other"] * others), 0: "no other"}
    return f", significantly better than {apart.get(others - tied, f'{others - tied} of the {others} others')}"


def _reference_words(study: PromptGridStudy, best: int) -> str:
    first = len(study.cells)
    values = {place: row[0].value for place, row in enumerate(study.run.figures) if place >= first}
    known = [place for place, value in values.items() if not math.isnan(value)]
    if not known:
        return ""
    top = max(known, key=lambda place: values[place])
    shown = f"{values[top]:.3f}" if study.parts else f"{100 * values[top]:.1f}"
    sure = study.run.confidence
    apart = ""
    if sure is not None:
        is_tied = set(sure.ranks[top][0].letters) & set(sure.ranks[best][0].letters)
        apart = ", not significantly different" if is_tied else ", significantly different"
    return f" Beside it, {study.labels[top]}: {shown}{apart}."


def _score_sections(study: PromptGridStudy) -> Iterator[Section]:
    ways = ways_of(study)
    for by in ways:
        suffix = f" ({by})" if len(ways) > 1 else ""
        figures = tuple(_shots_figure(study, by))
        yield Section(name=f"grid-{by}", title=f"Scores{suffix}", figures=figures, tables=(score_table(study, by),))
        yield Section(name=f"read-{by}", title=f"Invalid answers{suffix}", tables=(answer_table(study, by),))
    opinions = opinion_table(study)
    if opinions is not None:
        yield Section(name="opinion", title="Compared with people's opinions", tables=(opinions,))


def _choice_sections(study: PromptGridStudy) -> Iterator[Section]:
    figures = (accuracy_figure(study),)
    yield Section(name="chosen", title="Right choices", figures=figures, tables=(accuracy_table(study),))
    yield Section(name="ranked", title="Ranking all options", tables=(gain_table(study),))
    places = place_table(study)
    if places is not None:
        yield Section(name="bias", title="Position bias", tables=(places,))


def _shots_figure(study: PromptGridStudy, by: str) -> Iterator[Figure]:
    """Spearman over shots, one line per instruction and model, if there are few enough."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for cell, figures in zip(study.cells, study.run.figures, strict=False):
        setting = cell.setting
        if setting["by"] == by:
            spot = (float(setting["shots"]), 100 * figures[0].value)
            lines.setdefault(f"{setting['model']}, {setting['instruction']}", []).append(spot)
    if len(lines) > MOST_LINES or max(map(len, lines.values())) < 2:
        return
    curves = [
        Curve(name=name, x=[x for x, _ in sorted(spots)], y=[y for _, y in sorted(spots)])
        for name, spots in lines.items()
    ]
    label = f"Spearman over the number of examples, {words_of_way(by)}"
    drawn = curve_plot(label, curves, x_name="examples in the prompt")
    yield Figure(panels=(Panel("shots", "", drawn),), caption=caption(study.run, f"{label}; x 100."))


def _facts(study: PromptGridStudy) -> Iterator[tuple[str, str]]:
    plan, data = study.plan, study.run.data
    yield "data", f"{data.name}, {data_line(study.run)}"
    yield "judged by", data.judged_by or "not stated"
    if isinstance(plan, ScorePlan) and any(plan.shots):
        split = plan.examples_split or ("train" if plan.examples is None else None)
        yield "examples", (plan.examples or plan.data) + (f", split {split}" if split else "")
    for entry in plan.models:
        told = "".join(f", {name} {value}" for name, value in entry.arguments.items())
        yield "model", f"{entry.label}: {entry.model}{told}"
    for reference in plan.references:
        yield "beside them", reference.system
    for name, value in plan.settings.items():
        yield name, str(value)
    yield "seed", str(plan.seed)
    yield "run", study.run.created
    yield from _notes(study)


def _notes(study: PromptGridStudy) -> Iterator[tuple[str, str]]:
    """Notes of the systems, except those that the tables show."""
    for place, label in enumerate(study.labels):
        shown = set() if place >= len(study.cells) else _in_tables(study, place)
        for note in study.run.systems[place].notes:
            if note.partition(" answers")[0] not in shown and note not in shown:
                yield label, note


def _in_tables(study: PromptGridStudy, place: int) -> set[str]:
    facts = study.facts[place]
    counted = {note.partition(" answers")[0] for note in facts.tally.notes()}
    return counted | (set() if facts.bias is None else {facts.bias.sentence()})
