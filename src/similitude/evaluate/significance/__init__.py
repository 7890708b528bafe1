"""Statistical significance: confidence intervals, paired tests, and ranks with ties."""

from similitude.evaluate.significance.all_pairs import tested_together
from similitude.evaluate.significance.confidence import Confidence, confidence
from similitude.evaluate.significance.contrast import Contrast, Verdict
from similitude.evaluate.significance.decision import Decision, decision_on
from similitude.evaluate.significance.effect import Effect
from similitude.evaluate.significance.evidence import Evidence
from similitude.evaluate.significance.plan import Method, Test, enough_resamples
from similitude.evaluate.significance.tied_ranks import TiedRank, compact_letters, tied_ranks
from similitude.stats import Interval

__all__ = [
    "Confidence",
    "Contrast",
    "Decision",
    "Effect",
    "Evidence",
    "Interval",
    "Method",
    "Test",
    "TiedRank",
    "Verdict",
    "compact_letters",
    "confidence",
    "decision_on",
    "enough_resamples",
    "tested_together",
    "tied_ranks",
]
