"""A plan for ratings: how many raters, given a pilot, make mean, spread and ranking stable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, rating_matrix
from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability import sample_size as forecast
from similitude.gold.reliability.bootstrap import MOST_UNITS, USUAL, Resampling, Statistic, bootstrap_estimates
from similitude.gold.reliability.disjoint_groups import observed_errors
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.rating_spread import ratings_of, ratings_on, scale_of
from similitude.gold.reliability.variance_components import Design, crossed_components, design_of, nested_components
from similitude.stats.arrays import Array

__all__ = ["RaterPlan", "RaterTargets", "RatersNeeded", "plan_raters"]


FIGURES = ("mean_error", "sigma_error", "correlation", "order")
FEW_RATERS = 8
"""With fewer raters, the variance of leniency is poorly known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterTargets:
    """Targets, as fractions of the scale; None where a target does not matter.

    Attributes:
        mean_error: the largest standard error of an item's mean: 0.05 is 0.25 on 0..5.
        sigma_error: the largest root mean squared error of an item's standard deviation.
        correlation: the smallest correlation of the means with the truth. Its square is their reliability.
        order: the smallest probability that two items at a distance come out in the right order.
        apart: the distance of two such items.

    >>> RaterTargets(correlation=0.97).correlation
    0.97
    """

    mean_error: float | None = 0.05
    sigma_error: float | None = 0.05
    correlation: float | None = 0.95
    order: float | None = 0.9
    apart: float = 0.1

    def __post_init__(self) -> None:
        shares = {"correlation": self.correlation, "order": self.order}
        errors = {"mean_error": self.mean_error, "sigma_error": self.sigma_error, "apart": self.apart}
        for name, value in (shares | errors).items():
            if value is not None and not 0 < value < 1:
                raise ArgumentError(f"{name} = {value:g} is not a target", remedy="give a number between 0 and 1")
        if all(getattr(self, name) is None for name in FIGURES):
            raise ArgumentError("no target is given", remedy=f"give one of: {', '.join(FIGURES)}")


class RatersNeeded(NamedTuple):
    """The number of raters that one target needs.

    Attributes:
        wanted: the target, in units of the scale.
        raters: the smallest number, with its interval; nan, with the reason, if unknown.
        what: the target in words.
    """

    name: str
    wanted: float
    raters: Estimate
    what: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RaterPlan:
    """The raters needed for a collection, estimated from a pilot.

    Attributes:
        raters: the smallest number of raters per item that meets all targets; nan, with the reason, if unknown.
        needs: the same for each target.
        table: one row for each number of raters: ``raters``; ``mean_error``, ``sigma_error``, ``correlation`` and
            ``order``, each with ``_low`` and ``_high``; ``observed_mean_error`` and ``observed_correlation``, from
            disjoint groups of that many raters of the pilot; null where it has too few.
        design: "crossed" if the same raters rated all items, else "nested".
        items: number of items of the pilot.
        ratings: mean number of ratings per item.
        notes: caveats.
    """

    raters: Estimate
    needs: tuple[RatersNeeded, ...]
    table: pl.DataFrame
    design: Design
    items: int
    ratings: float
    notes: tuple[str, ...]


def plan_raters(
    pilot: Judgements,
    *,
    targets: RaterTargets | None = None,
    design: Design | None = None,
    numbers: Sequence[int] = tuple(range(1, 21)),
    resampling: Resampling = USUAL,
) -> RaterPlan:
    """The number of raters per item, from the variance components of the pilot; formulas in `sample_size`.

    Intervals resample items, not raters, so they understate the uncertainty of leniency, which is estimated from a
    handful of raters. If the pilot has enough raters, the table also holds errors observed between disjoint groups.

    Args:
        pilot: ratings; at least two for each of ten items.
        targets: targets; by default `RaterTargets()`.
        design: "crossed" if the same raters will rate all items, "nested" if each item gets its own raters; as in
            the pilot unless given. A nested pilot cannot tell leniency from disagreement, and plans as nested.
        numbers: numbers of raters in the table.
        resampling: how intervals are drawn.

    Raises:
        ArgumentError: these are best-worst answers, or a number of raters is not between 1 and 1,000.

    >>> import similitude as sim
    >>> targets = sim.agreement.RaterTargets(correlation=0.97)
    >>> sim.agreement.plan_raters("sample:opinions", targets=targets).raters.value
    7.0
    """
    _check(design, numbers)
    targets = targets or RaterTargets()
    values, found = _usable(pilot)
    ways = "nested" if found == "nested" else design or found
    wanted = _wanted(targets, scale_of(pilot).width)
    too_small = _too_small(values)
    if too_small:
        return _no_plan(too_small, wanted, ways, values)
    resampling = resampling.with_generator()
    kinds = {"crossed": crossed_components, "nested": nested_components}
    components, units = kinds[found](values, resampling.generator), min(values.shape[1], MOST_UNITS)
    statistic = _forecasts(components, ways, wanted, targets.apart * scale_of(pilot).width, numbers)
    estimates = bootstrap_estimates(statistic, units, width=forecast.MOST, resampling=resampling)
    cells = len(FIGURES) * len(numbers)
    needs = _needs(wanted, estimates[cells:-1])
    observed = observed_errors(values, ways, numbers, resampling.generator)
    table = pl.concat([_table(numbers, estimates[:cells]), observed], how="horizontal")
    return _plan(values, ways, forecast.told_plainly(estimates[-1], "raters"), needs, table)


class _Wanted(NamedTuple):
    """One target in units of the scale."""

    name: str
    target: float
    at_most: bool
    what: str


