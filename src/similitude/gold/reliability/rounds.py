"""The first round of judgements compared with a later one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError
from similitude.gold.aggregation.round_order import rounds_in_order
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.jackknife import mean_estimates
from similitude.gold.reliability.rating_spread import (
    NOISE,
    Spread,
    ZeroVariance,
    divergence,
    floor_of,
    ratings_of,
    ratings_on,
    scale_of,
    spread_of,
)

__all__ = ["TIPPING_POINT", "RoundComparison", "compare_rounds", "in_round", "rounds_of"]

TIPPING_POINT = 0.1
"""Above this fraction of the scale (0.5 on 0..5) a standard deviation shows disagreement (USTS 3.3)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundComparison:
    """Two rounds compared, over items with two ratings in each.

    Attributes:
        first: the name of the earlier round.
        second: the name of the later one.
        items: one row per item: item, mean_first, sigma_first, mean_second, sigma_second, kl (nan where undefined).
        left_out: number of items without two ratings in each round.
        sigma_first: the mean standard deviation in the earlier round.
        sigma_second: the mean standard deviation in the later one.
        sigma_difference: standard deviation of the earlier round minus that of the later.
        mean_difference: mean of the earlier round minus that of the later.
        share_higher: the share of items that the earlier round scores higher.
        above: the threshold of ``share_above``.
        share_above: the share of items whose later standard deviation exceeds it.
        kl: the mean of KL(first || second), natural log.
        dropped: number of items without a KL because one round agrees exactly.
    """

    first: str
    second: str
    items: pl.DataFrame
    left_out: int
    sigma_first: Estimate
    sigma_second: Estimate
    sigma_difference: Estimate
    mean_difference: Estimate
    share_higher: Estimate
    above: float
    share_above: Estimate
    kl: Estimate
    dropped: int


def rounds_of(judgements: Judgements) -> list[str]:
    """All rounds, earliest first; see `rounds_in_order`.

    >>> from similitude.samples import read_sample
    >>> rounds_of(Judgements.of_benchmark(read_sample("opinions")))
    ['first']
    """
    return rounds_in_order(judgements.frame["round"])


def in_round(judgements: Judgements, name: str) -> Judgements:
    """The answers of one round.

    Raises:
        ArgumentError: there is no such round; the message lists the rounds.
    """
    there = rounds_of(judgements)
    if name not in there:
        what, remedy = f"no round named '{name}'", f"rounds there: {', '.join(there)}"
        raise ArgumentError(what, where=judgements.name, remedy=remedy)
    return replace(judgements, frame=judgements.frame.filter(pl.col("round") == name))


def compare_rounds(
    judgements: Judgements,
    *,
    first: str | None = None,
    second: str | None = None,
    above: float | None = None,
    zero_variance: ZeroVariance = "drop",
    resampling: Resampling = USUAL,
) -> RoundComparison:
    """Compare the opinions of two rounds, item by item (USTS 3.4, Figure 3).

    All intervals are percentile intervals over resampled items.

    Args:
        judgements: ratings with rounds.
        first: the earlier round; by default the first of `rounds_of`.
        second: the later one; by default the second of `rounds_of`.
        above: count the items whose later standard deviation exceeds this; by default a tenth of the scale.
        zero_variance: items on which a round agrees exactly have no KL: "drop" them, or "floor" their sigma.
        resampling: how intervals are drawn.

    Raises:
        ArgumentError: there is only one round, or no item has two ratings in each.
    """
    earlier, later = _two_rounds(judgements, first, second)
    items, (p, q), left_out = _both_rated(judgements, earlier, later)
    kl = divergence(p, q, floor=floor_of(judgements, zero_variance))
    above = TIPPING_POINT * scale_of(judgements).width if above is None else above
    apart = p.mean - q.mean
    figures = [p.sigma, q.sigma, p.sigma - q.sigma, apart, apart > NOISE, q.sigma > above + NOISE, kl]
    estimates = mean_estimates(np.array(figures), resampling=resampling)
    return RoundComparison(
        first=earlier,
        second=later,
        items=pl.DataFrame(
            {"item": items, "mean_first": p.mean, "sigma_first": p.sigma, "mean_second": q.mean,
             "sigma_second": q.sigma, "kl": kl}
        ),
        left_out=left_out,
        sigma_first=estimates[0],
        sigma_second=estimates[1],
        sigma_difference=estimates[2],
        mean_difference=estimates[3],
        share_higher=estimates[4],
        above=above,
        share_above=estimates[5],
        kl=estimates[6],
        dropped=int(np.isnan(kl).sum()),
    )  # fmt: skip


def _two_rounds(judgements: Judgements, first: str | None, second: str | None) -> tuple[str, str]:
    there = rounds_of(judgements)
    earlier = first or there[0]
    later = second or next((name for name in there if name != earlier), None)
    if later is None:
        what = f"there is only one round, '{earlier}'"
        raise ArgumentError(what, where=judgements.name, remedy="comparing rounds needs answers with a second 'round'")
    return earlier, later


def _both_rated(judgements: Judgements, first: str, second: str) -> tuple[list[str], tuple[Spread, Spread], int]:
    """Items with two ratings in each round, their spread in each, and the number of items left out."""
    rated = [ratings_of(in_round(judgements, name)) for name in (first, second)]
    spreads = [spread_of(ratings_on(rows, judgements.judged)) for rows in rated]
    both = np.logical_and(*(spread.number >= 2 for spread in spreads))
    if not both.any():
        what = f"no item has two ratings both in round '{first}' and in round '{second}'"
        raise ArgumentError(what, where=judgements.name, remedy="compare rounds that rated the same items")
    items = [item for item, kept in zip(judgements.judged, both, strict=True) if kept]
    return items, (spreads[0].at(both), spreads[1].at(both)), int((~both).sum())
