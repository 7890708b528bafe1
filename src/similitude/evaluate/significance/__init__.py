"""How sure is the ranking: intervals, paired tests, and ranks that are shared where nothing tells systems apart."""

from similitude.evaluate.significance.confidence import Confidence, Test, confidence, enough_resamples
from similitude.evaluate.significance.intervals import Method
from similitude.evaluate.significance.letters import compact_letters
from similitude.evaluate.significance.ranks import TiedRank, tied_ranks
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
