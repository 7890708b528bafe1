"""Annotator-aware scores: estimate the bias, spread and, optionally, slope of each rater, and remove them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import counted
from similitude.errors import EstimationError, InputError
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.comparison_graph import named_parts
from similitude.gold.aggregation.rated_items import RatedItems, rated_items
from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.stats.arrays import Array
from similitude.stats.rater_effects import RatingList
from similitude.stats.rater_scores import adjusted_scores, agreement_with_others
from similitude.stats.rater_variances import SLOPE_SPREAD, SPREAD_WEIGHT, RaterFit, fit_raters

__all__ = ["AnnotatorAware"]


TOLERANCE = 1e-2
UNNAMED = (
    "name the raters, say --positions-are-people if places in lists are people, or use gaussian, which needs no names"
)


@AGGREGATIONS.register("annotator-aware")
@dataclass(frozen=True, repr=False)
class AnnotatorAware(Aggregation):
    """Rating = score of the item + bias of the rater + noise with a rater-specific spread.

    Variances are estimated by restricted maximum likelihood, with Gaussian items and biases. Raters with few ratings
    are shrunk towards the others: their bias to 0, their spread to the typical one (see
    `similitude.stats.rater_effects`). Biases sum to 0, so a score is the average that these raters would give.

    ``score`` is the mean of an item's ratings minus biases, weighted by 1 / spread^2. It is not shrunk towards other
    items, but clipped to the scale. ``standard_error`` covers the noise and the uncertainty of the biases. ``sigma`` is
    the population standard deviation of the ratings without their biases.

    ``annotators`` has, for each rater and with standard errors (``..._error``): ``bias`` on the scale of the ratings;
    ``spread``, the standard deviation of the noise; with slopes, ``slope``; ``reliability``, the share of the
    variance of the rater's ratings that items explain, in 0..1; and ``agreement``, the correlation with the scores
    that the others alone give.

    Raters must be named, there must be two or more, and items must connect them: a bias shows only on items that
    others rated too.

    Attributes:
        slope: let every rater stretch or compress the scale: slope * score instead of score.
    """

    slope: bool = False

    name: ClassVar[str] = "annotator-aware"
    summary: ClassVar[str] = "mean of the ratings without each rater's bias; precise raters weigh more"
    kind: ClassVar[Kind] = "rating"

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One score per item, and a table of raters.

        Raises:
            InputError: raters are unnamed, there is only one, or no item connects them.
            EstimationError: all ratings are the same, or the search did not converge.
        """
        self.require_kind(judgements)
        rated = rated_items(judgements)
        _refuse_unnamed(rated, judgements.name)
        raters = rated.long["annotator"].unique(maintain_order=True).to_list()
        ratings, centre = _listed(rated, raters)
        _refuse_unconnected(ratings, raters, judgements.name)
        fit = _fitted(ratings, self.slope, judgements.name)
        scored, cut = _scored(rated, ratings, fit, centre)
        return Aggregated(
            frame=scored,
            scale=rated.scale,
            how=f"{self}: mean of the ratings without each rater's bias, weighed by 1 / spread^2 (REML)",
            notes=(*rated.notes, *cut),
            annotators=_table_of_raters(ratings, fit, raters, with_slopes=self.slope),
        )


def _refuse_unnamed(rated: RatedItems, where: str) -> None:
    unnamed = rated.long["annotator"].null_count()
    if unnamed:
        what = f"{counted(unnamed, 'rating')} by unnamed raters"
        raise InputError(what, where=where, remedy=UNNAMED)
    if rated.long["annotator"].n_unique() < 2:
        what = f"only one rater, '{rated.long['annotator'][0]}'"
        raise InputError(what, where=where, remedy="bias and spread need at least two raters to compare")


def _listed(rated: RatedItems, raters: list[str]) -> tuple[RatingList, float]:
    """The ratings as arrays, sorted by item and centred, and their mean."""
    items = rated.frame.filter(pl.col("answers") > 0)["id"]
    coded = rated.long.select(
        rater=numbered(rated.long["annotator"], pl.Series(raters)),
        item=numbered(rated.long["item"], items),
        value="value",
    ).sort("item", maintain_order=True)
    values = coded["value"].to_numpy()
    rater, item = (coded[name].to_numpy().astype(np.intp) for name in ("rater", "item"))
    return RatingList(rater, item, values - values.mean(), len(raters), len(items)), float(values.mean())


