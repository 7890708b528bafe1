"""Figures of the distributions of ratings: spread, contention, rounds, numbers of raters, groups, mixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from similitude.errors import ArgumentError
from similitude.gold.aggregation.effective_components import EffectiveComponents, effective_components
from similitude.gold.reliability.contention import contention
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.groups import compare_groups, divergence_as_groups_join, group_opinions, groups_of
from similitude.gold.reliability.growth import divergence_growth, growth
from similitude.gold.reliability.jackknife import mean_estimates, share_estimate
from similitude.gold.reliability.rating_spread import Spread, ratings_of, ratings_on, spread_of
from similitude.gold.reliability.rounds import compare_rounds
from similitude.stats.arrays import Array, Booleans
from similitude.study.tables.data_figure import DataValue, data_figure
from similitude.study.tables.data_options import DataOptions
from similitude.study.tables.data_part import DataPart

__all__: list[str] = []


@data_figure("sigma", "mean standard deviation (ddof 0) of the ratings of an item")
def _sigma(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield DataValue(mean_estimates(_spread(part).sigma[None], resampling=options.resampling)[0])


@data_figure("sigma_range", "smallest and largest standard deviation of the ratings of an item", "of")
def _sigma_range(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield from _ends(_spread(part).sigma)


@data_figure("mean_range", "smallest and largest mean rating of an item", "of")
def _mean_range(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield from _ends(_spread(part).mean)


@data_figure("contentious", "items whose first ratings spread over more than a tenth of the scale", "of")
def _contentious(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    verdicts = contention(part.judgements, above=options.above)["contentious"].drop_nulls().to_numpy()
    share = share_estimate(float(verdicts.sum()), verdicts.size, options.resampling)
    yield DataValue(_times(share, verdicts.size), {"of": "number"})
    yield DataValue(share, {"of": "share"})
    yield DataValue(Estimate(float((~verdicts).sum())), {"of": "rest"})


@data_figure("rounds", "first and second round: sigma of each, share of the second above 'above', means apart", "of")
def _rounds(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    found = compare_rounds(part.judgements, above=options.above, resampling=options.resampling)
    yield DataValue(found.sigma_first, {"of": "sigma, first"})
    yield DataValue(found.sigma_second, {"of": "sigma, second"})
    yield DataValue(found.share_above, {"of": "share above"})
    yield DataValue(found.share_higher, {"of": "first is higher"})
    apart = (found.items["mean_first"] - found.items["mean_second"]).to_numpy()
    for value in _ends(apart):
        yield DataValue(value.estimate, {"of": f"means apart, {value.at['of']}"})


@data_figure("kl_by_raters", "mean KL of so many raters of the second round from the first", "raters")
def _kl_by_raters(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for number in options.raters:
        try:
            curve = divergence_growth(part.judgements, at=[number]).curve
            estimate = Estimate(float(curve["kl"][0]))
        except ArgumentError as error:
            estimate = undefined(str(error))
        yield DataValue(estimate, {"raters": str(number)})
    if not options.raters:
        for row in divergence_growth(part.judgements).curve.to_dicts():
            yield DataValue(Estimate(row["kl"]), {"raters": str(row["raters"])})


@data_figure("growth", "mean and sigma with the first 4, 5, 6, ... ratings of each item", "of", "raters")
def _growth(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for row in growth(part.judgements).curve.to_dicts():
        for name in ("mean", "sigma"):
            yield DataValue(Estimate(row[name]), {"of": name, "raters": str(row["raters"])})


@data_figure("growth_range", "the range of sigma with the first 4, 5, 6, ... ratings of each item", "of")
def _growth_range(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield from _ends(growth(part.judgements).curve["sigma"].to_numpy())


@data_figure("kl_by_groups", "mean KL of groups of raters, joined one after the other, from the reference", "group")
def _kl_by_groups(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for row in divergence_as_groups_join(part.judgements, reference=options.reference).to_dicts():
        yield DataValue(Estimate(row["kl"]), {"group": row["joined"]})


@data_figure("groups", "mean and sigma of each group of raters", "of", "group")
def _groups(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    table = group_opinions(part.judgements)
    for group in groups_of(part.judgements):
        rows = table.filter(group=group)
        values = np.stack([rows["mean"].to_numpy(), rows["sigma"].to_numpy()])
        for name, estimate in zip(
            ("mean", "sigma"), mean_estimates(values, resampling=options.resampling), strict=True
        ):
            yield DataValue(estimate, {"of": name, "group": group})


@data_figure("group_differences", "each group of raters against the reference: mean, sigma, KL", "of", "group")
def _group_differences(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for found in compare_groups(part.judgements, reference=options.reference, resampling=options.resampling):
        yield DataValue(found.mean_difference, {"of": "mean", "group": found.group})
        yield DataValue(found.sigma_difference, {"of": "sigma", "group": found.group})
        yield DataValue(found.kl, {"of": "kl", "group": found.group})


@data_figure("components", "items by the number of effective components of one mixture", "split", "components", "of")
def _components(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for name, split in _mixtures(part, options).items():
        for number in range(1, 4):
            chosen = split.found.counts == number
            share = share_estimate(float(chosen.sum()), chosen.size, options.resampling)
            sigma = split.sigma[chosen]
            at = {"split": name, "components": str(number)}
            yield DataValue(_times(share, chosen.size), {**at, "of": "number"})
            yield DataValue(share, {**at, "of": "share"})
            yield DataValue(mean_estimates(sigma[None], resampling=options.resampling)[0], {**at, "of": "sigma"})


@data_figure("mixture_fit", "one Gaussian against a mixture on items that it was not fitted to", "of")
def _mixture_fit(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    splits = _mixtures(part, options)
    test = splits["test"]
    weights = np.sort(test.found.responsibilities, axis=1)[:, ::-1]
    shares = {
        "better": test.found.log_likelihood > test.one.log_likelihood,
        "second": test.found.counts >= 2,
        "dominant": weights[:, 0] > 0.8,
    }
    for name, chosen in shares.items():
        yield DataValue(share_estimate(float(chosen.sum()), chosen.size, options.resampling), {"of": name})
    seconds = weights[shares["second"], 1] if weights.shape[1] > 1 else np.empty(0)
    for value in _ends(seconds):
        yield DataValue(value.estimate, {"of": f"weight, {value.at['of']}"})
    for name, split in splits.items():
        yield DataValue(Estimate(float(split.sigma.size)), {"of": f"{name} items"})


class _MixtureSplit(NamedTuple):
    """Items under a mixture and under one Gaussian, and the sigma of each."""

    found: EffectiveComponents
    one: EffectiveComponents
    sigma: Array


def _mixtures(part: DataPart, options: DataOptions) -> dict[str, _MixtureSplit]:
    """The mixture of rating vectors fitted to random items, for those and for the rest (USTS, section 4)."""
    matrix = part.judgements.matrix().values.T
    train = round(len(matrix) * 2 / 3) if options.train is None else options.train
    if train >= len(matrix):
        what = f"there are {len(matrix)} items, and train is {train}"
        raise ArgumentError(what, remedy="take fewer items to fit the mixture")
    rng = np.random.default_rng(options.seed)
    fitted, held = np.split(rng.permutation(matrix), [train])
    splits = {}
    for name, rows in (("test", held), ("train", fitted)):
        one, several = (
            effective_components(
                rows, number, np.random.default_rng(options.seed), fitted_to=fitted, starts=options.starts
            )
            for number in (1, options.components)
        )
        splits[name] = _MixtureSplit(several, one, rows.std(axis=1))
    return splits


def _spread(part: DataPart) -> Spread:
    return spread_of(ratings_on(ratings_of(part.judgements), part.judgements.judged))


def _ends(values: Array | Booleans) -> Iterator[DataValue]:
    known = values[np.isfinite(values)]
    for name, end in (("from", np.min), ("to", np.max)):
        yield DataValue(Estimate(float(end(known))) if known.size else undefined("there is none"), {"of": name})


def _times(estimate: Estimate, number: int) -> Estimate:
    return Estimate(estimate.value * number, estimate.low * number, estimate.high * number, estimate.reason)
