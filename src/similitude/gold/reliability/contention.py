"""Contentious and uncontroversial items: on which people disagree, and on which they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.reliability.rating_spread import NOISE, ratings_of, ratings_on, scale_of, spread_of
from similitude.gold.reliability.rounds import TIPPING_POINT, in_round, rounds_of

__all__ = ["ContentionSplit", "contention", "of_items", "split_by_contention", "tipping_point"]


class ContentionSplit(NamedTuple):
    """Judgements split in two, each part with all rounds; None where a part is empty.

    Attributes:
        uncontroversial: the items on which raters agree (sigma at most the tipping point).
        contentious: the items on which they do not.
        unknown: ids of items with fewer than two ratings in the deciding round; they are in neither part.
        above: the tipping point.
    """

    uncontroversial: Judgements | None
    contentious: Judgements | None
    unknown: list[str]
    above: float


def tipping_point(judgements: Judgements) -> float:
    """The standard deviation above which an item is contentious: a tenth of the scale, 0.5 on 0..5 (USTS 3.3)."""
    return TIPPING_POINT * scale_of(judgements).width


def contention(judgements: Judgements, *, above: float | None = None, round: str | None = None) -> pl.DataFrame:
    """The spread of each item's ratings in one round, and whether it is contentious.

    Sigma is the population standard deviation (ddof 0). An item with fewer than two ratings in that round has no
    verdict (null).

    Args:
        judgements: ratings.
        above: the tipping point, exclusive; by default a tenth of the scale.
        round: the deciding round; by default the first one.

    Returns:
        Columns item, ratings, mean, sigma, contentious, in order of first appearance.

    >>> from similitude.samples import read_sample
    >>> contention(Judgements.of_benchmark(read_sample("opinions")))["contentious"].sum()
    21
    """
    ratings_of(judgements)
    border = tipping_point(judgements) if above is None else above
    deciding = in_round(judgements, rounds_of(judgements)[0] if round is None else round)
    spread = spread_of(ratings_on(ratings_of(deciding), judgements.judged))
    table = pl.DataFrame(
        {"item": judgements.judged, "ratings": spread.number, "mean": spread.mean, "sigma": spread.sigma}
    )
    enough = pl.col("ratings") >= 2
    return table.with_columns(contentious=pl.when(enough).then(pl.col("sigma") > border + NOISE))


def split_by_contention(
    judgements: Judgements, *, above: float | None = None, round: str | None = None
) -> ContentionSplit:
    """The judgements of the uncontroversial items, and those of the contentious ones.

    USTS-U and USTS-C are this split: by the first round, at 0.5 on 0..5.

    Args:
        judgements: ratings.
        above: the tipping point, exclusive; by default a tenth of the scale.
        round: the deciding round; by default the first one.

    >>> import similitude as sim
    >>> split = sim.agreement.split_by_contention("sample:opinions")
    >>> len(split.uncontroversial.judged), len(split.contentious.judged)
    (39, 21)
    """
    table = contention(judgements, above=above, round=round)
    return ContentionSplit(
        uncontroversial=_part(judgements, table, contentious=False),
        contentious=_part(judgements, table, contentious=True),
        unknown=table.filter(pl.col("contentious").is_null())["item"].to_list(),
        above=tipping_point(judgements) if above is None else above,
    )


def of_items(judgements: Judgements, ids: Sequence[str]) -> Judgements:
    """The ratings of these items only.

    Raises:
        InputError: none of them was judged.
    """
    wanted, known = list(ids), judgements.items
    return replace(
        judgements,
        frame=judgements.frame.filter(pl.col("item").is_in(wanted)),
        items=None if known is None else known.filter(pl.col("id").is_in(wanted)),
    )


def _part(judgements: Judgements, table: pl.DataFrame, *, contentious: bool) -> Judgements | None:
    ids = table.filter(pl.col("contentious") == contentious)["item"].to_list()
    return of_items(judgements, ids) if ids else None