def _refuse_unconnected(ratings: RatingList, raters: list[str], where: str) -> None:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes = ratings.raters + ratings.items
    edges = (np.ones(len(ratings.value)), (ratings.rater, ratings.raters + ratings.item))
    number, part = connected_components(coo_array(edges, shape=(nodes, nodes)).tocsr())
    if number > 1:
        parts = named_parts(raters, part[: ratings.raters].astype(np.intp))
        what = f"no item connects the raters of different parts; {parts}"
        raise InputError(
            what, where=where, remedy="have some items rated across parts, or aggregate each part separately"
        )


def _fitted(ratings: RatingList, with_slopes: bool, where: str) -> RaterFit:
    if np.ptp(ratings.value) == 0:
        what = "all ratings are the same, so raters do not differ"
        raise EstimationError(what, where=where, remedy="use mean")
    fit = fit_raters(ratings, with_slopes=with_slopes)
    if not fit.steepest <= TOLERANCE:
        what = f"no maximum found in {counted(fit.rounds, 'step')} (gradient {fit.steepest:.2g}, above {TOLERANCE:g})"
        raise EstimationError(what, where=where, remedy="use it without slopes, or gaussian")
    return fit


def _scored(
    rated: RatedItems, ratings: RatingList, fit: RaterFit, centre: float
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    found = adjusted_scores(ratings, fit.variances, fit.effects)
    scores = found.score + centre
    off = int((~rated.scale.holds(scores)).sum())
    number = np.bincount(ratings.item)
    table = pl.DataFrame(
        {
            "id": rated.frame.filter(pl.col("answers") > 0)["id"],
            "score": np.clip(scores, rated.scale.low, rated.scale.high),
            "sigma": np.where(number > 1, _spread_without_bias(ratings, fit), np.nan),
            "standard_error": found.standard_error,
        }
    ).fill_nan(None)
    frame = rated.frame.select("id", "answers").join(table, on="id", how="left", maintain_order="left")
    notes = (f"{counted(off, 'score')} beyond the ends of the scale {rated.scale}, clipped",) if off else ()
    return frame.select("id", "score", "sigma", "standard_error", "answers"), notes


def _spread_without_bias(ratings: RatingList, fit: RaterFit) -> Array:
    """Population standard deviation of each item's ratings, after removing biases (not slopes)."""
    plain = ratings.value - fit.effects.bias[ratings.rater]
    number = np.bincount(ratings.item)
    means = np.bincount(ratings.item, plain, ratings.items) / number
    return np.sqrt(np.bincount(ratings.item, (plain - means[ratings.item]) ** 2, ratings.items) / number)


def _table_of_raters(ratings: RatingList, fit: RaterFit, raters: list[str], *, with_slopes: bool) -> pl.DataFrame:
    variances, effects = fit.variances, fit.effects
    number = np.bincount(ratings.rater)
    spent = np.bincount(ratings.rater, effects.fitted_variance, ratings.raters) / variances.spread
    # Degrees of freedom spent on bias and items, fewer than ratings, carry no information about the spread.
    relative_error = np.sqrt(0.5 / (number + SPREAD_WEIGHT - spent))
    explained = variances.slope**2 * variances.item
    reliability = explained / (explained + variances.spread)
    spread = np.sqrt(variances.spread)
    columns: dict[str, object] = {
        "annotator": raters,
        "answers": number,
        "bias": effects.bias,
        "bias_error": np.sqrt(np.diagonal(effects.bias_covariance)),
        "spread": spread,
        "spread_error": spread * relative_error,
    }
    if with_slopes:
        columns |= {"slope": variances.slope, "slope_error": _slope_errors(ratings, fit)}
    columns |= {
        "reliability": reliability,
        "reliability_error": 2 * reliability * (1 - reliability) * relative_error,
        "agreement": agreement_with_others(ratings, variances, effects),
    }
    return pl.DataFrame(columns).with_columns(pl.col("agreement").fill_nan(None))


def _slope_errors(ratings: RatingList, fit: RaterFit) -> Array:
    """Standard errors of a straight line through a rater's items, with the prior on slopes."""
    scores = adjusted_scores(ratings, fit.variances, fit.effects).score
    squares = np.bincount(ratings.rater, scores[ratings.item] ** 2, ratings.raters)
    return np.asarray(1.0 / np.sqrt(squares / fit.variances.spread + 1.0 / SLOPE_SPREAD**2))
