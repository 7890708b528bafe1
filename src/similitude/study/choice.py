"""The choice of a system for a task: systems ranked by the measure that fits the task, and by Pearson."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.frames import Tabular
from similitude.data.keywords import check_keywords
from similitude.data.shown import Shown
from similitude.errors import ArgumentError, InputError
from similitude.evaluate.deployed_thresholds import threshold_measures
from similitude.evaluate.diagnostics import PearsonWarning, pearson_warnings
from similitude.evaluate.measures import Measure, has_two_labels, make_measure, make_measures, within_groups
from similitude.evaluate.operating_points import DeployedBorder, DeployedThreshold, threshold_text
from similitude.evaluate.tasks import Requirements
from similitude.evaluate.tasks.requirements import Cardinality, Information, Interest
from similitude.stats.arrays import Array
from similitude.study.conclusion import over_trivial
from similitude.study.conclusion_sentence import others_in_words
from similitude.study.execution import run
from similitude.study.labels import Systems, listed_systems
from similitude.study.queries import check_queries
from similitude.study.runs import Run

__all__ = ["Choice", "Lead", "choice_of", "choose"]

PEARSON = "pearson"
FEWEST_ITEMS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The best system under one measure.

    Attributes:
        best: the system with the best figure.
        value: that figure.
        tied: the other systems that are not significantly worse, best first; None if nothing was tested.
        over_trivial: what has to be said of it beside always yes, always no or the mean: empty if it is better than
            these, or if the measure has no figure for them.
    """

    measure: str
    best: str
    value: float
    tied: tuple[str, ...] | None
    over_trivial: str = ""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Choice(Shown, Tabular):
    """The system to use for a task, with the evidence.

    Attributes:
        run: its first measure is the one that fits the task.
        requirements: of the task.
        fitting: the best system under the measure that fits.
        usual: the best system under Pearson.
        warnings: where Pearson is misleading on these systems.

    >>> import similitude as sim
    >>> found = sim.choose("sample:opinions", ["levenshtein", "jaccard"], cardinality="1:1", resamples=0)
    >>> found.fitting.best, str(found.measure)
    ('word-ngram-jaccard', 'pearson')
    """

    run: Run
    requirements: Requirements
    fitting: Lead
    usual: Lead
    warnings: tuple[PearsonWarning, ...]

    @property
    def differs(self) -> bool:
        """Whether Pearson selects another system."""
        return self.fitting.best != self.usual.best

    @property
    def is_real(self) -> bool:
        """Whether Pearson's choice is significantly worse under the fitting measure."""
        tied = self.fitting.tied
        return self.differs and tied is not None and self.usual.best not in tied

    @property
    def is_advised(self) -> bool:
        """Whether the best system is better than always yes, always no and the mean: significantly, if tested."""
        return not self.fitting.over_trivial

    @property
    def measure(self) -> Measure:
        """The measure that fits the task and gold."""
        return self.run.measures[0]

    @property
    def reason(self) -> str:
        """Why it fits."""
        return self.requirements.reason_for(self.measure)

    @property
    def deployed(self) -> DeployedThreshold | None:
        """The threshold to use the chosen system with; None if the measure learns none."""
        row = [record.label for record in self.run.systems].index(self.fitting.best)
        learned = threshold_measures([self.measure])
        if not learned or not self.run.thresholds:
            return None
        found = self.run.thresholds[row].thresholds
        return next((each for each in found if each.measure == str(learned[0])), None)

    @property
    def borders(self) -> tuple[DeployedBorder, ...]:
        """The borders of the measure in the units of the chosen system; none if it has none, or nothing was fitted."""
        row = [record.label for record in self.run.systems].index(self.fitting.best)
        calibration, scale = self.run.calibration, self.run.benchmark.scale
        return () if calibration is None or scale is None else calibration.deployed(row, self.measure, scale)

    @property
    def mappings(self) -> dict[str, str]:
        """How the scores of each system were brought onto the gold scale, if the measure looks at that scale."""
        if not {"scale", "calibrated scale"} & self.measure.requires:
            return {}
        names = [record.label for record in self.run.systems]
        return {name: self.run.onto_scale(row, self.measure) for row, name in enumerate(names)}

    def decision(self) -> str:
        """The choice in two or three sentences."""
        deployed = [] if self.deployed is None else [_threshold_words(self.deployed, is_advised=self.is_advised)]
        return " ".join((self._choice(), *deployed, *_border_words(self.borders)))

    def _choice(self) -> str:
        lead, usual = self.fitting, self.usual
        others = [record.label for record in self.run.systems if record.label != lead.best]
        first = f"{lead.best} ({lead.measure} {lead.value:.3f}){_tested_words(lead, others)}."
        if self.is_advised:
            first = f"For your task: {first}"
        else:
            first = f"For your task: {lead.over_trivial} by {lead.measure}. The best system is {first}"
        if not self.differs:
            return f"{first} By Pearson you would have picked the same."
        outcome = "which is significantly worse here" if self.is_real else "which is not significantly different here"
        if lead.tied is None:
            outcome = "and whether the difference is more than chance was not tested"
        return f"{first} By Pearson you would have picked {usual.best}, {outcome}."

    def __repr__(self) -> str:
        return f"<Choice for {self.requirements.name} on '{self.run.data.name}'\n {self.decision()}>"

    def rows(self) -> Iterator[dict[str, Any]]:
        """The figures of the run in long form, one row per figure."""
        return self.run.rows()

    def to_dict(self) -> dict[str, Any]:
        """The record of the choice, ready for JSON."""
        return self.record()

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "decision": self.decision(),
            "task": self.requirements.name,
            "measure": str(self.measure),
            "reason": self.reason,
            "threshold": None if self.deployed is None else self.deployed.record(),
            "borders": [border.record() for border in self.borders],
            "onto_scale": self.mappings,
            "choice": _plain(self.fitting),
            "by_pearson": _plain(self.usual),
            "over_trivial": self.fitting.over_trivial or None,
            "differs": self.differs,
            "differs_by_more_than_chance": self.is_real,
            "warnings": [
                {"system": self.run.systems[one.system].identity, "kind": one.kind, "words": one.words}
                for one in self.warnings
            ],
            "run": self.run.record(),
        }


