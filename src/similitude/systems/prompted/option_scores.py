"""Scores the options of a multiple-choice question from a language model's answer or likelihoods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.language.protocol import Likelihood, ModelAnswer
from similitude.systems.prompted.expected_score import answer_log_probabilities
from similitude.systems.prompted.letter_reader import ReadLetter

__all__ = [
    "ChoiceBy",
    "missing_likelihoods",
    "scores_from_first_tokens",
    "scores_from_letter",
    "scores_from_likelihoods",
]

Array = NDArray[np.float64]
ChoiceBy = Literal["sum", "token", "character", "letter", "answer"]


def scores_from_likelihoods(by: ChoiceBy, found: Sequence[Likelihood], options: Sequence[str]) -> Array:
    """Log-likelihood of each option: in total, per token or per character; for letters, the probability.

    >>> found = [Likelihood(-6.0, 2, 5), Likelihood(-8.0, 4, 10)]
    >>> scores_from_likelihoods("sum", found, ["a cat", "a tall dog"]).tolist()
    [-6.0, -8.0]
    >>> scores_from_likelihoods("token", found, ["a cat", "a tall dog"]).tolist()
    [-3.0, -2.0]
    >>> scores_from_likelihoods("character", found, ["a cat", "a tall dog"]).tolist()
    [-1.2, -0.8]
    """
    totals = np.array([one.total for one in found], dtype=np.float64)
    if by == "letter":
        return _shares(totals)
    if by == "token":
        return np.asarray(totals / [max(one.tokens, 1) for one in found])
    if by == "character":
        return np.asarray(totals / [max(len(option), 1) for option in options])
    return totals


def scores_from_first_tokens(answer: ModelAnswer, letters: Sequence[str]) -> Array | None:
    """Probability of each letter as the first token, normalised; None if no letter is among the first tokens.

    >>> answer = ModelAnswer("A", first=(("A", np.log(0.3)), (" B", np.log(0.1))))
    >>> scores_from_first_tokens(answer, "ABC").round(4).tolist()
    [0.75, 0.25, 0.0]
    """
    (logs,) = answer_log_probabilities([answer], list(letters))
    return _shares(logs) if np.isfinite(logs).any() else None


def scores_from_letter(read: ReadLetter, options: int) -> Array | None:
    """1 for the option that the answer names, 0 for the others; None if it names none."""
    return None if read.place is None else np.eye(options)[read.place]


def missing_likelihoods(by: ChoiceBy) -> ArgumentError:
    """The error for a model that returns no likelihoods."""
    return ArgumentError(
        f"by={by} needs likelihoods of given texts, and this endpoint returns none",
        remedy="use by=letter or by=answer, or a local model",
    )


def _shares(logs: Array) -> Array:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())
