"""Notation shared by every report: the order of systems, and how figures, intervals, ranks and tests are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from similitude.evaluate.measures import Measure
from similitude.evaluate.significance import Confidence, Interval, TiedRank
from similitude.stats.p_values import p_value_text
from similitude.study.benchmark_comparison import pairs_under_conditions
from similitude.study.runs import Run

__all__ = [
    "DASH",
    "SIMULATED",
    "are_different",
    "best_first",
    "best_value",
    "capitalised",
    "column_notes",
    "comparable_measures",
    "data_line",
    "direction",
    "figure_text",
    "how_sure",
    "how_tested",
    "interval_text",
    "measure_head",
    "missing_figures",
    "p_value_text",
    "rank_text",
    "rows_best_first",
]

DASH = "–"
"""Shown for an undefined figure."""

SIMULATED = "SIMULATED judgements"
"""Shown on every table and figure of simulated judgements."""

METHODS = {
    "jackknife": "jackknife",
    "bca": "bias-corrected and accelerated bootstrap",
    "bc": "bias-corrected bootstrap",
    "percentile": "percentile bootstrap",
}
TESTS = {
    "jackknife": "paired jackknife test",
    "bootstrap": "paired bootstrap",
    "permutation": "paired permutation test",
    "williams": "Williams' test",
    "steiger": "Steiger's test",
}


def best_first(run: Run, column: int = 0) -> list[int]:
    """Indices of the systems, best on a measure first; those never called best and those without a figure last."""
    sign, never = -1 if run.measures[column].higher_is_better else 1, run.never_best
    values = [row[column].value for row in run.figures]
    return sorted(range(len(values)), key=lambda row: (math.isnan(values[row]), never[row], sign * values[row]))


def rows_best_first(run: Run) -> list[int]:
    """The same on the first measure, with the trivial baselines among the systems."""
    sign, never = -1 if run.measures[0].higher_is_better else 1, run.never_best
    values = [row[0].value for row in run.row_figures]
    return sorted(range(len(values)), key=lambda row: (math.isnan(values[row]), never[row], sign * values[row]))


def best_value(run: Run, column: int) -> float:
    """The best figure on a measure; nan if no row has one that may be called best."""
    figures = [row for row, is_never in zip(run.row_figures, run.never_best, strict=True) if not is_never]
    values = [row[column].value for row in figures if not math.isnan(row[column].value)]
    choose = max if run.measures[column].higher_is_better else min
    return choose(values, default=math.nan)


def comparable_measures(run: Run) -> list[int]:
    """Indices of the measures on which at least two systems have a figure."""
    figures = zip(*run.figures, strict=True)
    return [place for place, column in enumerate(figures) if sum(not math.isnan(one.value) for one in column) > 1]


def figure_text(value: float) -> str:
    """Three decimals, or a dash."""
    return DASH if math.isnan(value) else f"{value:z.3f}"


def interval_text(interval: Interval | None) -> str:
    """``[0.76, 0.80]``; empty without an interval."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return ""
    return f"[{interval.low:z.2f}, {interval.high:z.2f}]"


def direction(measure: Measure) -> str:
    """An arrow in the better direction."""
    return "↑" if measure.higher_is_better else "↓"


def measure_head(measure: Measure) -> str:
    """The measure with an arrow in the better direction."""
    return f"{measure} {direction(measure)}"


def data_line(run: Run) -> str:
    """``60 items, split test, scale 0..5 (inferred)``."""
    data = run.data
    split = f", split {data.split}" if data.split else ""
    inferred = " (inferred)" if data.scale_origin == "inferred" else ""
    return f"{data.counted} items{split}, scale {data.scale}{inferred}"


def missing_figures(run: Run) -> Iterator[tuple[str, str, str]]:
    """Measure, reason and systems of all undefined figures, grouped by measure and reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for record, figures in zip(run.systems, run.figures, strict=True):
        for measure, figure in zip(run.measures, figures, strict=True):
            if figure.reason is not None:
                reasons.setdefault((str(measure), figure.reason), []).append(record.label)
    for (name, reason), systems in reasons.items():
        who = "for every system" if len(systems) == len(run.systems) else f"for {', '.join(systems)}"
        yield name, reason, who


def column_notes(run: Run) -> Iterator[str]:
    """Notes on columns of the items that systems do not read, and on groups that no column names."""
    for column in ("context", "condition"):
        unread = [record.label for record in run.systems if column not in record.reads]
        if unread and run.benchmark.frame[column].null_count() < len(run.benchmark):
            verb = "does not read" if len(unread) == 1 else "do not read"
            who = "no system here reads" if len(unread) == len(run.systems) else f"{', '.join(unread)} {verb}"
            yield f"the items have a {column}, which {who}"
    rests_on_groups = run.confidence is not None and run.confidence.groups is not None
    if rests_on_groups and pairs_under_conditions(run.benchmark) is not None:
        yield "items with the same two texts under several conditions count as one group, since no groups are named"


def how_sure(confidence: Confidence) -> str:
    """The kind of interval, for captions."""
    return f"{100 * confidence.level:g} % interval ({_by_measure(METHODS, confidence.methods)})"


def how_tested(confidence: Confidence) -> str:
    """The test behind ranks and letters, for captions."""
    of_groups = "" if confidence.groups is None else f" of {confidence.groups:,} groups of items"
    drawn = f", {confidence.resamples:,} resamples" if confidence.resamples else ""
    test = _by_measure(TESTS, confidence.tests)
    return f"{test}{drawn}{of_groups}, all pairs together, {100 * confidence.level:g} %"


def _by_measure(words: Mapping[str, str], names: Sequence[str]) -> str:
    """``jackknife``, or ``jackknife or percentile bootstrap, by measure``."""
    used = [words.get(name, name) for name in dict.fromkeys(names)]
    return used[0] if len(used) == 1 else f"{' or '.join(used)}, by measure"


def rank_text(rank: TiedRank) -> str:
    """``1`` or ``2-4``."""
    return f"{rank.best}" if rank.best == rank.worst else f"{rank.best}-{rank.worst}"


def are_different(confidence: Confidence, one: int, other: int, column: int = 0) -> bool:
    """Whether two systems are significantly different on a measure, that is, share no letter."""
    return not set(confidence.ranks[one][column].letters) & set(confidence.ranks[other][column].letters)


def capitalised(words: str, names: Iterable[str]) -> str:
    """A note as a sentence; it begins with a capital, unless with the name of a system or a measure.

    >>> capitalised("ncg ranks all pairs", ["ncg"]), capitalised("all pairs", ["ncg"])
    ('ncg ranks all pairs.', 'All pairs.')
    """
    return f"{words if words.startswith(tuple(names)) else f'{words[:1].upper()}{words[1:]}'}."
