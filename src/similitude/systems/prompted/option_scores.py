"""From what a language model answered to how much it favours each option of a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.language.protocol import Likelihood, ModelAnswer
from similitude.systems.prompted.expected_score import logs_of_answers
from similitude.systems.prompted.letters import read_letter

__all__ = ["ChoiceBy", "favour_in_answer", "favour_in_first_tokens", "favour_in_likelihoods", "lack_of_likelihoods"]

Array = NDArray[np.float64]
ChoiceBy = Literal["sum", "token", "character", "letter", "answer"]


def favour_in_likelihoods(by: ChoiceBy, found: Sequence[Likelihood], options: Sequence[str]) -> Array:
    """The logarithm of an option's likelihood, whole or for each of its tokens or characters; of letters, the share.

    >>> found = [Likelihood(-6.0, 2, 5), Likelihood(-8.0, 4, 10)]
    >>> favour_in_likelihoods("sum", found, ["a cat", "a tall dog"]).tolist()
    [-6.0, -8.0]
    >>> favour_in_likelihoods("token", found, ["a cat", "a tall dog"]).tolist()
    [-3.0, -2.0]
    >>> favour_in_likelihoods("character", found, ["a cat", "a tall dog"]).tolist()
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


def favour_in_first_tokens(answer: ModelAnswer, letters: Sequence[str]) -> Array | None:
    """The probability of each letter as the first token, brought to a sum of 1; None where none is among them.

    >>> answer = ModelAnswer("A", first=(("A", np.log(0.3)), (" B", np.log(0.1))))
    >>> favour_in_first_tokens(answer, "ABC").round(4).tolist()
    [0.75, 0.25, 0.0]
    """
    (logs,) = logs_of_answers([answer], list(letters))
    return _shares(logs) if np.isfinite(logs).any() else None


def favour_in_answer(answer: ModelAnswer, options: Sequence[str]) -> Array | None:
    """1 for the option that is named, 0 for the others; None where none is."""
    place = read_letter(answer.text, options)
    return None if place is None else np.eye(len(options))[place]


def lack_of_likelihoods(by: ChoiceBy) -> ArgumentError:
    """What is said where a model gives no likelihoods and they are needed."""
    return ArgumentError(
        f"by={by} needs the likelihoods of given texts, and this endpoint gives none",
        remedy="choose by=letter or by=answer, or use local weights",
    )


def _shares(logs: Array) -> Array:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())
