"""The summary of a run in one paragraph."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from similitude.evaluate.diagnostics import rank_differences
from similitude.report.notation import are_different, best_first, best_value, capitalised, figure_text, interval_text
from similitude.stats import Interval
from similitude.study.runs import Run

__all__ = ["conclusion_words", "summary"]

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def summary(run: Run) -> str:
    """The conclusion, what other measures say, and what is within reach."""
    return " ".join(
        (conclusion_words(run), *_other_measures(run), *_rank_changes(run), *_ceiling(run), *_undefined(run))
    )


def conclusion_words(run: Run) -> str:
    """The conclusion as a sentence."""
    return capitalised(run.conclusion.sentence, [record.label for record in run.systems])


def _ceiling(run: Run) -> Iterator[str]:
    """What people and a perfect system would reach on the first measure, and where the leader stands without noise."""
    ceiling = None if run.ceiling is None else run.ceiling.ceilings[0]
    if run.ceiling is None or ceiling is None or not ceiling.perfect.is_defined:
        return
    person = ceiling.one_person
    one = f"one person reaches {figure_text(person.value)}, and " if person.is_defined else ""
    yield f"As gold is a sample of opinions, {one}a perfect system would reach {figure_text(ceiling.perfect.value)}."
    first = best_first(run)[0]
    corrected = run.ceiling.corrected[first][0]
    if corrected is not None and corrected.is_defined:
        name, ends = run.systems[first].label, interval_text(Interval(corrected.low, corrected.high))
        yield f"Without that noise {name} would stand at {figure_text(corrected.value)} {ends}".strip() + "."


def _other_measures(run: Run) -> Iterator[str]:
    """Which systems are first on other measures."""
    first, known, others, confidence = best_first(run)[0], 0, dict[str, list[str]](), run.confidence
    for column, measure in enumerate(run.measures):
        best = best_value(run, column)
        if math.isnan(best):
            continue
        known += 1
        if run.figures[first][column].value != best:
            winner = next(row for row, figures in enumerate(run.row_figures) if figures[column].value == best)
            is_different = confidence is None or are_different(confidence, first, winner, column)
            apart = "" if is_different else f", not significantly different from {run.systems[first].label}"
            won = others.setdefault(run.row_labels[winner], [])
            won.append(f"{measure} ({figure_text(best)}{apart})")
    if known < 2 or len(run.systems) < 2:
        return
    if not others:
        yield f"{run.systems[first].label} is first on {'both' if known == 2 else f'all {_count(known)}'} measures."
    else:
        winners = [f"{name} on {_listed(won)}" for name, won in others.items()]
        yield f"Other measures put other systems first: {'; '.join(winners)}."


def _rank_changes(run: Run) -> Iterator[str]:
    differences = rank_differences(run.figures, run.measures)
    if len(run.systems) < 3 or np.isnan(differences.mean[np.triu_indices(len(run.measures), 1)]).all():
        return
    one, other = np.unravel_index(np.nanargmax(differences.mean), differences.mean.shape)
    mean, largest = differences.mean[one, other], differences.largest[one, other]
    if mean == 0:
        yield "All measures order the systems alike."
        return
    mover = run.systems[differences.mover[one, other]].label
    yield (
        f"The choice of measure matters: between {run.measures[one]} and {run.measures[other]} a system moves "
        f"{mean:.1f} places on average, and {mover} moves {largest:g}."
    )


def _undefined(run: Run) -> Iterator[str]:
    figures = [figure for row in run.figures for figure in row]
    missing = sum(math.isnan(figure.value) for figure in figures)
    if missing:
        verb = "is" if missing == 1 else "are"
        yield f"{missing} of {len(figures)} figures {verb} undefined; notes below the table say why."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(number: int) -> str:
    return WORDS[number] if number < len(WORDS) else f"{number}"
