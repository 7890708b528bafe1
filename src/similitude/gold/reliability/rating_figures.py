"""The figures of agreement that apply to ratings."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from similitude.data.judgements import Judgements
from similitude.gold.reliability.agreement import Agreement, Draws, Step
from similitude.gold.reliability.alpha import Measurement, krippendorff_alpha
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.intraclass import ICC_FORMS, intraclass_correlations
from similitude.gold.reliability.kappa import fleiss_kappa
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.gold.reliability.resampled_correlations import Correlation
from similitude.gold.reliability.spread import rater_matrix, ratings_on, scale_of
from similitude.stats.arrays import Array

__all__ = ["RatingFigures"]


FEW_LABELS = 20
"""With more different values than this, ratings are no labels, and Fleiss' kappa is left out."""

_NAMES: dict[Correlation, str] = {"pearson": "mean pairwise r", "spearman": "mean pairwise rho"}
_LIKE: dict[Correlation, str] = {"pearson": "space", "spearman": "order"}
_DISTANCES: dict[Measurement, str] = {
    "interval": "distances count",
    "ordinal": "order counts, distances do not",
    "nominal": "any two different values differ as much as any other two",
    "ratio": "proportions count: 1 and 2 differ as 2 and 4 do",
}


class RatingFigures:
    """Ratings as an array, and what can be said of them.

    Where raters have names, a row is a rater; where not, an item's ratings stand in any order, and only figures that
    need no names are computed.
    """

    def __init__(self, judgements: Judgements) -> None:
        self._judgements = judgements
        self._by_rater = rater_matrix(judgements)
        self._raters = None if self._by_rater is None else len(self._by_rater)

    def steps(self) -> list[Step]:
        """All figures that apply."""
        alphas: list[Step] = [partial(self._alpha, measurement) for measurement in self._measurements()]
        kappa = [self._kappa] if np.unique(self._values[~np.isnan(self._values)]).size <= FEW_LABELS else []
        return [
            *alphas,
            *kappa,
            self._intraclass,
            partial(self._pairwise, "pearson"),
            partial(self._pairwise, "spearman"),
        ]

    @cached_property
    def _values(self) -> Array:
        judgements = self._judgements
        values = ratings_on(judgements.rated(), judgements.judged) if self._by_rater is None else self._by_rater
        return without_noise(values)

    @cached_property
    def _units(self) -> int:
        return int(np.count_nonzero(np.count_nonzero(~np.isnan(self._values), axis=0) >= 2))

    def _measurements(self) -> list[Measurement]:
        """Proportions mean something only where the scale begins at 0."""
        from_zero = scale_of(self._judgements).low == 0 and not (self._values < 0).any()
        known: list[Measurement] = ["interval", "ordinal", "nominal", "ratio"]
        return known if from_zero else known[:-1]

    def _told(self, name: str, estimate: Estimate, what: str) -> Agreement:
        return Agreement(name, estimate, what, self._units, self._raters)

    def _rated_once(self) -> str:
        number = self._values.shape[1] - self._units
        return f"; {number:,} items with one rating are left out" if number else ""

    def _alpha(self, measurement: Measurement, draws: Draws) -> list[Agreement]:
        estimate = krippendorff_alpha(self._values, measurement, **draws._asdict())
        what = f"1: all agree, 0: as by chance; {_DISTANCES[measurement]}{self._rated_once()}"
        return [self._told(f"Krippendorff's alpha, {measurement}", estimate, what)]

    def _kappa(self, draws: Draws) -> list[Agreement]:
        what = f"1: all give the same label, 0: as by chance; labels are the same or not{self._rated_once()}"
        return [self._told("Fleiss' kappa", fleiss_kappa(self._values, **draws._asdict()), what)]

    def _intraclass(self, draws: Draws) -> list[Agreement]:
        found = intraclass_correlations(self._values, **draws._asdict())
        # ICC(2) and ICC(3) are about raters, and without names there are none.
        forms = [form for form in ICC_FORMS if self._by_rater is not None or form.startswith("ICC(1")]
        return [self._told(form, found[form], f"reliability of {ICC_FORMS[form]}") for form in forms]

    def _pairwise(self, correlation: Correlation, draws: Draws) -> list[Agreement]:
        name, what = _NAMES[correlation], f"1: any two raters {_LIKE[correlation]} the items alike"
        if self._by_rater is None:
            return [self._told(name, undefined("raters have no names: nobody knows which ratings are whose"), what)]
        found = pairwise_correlation(self._values, correlation, **draws._asdict())
        rests = f"mean over {found.pairs:,} pairs of raters, who share {found.shared:g} items (median)"
        left_out = f"; {found.left_out:,} pairs left out: too few shared items, or only one value"
        more = f"; {rests}{left_out if found.left_out else ''}" if found.pairs else ""
        return [self._told(name, found.estimate, what + more)]