def choose(
    data: BenchmarkData,
    systems: Systems,
    requirements: Requirements | None = None,
    *,
    cardinality: Cardinality | None = None,
    interest: Interest | None = None,
    information: Information | None = None,
    k: int | None = None,
    threshold: float | None = None,
    dissimilar: bool | None = None,
    criterion: str | None = None,
    measures: str | Measure | Iterable[str | Measure] | None = (),
    **options: Any,
) -> Choice:
    """Rank systems by the measure that fits a task, and compare with the ranking by Pearson.

    Args:
        data: a benchmark, or what `similitude.read` takes.
        systems: at least two.
        requirements: of the task, or say them with the next arguments.
        cardinality: whether one text is compared with one other, "1:1", or with many, "1:n".
        interest: which results are used: "all" by default, "k-best" or "threshold".
        information: what of a result is used: the "value" by default, the "rank", or a "classification".
        k: how many results are used, with interest "k-best"; 10 by default.
        threshold: the border on a graded gold scale, if there is one.
        dissimilar: look for the least similar texts, as summarisation does.
        criterion: with two labels, the measure by which the threshold is best, such as "mcc".
        measures: to show beside the one that fits and Pearson.
        **options: of `similitude.run`: split, resamples, seed, out, cache, answers and so on.

    Raises:
        ArgumentError: there are fewer than two systems, the measure is undefined for all of them, or the task ranks the
            candidates of queries but the data does not say which pairs belong to a query; or the requirements are not
            given, given twice, or make no sense together.
        InputError: there are too few items to rank systems.

    >>> import similitude as sim
    >>> found = sim.choose("sample:dialogues", ["levenshtein", "tfidf-cosine"], cardinality="1:n", interest="k-best",
    ...                    information="rank", k=5, resamples=0)
    >>> found.decision()
    'For your task: levenshtein (group_ndcg@5 0.778). By Pearson you would have picked the same.'
    """
    said: dict[str, Any] = {"cardinality": cardinality, "interest": interest, "information": information, "k": k}
    said |= {"threshold": threshold, "dissimilar": dissimilar, "criterion": criterion}
    requirements = _requirements(requirements, {name: value for name, value in said.items() if value is not None})
    check_keywords(run, options, "similitude.choose", but=("task",))
    benchmark = open_benchmark(data)
    given = listed_systems(systems, options.pop("names", ()), benchmark=benchmark, data=data)
    if len(given) < 2:
        raise ArgumentError("there is only one system to choose from", remedy="name at least two with --system")
    measured = benchmark.select(split=options.get("split"), with_gold=True)
    others = make_measures(measures)
    if requirements.cardinality == "1:n":
        check_queries(measured, requirements, others)
        others = [within_groups(measure) for measure in others]
    two_labels = has_two_labels(measured.gold.scores, measured.gold.scale)
    fitting = requirements.measure_for(two_labels=two_labels, within_groups=True)
    wanted = list(dict.fromkeys(map(str, (fitting, make_measure(PEARSON), *others))))
    return choice_of(run(benchmark, given, wanted, task=requirements, **options))


def _requirements(given: Requirements | None, said: Mapping[str, Any]) -> Requirements:
    """The requirements, which the user gave as such, or in single arguments.

    Raises:
        ArgumentError: they are given in neither way, or in both.
    """
    example = 'cardinality="1:n", interest="k-best", information="rank"'
    if given is not None and not isinstance(given, Requirements):
        what = f"the third argument is {given!r:.60}, but says what your task requires"
        raise ArgumentError(what, remedy=f"give {example}, or similitude.Requirements(...)")
    if given is not None and said:
        what = f"the requirements are given twice: as requirements, and with {', '.join(said)}"
        raise ArgumentError(what, remedy="leave out one of the two")
    if given is None and "cardinality" not in said:
        what = "what the task requires was not said: is one text compared with one other, or with many?"
        raise ArgumentError(what, remedy=f'give cardinality="1:1" or "1:n", as in {example}')
    return Requirements(**said) if given is None else given


