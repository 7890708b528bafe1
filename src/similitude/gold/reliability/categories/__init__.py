"""Agreement on categories: coefficients with standard errors, and the agreement on each item."""

from similitude.gold.reliability.categories.category_weights import WEIGHTS, Weights, category_weights
from similitude.gold.reliability.categories.classification import (
    Classification,
    classified_counts,
    classified_matrix,
    classified_ratings,
)
from similitude.gold.reliability.categories.coefficient_interval import (
    coefficient_estimate,
    score_estimate,
    share_estimate,
)
from similitude.gold.reliability.categories.coefficients import (
    Coefficient,
    brennan_prediger,
    cohen_coefficient,
    conger,
    fleiss,
    gwet,
    krippendorff,
    observed_agreement,
)

__all__ = [
    "WEIGHTS",
    "Classification",
    "Coefficient",
    "Weights",
    "brennan_prediger",
    "category_weights",
    "classified_counts",
    "classified_matrix",
    "classified_ratings",
    "coefficient_estimate",
    "cohen_coefficient",
    "conger",
    "fleiss",
    "gwet",
    "krippendorff",
    "observed_agreement",
    "score_estimate",
    "share_estimate",
]
