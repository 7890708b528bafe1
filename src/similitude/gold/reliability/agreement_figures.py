"""Every figure of agreement that applies to a set of judgements, each with one line on how to read it."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cached_property, partial

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, rating_matrix
from similitude.data.plural import counted
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.gold.reliability.agreement import Agreement, Step, run_steps
from similitude.gold.reliability.alpha import Measurement, krippendorff_alpha
from similitude.gold.reliability.applies_figures import applies_figures, applies_were_asked
from similitude.gold.reliability.best_worst_figures import best_worst_figures
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.categories import Weights
from similitude.gold.reliability.category_figures import category_steps, few_label_steps, refuse_unordered_weights
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.independent_units import independent_units
from similitude.gold.reliability.intraclass import ICC_FORMS, intraclass_correlations
from similitude.gold.reliability.named_raters import number_of_raters, why_unnamed
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.pairwise import mean_over_pairs
from similitude.gold.reliability.rater_pairs import Ratings
from similitude.gold.reliability.rating_spread import ratings_of, ratings_on, scale_of
from similitude.gold.reliability.split_half import USUAL_HALVES, Halving, split_half
from similitude.stats import Units
from similitude.stats.arrays import Array
from similitude.stats.correlation import Correlation

__all__ = ["agreement_figures", "headline_figure"]

_NAMES: dict[Correlation, str] = {"pearson": "mean pairwise r", "spearman": "mean pairwise rho"}
_LIKE: dict[Correlation, str] = {"pearson": "space", "spearman": "order"}
_DISTANCES: dict[Measurement, str] = {
    "interval": "distances count",
    "ordinal": "order counts, distances do not",
    "nominal": "any two different values differ as much as any other two",
    "ratio": "proportions count: 1 and 2 differ as 2 and 4 do",
}


def agreement_figures(
    judgements: Judgements,
    *,
    resampling: Resampling = USUAL,
    halving: Halving = USUAL_HALVES,
    weights: Weights | None = None,
    listener: Listener | None = None,
) -> list[Agreement]:
    """Every figure of agreement that applies to these judgements.

    Ratings: Krippendorff's alpha (interval, ordinal, nominal; ratio on a scale that starts at 0), the coefficients of
    categories (with and without weights) for at most 20 distinct values, intraclass correlations, mean pairwise r and
    rho, split-half reliability. Best-worst: alpha in three codings, strong agreement, split-half reliability.
    Categories: nominal alpha, percent agreement, the kappas of Fleiss and Conger (Cohen's for two named annotators),
    Gwet's AC1, Brennan-Prediger, agreement on each label. Verifications: also how far annotators agree that the
    question applies. Undefined figures come with the reason.

    Args:
        judgements: answers of any kind.
        resampling: how intervals are drawn.
        halving: how answers are split for split-half reliability.
        weights: how far two different labels agree, for ratings with few values; by default quadratic. Categories in
            words have no order, and only identity weights.
        listener: is told the progress, and which answers do not count.

    Raises:
        ArgumentError: the answers have no order, or too many different values, for weights; or they are categories,
            which are not split in halves.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> import polars as pl
    >>> rows = {"annotator": list("xxxyyy"), "item": list("abcabc"), "value": [1.0, 2.0, 5.0, 1.0, 3.0, 5.0]}
    >>> first = agreement_figures(Judgements(name="made", frame=pl.DataFrame(rows)), resampling=NO_INTERVALS)[0]
    >>> first.name, round(first.estimate.value, 3)
    ("Krippendorff's alpha, interval", 0.95)
    """
    _tell_notes(judgements, listener)
    refuse_unordered_weights(judgements, weights)
    steps = _steps(judgements, halving, weights, listener)
    if applies_were_asked(judgements):
        steps.append(partial(applies_figures, judgements))
    return run_steps(steps, resampling, listener=listener, stage="agreement")


def headline_figure(judgements: Judgements, *, resampling: Resampling = USUAL) -> Agreement | None:
    """The first of `agreement_figures` alone, which is alpha; None if no answer has a value.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> rows = {"annotator": list("xxxyyy"), "item": list("abcabc"), "value": [1.0, 2.0, 5.0, 1.0, 3.0, 5.0]}
    >>> made = Judgements(name="made", frame=pl.DataFrame(rows))
    >>> round(headline_figure(made, resampling=NO_INTERVALS).estimate.value, 3)
    0.95
    """
    steps = _steps(judgements, USUAL_HALVES, None, None)
    return steps[0](resampling)[0] if steps else None


def _steps(judgements: Judgements, halving: Halving, weights: Weights | None, listener: Listener | None) -> list[Step]:
    if judgements.kind != "best-worst" and judgements.rated().is_empty():
        return []  # every answer says that the question does not apply
    if judgements.kind == "category":
        if replace(halving, repeats=USUAL_HALVES.repeats) != USUAL_HALVES:
            remedy = "leave out --odd-to, --spearman-brown and --without"
            raise ArgumentError("answers in categories are not split in halves", where=judgements.name, remedy=remedy)
        return category_steps(judgements, weights)
    halves = partial(_split_half, judgements, halving, listener)
    if judgements.kind == "rating":
        return [*_RatingFigures(judgements, weights).steps(), halves]
    return [partial(best_worst_figures, judgements), halves]


def _tell_notes(judgements: Judgements, listener: Listener | None) -> None:
    if listener is not None:
        for note in last_answers(judgements).notes:
            listener.note(note)


def _split_half(
    judgements: Judgements, halving: Halving, listener: Listener | None, resampling: Resampling
) -> list[Agreement]:
    found = split_half(judgements, **asdict(halving), resampling=resampling, listener=listener)
    raters, name = number_of_raters(judgements), "split-half, {}"
    what = f"1: both halves of the answers give the same {{}}; mean of {halving.repeats:,} random halvings, sd {{:.3f}}"
    if halving.spearman_brown:
        name, what = "split-half, {}, Spearman-Brown", f"{what}; stepped up to all answers"
    told = (
        (name.format("Spearman"), found.spearman, what.format("order", found.spearman_sd)),
        (name.format("Pearson"), found.pearson, what.format("scores", found.pearson_sd)),
    )
    return [Agreement(name, estimate, how, found.items, raters) for name, estimate, how in told]


class _RatingFigures:
    """The figures of ratings.

    If raters are named and rated everything, a row of the array is a rater. If not, the ratings of an item stand in any
    order; figures about raters are then left out, or computed from the list of ratings.
    """

    def __init__(self, judgements: Judgements, weights: Weights | None) -> None:
        self._judgements = judgements
        self._weights = weights
        rated = ratings_of(judgements)
        self._rated = rated.with_columns(value=without_noise(rated["value"].to_numpy().astype(np.float64)))
        self._raters = number_of_raters(judgements)
        self._unnamed = why_unnamed(judgements)
        self._cells = len(judgements.judged) * len(judgements.annotators)

    def steps(self) -> list[Step]:
        """Every figure that applies."""
        alphas: list[Step] = [partial(self._alpha, measurement) for measurement in self._measurements()]
        return [
            *alphas,
            *few_label_steps(self._judgements, self._weights),
            self._intraclass,
            partial(self._pairwise, "pearson"),
            partial(self._pairwise, "spearman"),
        ]

    @cached_property
    def _values(self) -> Array:
        """Raters x items, if everybody rated everything; else the ratings of each item in any order."""
        if self._unnamed is None and self._rated.height == self._cells:
            matrix = rating_matrix(self._rated)
            column = numbered(pl.Series(self._judgements.judged), pl.Series(matrix.items))
            return matrix.values[:, column.to_numpy()]
        return ratings_on(self._rated, self._judgements.judged)

    @cached_property
    def _items(self) -> Units:
        return independent_units(self._judgements)

    @cached_property
    def _long(self) -> Ratings:
        return Ratings.of_frame(self._rated)

    @cached_property
    def _units(self) -> int:
        return int(np.count_nonzero(np.count_nonzero(~np.isnan(self._values), axis=0) >= 2))

    def _measurements(self) -> list[Measurement]:
        """Proportions are meaningful only on a scale that starts at 0."""
        from_zero = scale_of(self._judgements).low == 0 and not (self._values < 0).any()
        known: list[Measurement] = ["interval", "ordinal", "nominal", "ratio"]
        return known if from_zero else known[:-1]

    def _told(self, name: str, estimate: Estimate, what: str) -> Agreement:
        if self._raters != 1 and self._units == 0 and estimate.reason != self._unnamed:
            estimate = undefined("no item has two ratings: there is nothing to compare")
        return Agreement(name, estimate, what, self._units, self._raters)

    def _rated_once(self) -> str:
        number = int(np.count_nonzero(np.count_nonzero(~np.isnan(self._values), axis=0) == 1))
        return (
            f"; {counted(number, 'item')} with one rating {'is' if number == 1 else 'are'} left out" if number else ""
        )

    def _alpha(self, measurement: Measurement, resampling: Resampling) -> list[Agreement]:
        groups = self._items.of_item
        estimate = krippendorff_alpha(self._values, measurement, groups=groups, resampling=resampling)
        together = "" if groups is None else f"; the interval treats {self._items.number:,} groups of items as units"
        what = f"1: all agree, 0: as by chance; {_DISTANCES[measurement]}{self._rated_once()}{together}"
        return [self._told(f"Krippendorff's alpha, {measurement}", estimate, what)._replace(by_chance=0.0)]

    def _intraclass(self, resampling: Resampling) -> list[Agreement]:
        found = intraclass_correlations(self._values, resampling=resampling)
        about_raters = [form for form in found if not form.startswith("ICC(1")]
        if self._unnamed is not None:
            found |= dict.fromkeys(about_raters, undefined(self._unnamed))
        elif (missing := self._missing()) and found["ICC(1,1)"].is_defined:
            found |= dict.fromkeys(about_raters, undefined(missing))
        return [self._told(form, found[form], f"reliability of {ICC_FORMS[form]}") for form in ICC_FORMS]

    def _missing(self) -> str | None:
        """Why figures that need every rater's rating of every item are undefined."""
        number = self._cells - self._rated.height
        return (
            f"not every rater rated every item: {number:,} of {self._cells:,} ratings are missing" if number else None
        )

    def _pairwise(self, correlation: Correlation, resampling: Resampling) -> list[Agreement]:
        name, what = _NAMES[correlation], f"1: any two raters {_LIKE[correlation]} the items alike"
        if self._unnamed is not None:
            return [self._told(name, undefined(self._unnamed), what)]
        found = mean_over_pairs(self._long, correlation, resampling=resampling)
        items = f"{found.shared:g} {'item' if found.shared == 1 else 'items'}"
        rests = f"mean over {counted(found.pairs, 'pair')} of raters, who share {items} (median)"
        left_out = f"; {counted(found.left_out, 'pair')} left out: too few shared items, or only one value"
        more = f"; {rests}{left_out if found.left_out else ''}" if found.pairs else ""
        return [self._told(name, found.estimate, what + more)]
