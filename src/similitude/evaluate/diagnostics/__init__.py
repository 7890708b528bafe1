"""Diagnostics of a run: rank differences between measures, worst disagreements, and misleading correlations."""

from similitude.evaluate.diagnostics.disagreements import (
    Disagreement,
    SharedDisagreement,
    shared_disagreements,
    worst_disagreements,
)
from similitude.evaluate.diagnostics.influence import PearsonWarning, pearson_warnings
from similitude.evaluate.diagnostics.rank_differences import RankDifferences, rank_differences, system_ranks

__all__ = [
    "Disagreement",
    "PearsonWarning",
    "RankDifferences",
    "SharedDisagreement",
    "pearson_warnings",
    "rank_differences",
    "shared_disagreements",
    "system_ranks",
    "worst_disagreements",
]
