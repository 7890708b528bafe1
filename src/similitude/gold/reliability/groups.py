"""Differences between groups of raters, such as native speakers, translators and students."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.jackknife import mean_estimates
from similitude.gold.reliability.rating_spread import (
    MeanDivergence,
    Spread,
    ZeroVariance,
    divergence,
    floor_of,
    mean_divergence,
    ratings_of,
    ratings_on,
    spread_of,
)
from similitude.stats.arrays import Array

__all__ = ["GroupDifference", "Match", "compare_groups", "divergence_as_groups_join", "group_opinions", "groups_of"]


APART = "no item has two ratings from each group"

Match = Literal["auto", "item", "group"]
"""What two groups of raters are compared on: the item, or the group of items (one sentence pair in two languages).
"auto" takes the item if the groups rated the same items, else the group of items."""


class GroupDifference(NamedTuple):
    """One group of raters against the reference, over items with two ratings from each.

    Attributes:
        items: number of items compared.
        mean_difference: mean of the group minus that of the reference.
        sigma_difference: standard deviation of the group minus that of the reference.
        kl: mean KL(reference || group), natural log.
        dropped: number of items without a KL because one side agrees exactly.
    """

    group: str
    reference: str
    items: int
    mean_difference: Estimate
    sigma_difference: Estimate
    kl: Estimate
    dropped: int


def groups_of(judgements: Judgements) -> list[str]:
    """The groups of raters, in order of first appearance; empty if no rater has a group."""
    names: list[str] = judgements.rated()["group"].drop_nulls().unique(maintain_order=True).to_list()
    return names


def group_opinions(judgements: Judgements, *, match: Match = "auto", ddof: int = 0) -> pl.DataFrame:
    """Mean and standard deviation of every group on every item: the points of USTS Figure 7.

    Args:
        judgements: ratings whose raters belong to groups.
        match: what groups are compared on; fills the column ``item``.
        ddof: 0 for the population's standard deviation, 1 for the sample's, which is not biased in small groups.

    Returns:
        Columns item, group, ratings, mean, sigma.

    Raises:
        ArgumentError: no rater belongs to a group.
    """
    about, parts = _Matched(judgements, match), []
    for name in groups_of(judgements):
        mean, sigma, count = about.opinion([name], ddof)
        part = pl.DataFrame({"item": about.items, "ratings": count, "mean": mean, "sigma": sigma})
        parts.append(part.insert_column(1, pl.lit(name).alias("group")).filter(pl.col("ratings") > 0))
    return pl.concat(parts)


def compare_groups(
    judgements: Judgements,
    *,
    reference: str | None = None,
    match: Match = "auto",
    ddof: int = 0,
    zero_variance: ZeroVariance = "drop",
    resampling: Resampling = USUAL,
) -> list[GroupDifference]:
    """Every group against a reference group: differences of means and standard deviations, and KL (USTS 6).

    Intervals are paired: both groups see the same resampled items. Beware of groups of different size: the population
    standard deviation of n ratings is on average sqrt((n - 1) / n) of the truth, 0.87 for 4 raters and 0.97 for 19;
    ``ddof=1`` removes this bias.

    Args:
        judgements: ratings whose raters belong to groups.
        reference: the group that the others are compared with; by default the first one.
        match: what groups are compared on.
        ddof: 0 for the population's standard deviation, 1 for the sample's.
        zero_variance: items on which a group agrees exactly have no KL: "drop" them, or "floor" their sigma.
        resampling: how intervals are drawn.

    Raises:
        ArgumentError: there are fewer than two groups, or the reference is unknown.
    """
    about = _Matched(judgements, match)
    first, *others = _reference_first(judgements, reference)
    floor = floor_of(judgements, zero_variance)
    p, found = about.opinion([first], ddof), []
    for name in others:
        figures = _differences(p, about.opinion([name], ddof), floor)
        estimates = mean_estimates(figures, resampling=resampling, why=APART)
        found.append(_difference(name, first, figures, estimates))
    return found


def divergence_as_groups_join(
    judgements: Judgements,
    *,
    reference: str | None = None,
    order: Sequence[str] | None = None,
    match: Match = "auto",
    zero_variance: ZeroVariance = "drop",
) -> pl.DataFrame:
    """KL(p || q) with p the reference group and q the other groups, added one after the other (USTS Table 9).

    Natural log, averaged over items with two ratings from each side.

    Args:
        judgements: ratings whose raters belong to groups.
        reference: the group p; by default the first one.
        order: the groups in the order in which they join; by default as they appear.
        match: what groups are compared on.
        zero_variance: "drop" items without variance, or "floor" it at 2 % of the scale.

    Returns:
        Columns joined (the group that came last), ratings (mean number an item), kl, items, dropped.
    """
    about = _Matched(judgements, match)
    first, *others = _reference_first(judgements, reference)
    joining = _known(judgements, order or others)
    p, floor, rows = about.opinion([first]), floor_of(judgements, zero_variance), []
    for last in range(1, len(joining) + 1):
        q = about.opinion(joining[:last])
        both = (p.number >= 2) & (q.number >= 2)
        ratings = float(q.number[both].mean()) if both.any() else float("nan")
        rows.append((joining[last - 1], ratings, *mean_divergence(divergence(p.at(both), q.at(both), floor=floor))))
    return pl.DataFrame(rows, schema=["joined", "ratings", *MeanDivergence._fields], orient="row")


class _Matched:
    """Ratings by members of groups, keyed by what groups are compared on."""

    def __init__(self, judgements: Judgements, match: Match) -> None:
        self.rated = _matched(judgements, match)
        self.items: list[str] = self.rated["match"].unique(maintain_order=True).to_list()

    def opinion(self, groups: list[str], ddof: int = 0) -> Spread:
        """Mean and spread of the pooled ratings of these groups."""
        theirs = self.rated.filter(pl.col("group").is_in(groups))
        return spread_of(ratings_on(theirs, self.items, "match"), ddof)


def _differences(p: Spread, q: Spread, floor: float | None) -> Array:
    """Difference of means, of standard deviations, and KL, over items with two ratings from each."""
    both = (p.number >= 2) & (q.number >= 2)
    p, q = p.at(both), q.at(both)
    return np.stack([q.mean - p.mean, q.sigma - p.sigma, divergence(p, q, floor=floor)])


def _difference(group: str, reference: str, figures: Array, estimates: list[Estimate]) -> GroupDifference:
    mean, sigma, kl = estimates
    dropped = int(np.isnan(figures[2]).sum())
    return GroupDifference(group, reference, figures.shape[1], mean, sigma, kl, dropped)


def _matched(judgements: Judgements, match: Match) -> pl.DataFrame:
    """The ratings by members of groups, with the column ``match``: what groups are compared on."""
    if match not in get_args(Match):
        raise UnknownNameError("way to match", match, get_args(Match))
    rated = ratings_of(judgements).filter(pl.col("group").is_not_null())
    if rated.is_empty():
        what = "no rater belongs to a group"
        raise ArgumentError(what, where=judgements.name, remedy="name the group in the column 'group'")
    if match == "item" or (match == "auto" and (_share_items(rated) or judgements.items is None)):
        return rated.with_columns(match="item")
    if judgements.items is None:
        what = "the items are unknown, and so are their groups"
        raise ArgumentError(what, where=judgements.name, remedy="match by item")
    of_item = judgements.items.select(item="id", match=pl.coalesce("group", "id"))
    return rated.join(of_item, on="item", how="left", maintain_order="left").with_columns(
        match=pl.coalesce("match", "item")
    )


def _share_items(rated: pl.DataFrame) -> bool:
    """Whether all groups have an item in common."""
    groups = rated["group"].n_unique()
    return bool((rated.group_by("item").agg(pl.col("group").n_unique())["group"] == groups).any())


def _reference_first(judgements: Judgements, reference: str | None) -> list[str]:
    there = groups_of(judgements)
    first = there[0] if reference is None else _known(judgements, [reference])[0]
    if len(there) < 2:
        what = f"there is only one group of raters, '{first}'"
        raise ArgumentError(what, where=judgements.name, remedy="comparing groups needs two")
    return [first, *(name for name in there if name != first)]


def _known(judgements: Judgements, names: Sequence[str]) -> list[str]:
    there = groups_of(judgements)
    for name in names:
        if name not in there:
            what, remedy = f"no group of raters named '{name}'", f"groups there: {', '.join(there)}"
            raise ArgumentError(what, where=judgements.name, remedy=remedy)
    return list(names)
