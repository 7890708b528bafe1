"""Statistical significance: confidence intervals, paired tests, and ranks with ties."""

from similitude.evaluate.significance.confidence import Confidence, confidence
from similitude.evaluate.significance.plan import Method, Test, enough_resamples
from similitude.evaluate.significance.tied_ranks import TiedRank, compact_letters, tied_ranks
from similitude.stats import Interval, holm

__all__ = [
    "Confidence",
    "Interval",
    "Method",
    "Test",
    "TiedRank",
    "compact_letters",
    "confidence",
    "enough_resamples",
    "holm",
    "tied_ranks",
]