def _check(design: Design | None, numbers: Sequence[int]) -> None:
    if design is not None and design not in get_args(Design):
        raise UnknownNameError("design", design, get_args(Design))
    if not numbers or min(numbers) < 1 or max(numbers) > forecast.MOST:
        raise ArgumentError("a number of raters is out of range", remedy=f"give numbers from 1 to {forecast.MOST:,}")


def _usable(pilot: Judgements) -> tuple[Array, Design]:
    """The ratings to plan from, raters x items, and their design."""
    rated = ratings_of(pilot).sort("item", "annotator", "value")  # so that the order of rows does not matter
    values, raters = without_noise(ratings_on(rated, sorted(pilot.judged))), rated["annotator"]
    number = np.isfinite(values).sum(axis=0)
    if raters.null_count() or design_of(number, raters.n_unique()) == "nested":
        return values[:, number > 0], "nested"
    by_rater = without_noise(rating_matrix(rated).values)
    return by_rater[:, np.isfinite(by_rater).all(axis=0)], "crossed"


def _too_small(values: Array) -> str | None:
    twice = int((np.isfinite(values).sum(axis=0) >= 2).sum())
    if twice == 0:
        return "the pilot cannot tell: no item has two ratings, so the disagreement of raters is unknown"
    if twice < forecast.LEAST_ITEMS:
        return f"the pilot cannot tell: {twice} items with two ratings are too few; rate {forecast.LEAST_ITEMS} or more"
    if np.nanmin(values) == np.nanmax(values):
        return "the pilot cannot tell: all ratings are the same"
    return None


def _wanted(targets: RaterTargets, width: float) -> list[_Wanted]:
    apart = targets.apart * width
    said = {
        "mean_error": ("standard error of an item's mean at most {:.3g}", width, True),
        "sigma_error": ("error of an item's standard deviation at most {:.3g}", width, True),
        "correlation": ("means correlate with the truth at {:.3g} or more", 1.0, False),
        "order": (f"two items {apart:.3g} apart come out in the right order with probability {{:.3g}}", 1.0, False),
    }
    found = []
    for name, (what, unit, at_most) in said.items():
        target = getattr(targets, name)
        if target is not None:
            found.append(_Wanted(name, target * unit, at_most, what.format(target * unit)))
    return found


def _forecasts(
    components: Statistic, ways: Design, wanted: list[_Wanted], apart: float, numbers: Sequence[int]
) -> Statistic:
    """All figures for all numbers of raters, then the raters that each target needs, then the largest of these."""
    rows = np.array(numbers) - 1

    def statistic(weights: Array) -> Array:
        true, ranking, single = components(weights)
        variances = forecast.RatingVariances(true, ranking if ways == "crossed" else single, single)
        figures = _figures(variances, apart)
        needs = [forecast.raters_for(figures[goal.name], goal.target, at_most=goal.at_most) for goal in wanted]
        return np.concatenate([*(figures[name][rows] for name in FIGURES), needs, [np.max(needs, axis=0)]])

    return statistic


def _figures(variances: forecast.RatingVariances, apart: float) -> dict[str, Array]:
    """Every figure with 1, 2, ... raters, along the first axis."""
    raters = np.arange(1.0, forecast.MOST + 1)[:, None]
    return {
        "mean_error": forecast.mean_error(variances, raters),
        "sigma_error": forecast.sigma_error(variances, raters),
        "correlation": forecast.correlation(variances, raters),
        "order": forecast.order(variances, raters, apart),
    }


def _table(numbers: Sequence[int], estimates: list[Estimate]) -> pl.DataFrame:
    columns: dict[str, Sequence[float]] = {"raters": numbers}
    for place, name in enumerate(FIGURES):
        part = estimates[place * len(numbers) : (place + 1) * len(numbers)]
        columns |= {name: [estimate.value for estimate in part]}
        columns |= {f"{name}_low": [estimate.low for estimate in part]}
        columns |= {f"{name}_high": [estimate.high for estimate in part]}
    return pl.DataFrame(columns)


def _needs(wanted: list[_Wanted], estimates: list[Estimate]) -> tuple[RatersNeeded, ...]:
    return tuple(
        RatersNeeded(goal.name, goal.target, forecast.told_plainly(estimate, "raters"), goal.what)
        for goal, estimate in zip(wanted, estimates, strict=True)
    )


def _plan(
    values: Array, design: Design, total: Estimate, needs: tuple[RatersNeeded, ...], table: pl.DataFrame
) -> RaterPlan:
    ratings = float(np.isfinite(values).sum() / values.shape[1])
    notes = list(forecast.far_beyond(total, ratings, "raters"))
    if design == "crossed" and len(values) < FEW_RATERS:
        notes.append(f"leniency is estimated from only {len(values)} raters, and intervals do not reflect that")
    return RaterPlan(
        raters=total,
        needs=needs,
        table=table,
        design=design,
        items=values.shape[1],
        ratings=ratings,
        notes=tuple(notes),
    )


def _no_plan(why: str, wanted: list[_Wanted], design: Design, values: Array) -> RaterPlan:
    needs = tuple(RatersNeeded(goal.name, goal.target, undefined(why), goal.what) for goal in wanted)
    return RaterPlan(
        raters=undefined(why),
        needs=needs,
        table=pl.DataFrame(schema={"raters": pl.Int64, **dict.fromkeys(FIGURES, pl.Float64)}),
        design=design,
        items=values.shape[1],
        ratings=float(np.isfinite(values).sum() / max(values.shape[1], 1)),
        notes=(why,),
    )