def choice_of(finished: Run) -> Choice:
    """The choice that follows from a run with a task.

    Raises:
        ArgumentError: the run has no task, or a measure is undefined for every system.
    """
    if finished.task is None:
        raise ArgumentError("this run has no task", remedy="make one with 'similitude choose'")
    if len(finished.benchmark) < FEWEST_ITEMS:
        what = f"{len(finished.benchmark)} items are too few to rank systems"
        raise InputError(what, where=finished.data.name, remedy=f"give at least {FEWEST_ITEMS}, better hundreds")
    names = [str(measure) for measure in finished.measures]
    comparison = finished.comparison
    return Choice(
        run=finished,
        requirements=finished.task,
        fitting=_lead(finished, 0),
        usual=_lead(finished, names.index(PEARSON)),
        warnings=() if comparison.has_labels else tuple(pearson_warnings(comparison)),
    )


def _lead(finished: Run, column: int) -> Lead:
    measure = finished.measures[column]
    values = np.array([row[column].value for row in finished.figures])
    never = np.array(finished.never_best[: len(finished.systems)], dtype=np.bool_)
    if not never.all():
        values[never] = np.nan
    if np.isnan(values).all():
        reason = finished.figures[0][column].reason or "no reason is known"
        raise ArgumentError(
            f"{measure} is undefined for every system: {reason}",
            where=finished.data.name,
            remedy="check --scale and --threshold, or give other data",
        )
    losses = np.nan_to_num(-values if measure.higher_is_better else values, nan=np.inf)
    best, trivial = int(np.argmin(losses)), over_trivial(finished, column)
    return Lead(
        measure=str(measure),
        best=finished.systems[best].label,
        value=float(values[best]),
        tied=_tied(finished, column, best, losses),
        over_trivial="" if trivial is None else trivial.words(best, finished.systems[best].label),
    )


def _tied(finished: Run, column: int, best: int, losses: Array) -> tuple[str, ...] | None:
    """The other systems that are not significantly worse, best first."""
    sure = finished.confidence
    if sure is None:
        return None
    differs = sure.p_values[column, best] <= 1 - sure.level
    order = np.argsort(losses, kind="stable").tolist()
    return tuple(
        finished.systems[row].label for row in order if row != best and np.isfinite(losses[row]) and not differs[row]
    )


def _tested_words(lead: Lead, others: Sequence[str]) -> str:
    if lead.tied is None or not others:
        return ""
    if not lead.tied:
        return f", significantly better than {others_in_words(others)}"
    if len(lead.tied) > 3:
        return f", not significantly better than {len(lead.tied)} others"
    return f", not significantly better than {', '.join(lead.tied)}"


def _threshold_words(deployed: DeployedThreshold, *, is_advised: bool) -> str:
    """The threshold in a sentence.

    >>> from similitude.evaluate.operating_points import OperatingPoint
    >>> from similitude.stats import Interval
    >>> point = OperatingPoint(0.8251, 1, 1, 1, 1, 1)
    >>> found = DeployedThreshold(measure="mcc", point=point, interval=Interval(0.8, math.inf), folds=())
    >>> _threshold_words(found, is_advised=True)
    'Deploy it with a threshold of 0.8251 [0.8, always no]: yes to scores above.'
    >>> _threshold_words(found, is_advised=False)
    'Its best threshold is 0.8251 [0.8, always no].'
    """
    threshold, interval = deployed.point.threshold, deployed.interval
    if math.isinf(threshold):
        return f"Its best threshold is {threshold_text(threshold)}, which needs no system."
    ends = "" if interval is None else f" [{threshold_text(interval.low)}, {threshold_text(interval.high)}]"
    if not is_advised:
        return f"Its best threshold is {threshold:.4g}{ends}."
    return f"Deploy it with a threshold of {threshold:.4g}{ends}: yes to scores above."


def _border_words(borders: Sequence[DeployedBorder]) -> Iterator[str]:
    """The borders in a sentence.

    >>> list(_border_words([DeployedBorder("low", 1.5, 0.3125), DeployedBorder("high", 3.5, math.inf)]))
    ['In its own scores, low is below 0.3125 and high is never.']
    """
    words = {"low": ("below", {-math.inf: "never", math.inf: "always"})}
    words["high"] = ("above", {math.inf: "never", -math.inf: "always"})
    said = []
    for level, _, output in borders:
        side, extremes = words[level]
        said.append(f"{level} is {extremes.get(output, f'{side} {output:.4g}')}")
    if said:
        yield f"In its own scores, {' and '.join(said)}."


def _plain(lead: Lead) -> dict[str, Any]:
    tied = None if lead.tied is None else list(lead.tied)
    return {"measure": lead.measure, "system": lead.best, "value": lead.value, "not_significantly_worse": tied}
