"""Arithmetic over arrays. Knows no noun of the field.

Every function works along the last axis and broadcasts over the others, so that twenty systems, or a thousand
resamples, are one call.
"""

from similitude.stats.classification import Confusion, accuracy, confusion, f1, harmonic_mean, precision, recall, share
from similitude.stats.correlation import is_constant, kendall, pearson, spearman
from similitude.stats.coverage import LEVELS, Coverage, ece, ece_wang2022, observed_coverage
from similitude.stats.gain import Ties, discounts, gains_by_rank_expected, gains_by_rank_stable, normalised_gain
from similitude.stats.gaussian import crps, kl_divergence, negative_log_density
from similitude.stats.ordering import Ordering, average_ranks, competition_ranks

__all__ = [
    "LEVELS",
    "Confusion",
    "Coverage",
    "Ordering",
    "Ties",
    "accuracy",
    "average_ranks",
    "competition_ranks",
    "confusion",
    "crps",
    "discounts",
    "ece",
    "ece_wang2022",
    "f1",
    "gains_by_rank_expected",
    "gains_by_rank_stable",
    "harmonic_mean",
    "is_constant",
    "kendall",
    "kl_divergence",
    "negative_log_density",
    "normalised_gain",
    "observed_coverage",
    "pearson",
    "precision",
    "recall",
    "share",
    "spearman",
]
