"""How the doubt about a run's figures is put into words."""

from __future__ import annotations

from similitude.evaluate.significance import Confidence, TiedRank

__all__ = ["are_apart", "how_sure", "how_told_apart", "rank_text"]

METHODS = {"bca": "bias-corrected and accelerated bootstrap", "percentile": "percentile bootstrap"}
TESTS = {"bootstrap": "paired bootstrap", "permutation": "paired permutation test"}


def how_sure(confidence: Confidence) -> str:
    """How intervals were made, for captions."""
    return f"{100 * confidence.level:g} % interval ({METHODS.get(confidence.method, confidence.method)})"


def how_told_apart(confidence: Confidence) -> str:
    """By which test systems were told apart, for captions."""
    of_groups = "" if confidence.groups is None else f" of {confidence.groups:,} groups of items"
    test = TESTS.get(confidence.test, confidence.test)
    return f"{test}, {confidence.resamples:,} resamples{of_groups}, Holm, {100 * confidence.level:g} %"


def rank_text(rank: TiedRank) -> str:
    """``1`` or ``2-4``."""
    return f"{rank.best}" if rank.best == rank.worst else f"{rank.best}-{rank.worst}"


def are_apart(confidence: Confidence, one: int, other: int, column: int = 0) -> bool:
    """Whether two systems can be told apart on a measure: they share no letter."""
    return not set(confidence.ranks[one][column].letters) & set(confidence.ranks[other][column].letters)
