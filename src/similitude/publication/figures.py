"""The figures of a card: reliability of the judgements, human ceilings, and baselines on one split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.plural import agreeing
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, SimilitudeError
from similitude.gold.aggregation.comparison_graph import comparison_graph
from similitude.gold.aggregation.tuple_arrays import tuples_of
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.ceiling import HumanCeiling, human_ceiling
from similitude.publication.answers import about_published_items
from similitude.stats import pearson
from similitude.study.execution import run
from similitude.study.labels import Systems
from similitude.study.runs import Run

__all__ = ["LEVEL", "ReleaseFigures", "baseline_run", "evaluation_split", "reliability_figures"]

LEVEL = 0.95
MEASURES = ("spearman", "pearson")
FOLLOWS = 0.99
"""Gold that correlates less with the scores of the judgements gets a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFigures:
    """What judgements say about gold.

    Attributes:
        agreement: figures that are defined, with intervals.
        ceiling: what people reach; None if the judgements do not allow one.
        undefined: figures that cannot be computed, and why.
        notes: what the user should know, too: what the judgements lack, and whether gold follows from them.
    """

    agreement: tuple[Agreement, ...] = ()
    ceiling: HumanCeiling | None = None
    undefined: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def has_ceiling(self) -> bool:
        """Whether it is known how high a correlation with gold can be."""
        if self.ceiling is None:
            return False
        known = self.ceiling.pearson
        return any(one.is_defined for one in (known.one_person, known.panel, known.perfect))


def reliability_figures(
    benchmark: Benchmark, judgements: Judgements | None, *, seed: int = 0, listener: Listener | None = None
) -> ReleaseFigures:
    """Agreement and ceilings of the judgements.

    Raises:
        ArgumentError: no judgement is about an item of the benchmark.
    """
    if judgements is None:
        return ReleaseFigures()
    known = set(benchmark.items.ids)
    shared = [item for item in judgements.judged if item in known]
    if not shared:
        what = f"no judgement is about an item of the data: judged is '{judgements.judged[0]}'"
        raise ArgumentError(what, where=judgements.name, remedy="give --judgements a file with the ids of the data")
    about = about_published_items(judgements, benchmark)
    notes = _missing(len(benchmark), len(judgements.judged), len(shared), are_counted=about is judgements)
    notes += _parts(about)
    drawn = Resampling(resamples=1000, level=LEVEL, seed=seed)
    agreement = tuple(agreement_figures(about, resampling=drawn, listener=listener))
    ceiling = None
    if about.kind == "category":
        notes.append("no human ceiling: the answers are categories without an order, which have no mean")
    else:
        try:
            ceiling = human_ceiling(about, items=shared, resampling=Resampling(level=LEVEL))
            notes += _strays(benchmark, ceiling)
        except SimilitudeError as error:
            notes.append(f"no human ceiling: {error}")
    defined = tuple(one for one in agreement if one.estimate.is_defined)
    undefined = tuple(_undefined(agreement))
    return ReleaseFigures(agreement=defined, ceiling=ceiling, undefined=undefined, notes=tuple(notes))


def _undefined(figures: Sequence[Agreement]) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for one in figures:
        if not one.estimate.is_defined:
            reasons.setdefault(f"{one.estimate.reason}", []).append(one.name)
    return [f"undefined: {'; '.join(names)} ({reason})" for reason, names in reasons.items()]


def _missing(items: int, judged: int, shared: int, *, are_counted: bool) -> list[str]:
    notes = []
    if shared < judged:
        counted = "the agreement of annotators counts them" if are_counted else "no figure counts them"
        notes.append(f"{agreeing(judged - shared, 'judged item', 'is', 'are')} not in the data set; {counted}")
    if shared < items:
        notes.append(f"{agreeing(items - shared, 'item', 'has', 'have')} no judgements here")
    return notes


def _parts(judgements: Judgements) -> list[str]:
    """A note if tuples do not connect all items, so that scores of different parts cannot be compared."""
    if judgements.kind != "best-worst":
        return []
    parts = int(comparison_graph(tuples_of(judgements.frame)).parts.max()) + 1
    told = f"no tuple connects the {parts:,} parts that the items are in: scores are comparable only within a part"
    return [told] if parts > 1 else []


def _strays(benchmark: Benchmark, ceiling: HumanCeiling) -> list[str]:
    """A note if gold is not what these judgements add up to."""
    scores = dict(zip(benchmark.items.ids, benchmark.gold.scores.tolist(), strict=True))
    gold = np.array([scores[item] for item in ceiling.scores.items])
    given = np.asarray(ceiling.scores.scores)
    both = np.isfinite(gold) & np.isfinite(given)
    follows = float(pearson(gold[both], given[both])) if both.sum() > 2 else float("nan")
    if follows >= FOLLOWS or not np.isfinite(follows):
        return []
    return [f"the scores correlate at {follows:.3f} with what these judgements add up to by mean or counting"]


def evaluation_split(scored: Sequence[str], asked: str | None) -> str:
    """The split that baselines are measured on: the one asked for, or test, or the last that is not for training.

    Args:
        scored: the splits in which items have scores.
        asked: the one that the user names.

    Raises:
        ArgumentError: there is no such split.
    """
    if asked is not None and asked not in scored:
        what = f"no split '{asked}' for --evaluation-split"
        raise ArgumentError(what, remedy=f"splits with scores: {', '.join(scored)}")
    by_use = sorted(scored, key=lambda name: ("test" in name.lower()) - ("train" in name.lower()))
    return asked or ("test" if "test" in scored else by_use[-1])


def baseline_run(
    benchmark: Benchmark,
    systems: Systems,
    measures: Sequence[str],
    *,
    split: str,
    judgements: Judgements | None,
    seed: int = 0,
    listener: Listener | None = None,
) -> Run:
    """Measure the baselines on one split, with the ceilings of its judgements where there are any."""
    held = set(benchmark.select(split=split).items.ids)
    usable = judgements if judgements is not None and held & set(judgements.judged) else None
    if usable is not None and usable.kind == "category":
        usable = None
    return run(
        benchmark,
        systems,
        list(measures) or list(MEASURES),
        split=split,
        judgements=usable,
        seed=seed,
        listener=listener,
    )
