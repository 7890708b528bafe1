"""Scores the options of a multiple-choice question from a language model's answer or likelihoods."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.language.protocol import Likelihood, ModelAnswer
from similitude.systems.prompted.answer_parser import without_thoughts
from similitude.systems.prompted.expected_score import answer_log_probabilities

__all__ = [
    "ChoiceBy",
    "missing_likelihoods",
    "read_letter",
    "scores_from_answer",
    "scores_from_first_tokens",
    "scores_from_likelihoods",
]

Array = NDArray[np.float64]
ChoiceBy = Literal["sum", "token", "character", "letter", "answer"]

_FIRST = re.compile(r"^\W*([A-Za-z])(?![^\W\d_]|['’])\W*(?:$|[.):,\n-])")
_ANNOUNCED = re.compile(
    r"(?:answer|option|choice|antwort|möglichkeit|wahl|答案|选项|选择)[\s\"'*:]*(?:is|ist|lautet|是|为)?[\s\"'*:(]*"
    r"([A-Za-z])(?![^\W\d_])",
    re.IGNORECASE,
)
_STANDING = re.compile(r"(?<![^\W\d_])([A-Z])(?=[.):]|\s*$)")


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


def scores_from_answer(answer: ModelAnswer, options: Sequence[str]) -> Array | None:
    """1 for the option that the answer names, 0 for the others; None if it names none."""
    place = read_letter(answer.text, options)
    return None if place is None else np.eye(len(options))[place]


def read_letter(answer: str, options: Sequence[str]) -> int | None:
    """The index of the option that an answer names; None if there is none.

    In this order: a letter at the start (``B``, ``(b)``, ``B. ...``); a labelled letter (``the answer is B``); the text
    of exactly one option; the only capital letter before punctuation or at the end.

    >>> read_letter("**B**", ["a cat", "a dog"]), read_letter("A dog", ["a cat", "a dog"]), read_letter("?", ["x", "y"])
    (1, 1, None)
    """
    text = unicodedata.normalize("NFKC", without_thoughts(answer)).strip()
    for found in (_FIRST.match(text), _ANNOUNCED.search(text)):
        if found and (place := _place(found[1], len(options))) is not None:
            return place
    written = [place for place, option in enumerate(options) if _plain(option) and _plain(option) in _plain(text)]
    if len(written) == 1:
        return written[0]
    standing = {_place(letter, len(options)) for letter in _STANDING.findall(text)} - {None}
    return standing.pop() if len(standing) == 1 else None


def missing_likelihoods(by: ChoiceBy) -> ArgumentError:
    """The error for a model that returns no likelihoods."""
    return ArgumentError(
        f"by={by} needs likelihoods of given texts, and this endpoint returns none",
        remedy="use by=letter or by=answer, or a local model",
    )


def _shares(logs: Array) -> Array:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _place(letter: str, options: int) -> int | None:
    place = ord(letter.upper()) - ord("A")
    return place if 0 <= place < options else None


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.casefold()).split())
