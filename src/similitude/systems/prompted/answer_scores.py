"""Turns answers of a language model into predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Item
from similitude.data.prediction import Predictions
from similitude.data.read_answer import ReadAnswer, kind_of
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.language.protocol import Likelihood, ModelAnswer
from similitude.systems.prompted.answer_parser import ParsedAnswer, read_score, replacement
from similitude.systems.prompted.expected_score import (
    answer_log_probabilities,
    expected_scores,
    level_texts,
    option_log_probabilities,
)
from similitude.systems.prompted.simulated_raters import summarise
from similitude.systems.prompted.tally import CUT, AnswerTally

__all__ = ["Instead", "Reader", "ScoredAnswers", "Unread", "score_by_answer", "score_by_expectation", "score_by_raters"]

Array = NDArray[np.float64]
Unread = Literal["draw", "middle"]
Reader = Callable[[str], ParsedAnswer]
"""Reads the score in an answer."""


class Instead(NamedTuple):
    """What stands in the place of an answer without a score.

    Attributes:
        kind: "draw" from the scale at random, or its "middle".
        seed: of the draws.
    """

    kind: Unread = "draw"
    seed: int = 0


class ScoredAnswers(NamedTuple):
    """Predictions, statistics of the answers, and notes for the user."""

    predictions: Predictions
    tally: AnswerTally
    notes: tuple[str, ...] = ()


def score_by_answer(
    items: Sequence[Item],
    answers: Sequence[ModelAnswer],
    scale: Scale,
    instead: Instead,
    reader: Reader | None = None,
) -> ScoredAnswers:
    """The number in each answer; what stands instead if it has none."""
    values, read, tally = _read(answers, scale, reader)
    unread = np.isnan(values)
    predictions = Predictions(
        _replace_unread(values, items, scale, instead),
        invalid=unread.astype(np.float64),
        drawn_from=_ends(scale, unread, instead),
        answers=tuple((one,) for one in read),
    )
    return ScoredAnswers(predictions, tally)


def score_by_raters(
    items: Sequence[Item],
    answers: Sequence[ModelAnswer],
    raters: int,
    scale: Scale,
    instead: Instead,
    reader: Reader | None = None,
) -> ScoredAnswers:
    """Mean and standard deviation over raters. An answer without a number is ignored, like a missing human rating.

    An item without any rating gets a random draw from the scale, with the standard deviation of such draws.
    """
    values, read, tally = _read(answers, scale, reader)
    samples = values.reshape(len(items), raters)
    found = summarise(samples)
    predictions = Predictions(
        _replace_unread(found.means, items, scale, instead),
        _or_uniform(found.sigmas, scale),
        samples,
        found.missing,
        drawn_from=_ends(scale, np.isnan(found.means), instead),
        answers=tuple(tuple(read[place : place + raters]) for place in range(0, len(read), raters)),
    )
    return ScoredAnswers(predictions, tally)


def score_by_expectation(
    items: Sequence[Item],
    levels: Sequence[float],
    found: Sequence[tuple[Likelihood, ...]] | Sequence[ModelAnswer],
    scale: Scale,
    instead: Instead,
) -> ScoredAnswers:
    """The mean over levels, weighted by probability, and the standard deviation.

    Args:
        items: the items that were asked about.
        levels: the levels of the scale.
        found: for each item, the likelihoods of the levels, or an answer with its likeliest first tokens.
        scale: the scale of the levels.
        instead: what stands in the place of an answer without a score.
    """
    answers = [one for one in found if isinstance(one, ModelAnswer)]
    if answers and not any(answer.first for answer in answers):
        raise ArgumentError(
            "the endpoint returns neither likelihoods of given texts nor probabilities of first tokens",
            remedy="use by=answer or by=raters",
        )
    weighed = [one for one in found if not isinstance(one, ModelAnswer)]
    logs = (
        answer_log_probabilities(answers, level_texts(levels))
        if answers
        else option_log_probabilities(weighed, len(levels))
    )
    expected = expected_scores(levels, logs)
    unread = np.isnan(expected.means)
    scores = _replace_unread(expected.means, items, scale, instead)
    tally = AnswerTally(
        answers=len(items),
        invalid=int(unread.sum()),
        prompt_tokens=sum(answer.prompt_tokens for answer in answers),
        answer_tokens=sum(answer.answer_tokens for answer in answers),
    )
    predictions = Predictions(
        scores,
        _or_uniform(expected.sigmas, scale),
        invalid=unread.astype(np.float64),
        drawn_from=_ends(scale, unread, instead),
        answers=_first_tokens(answers, expected.means) if answers else None,
    )
    return ScoredAnswers(predictions, tally, _coverage(levels, expected.covered))


def _read(
    answers: Sequence[ModelAnswer], scale: Scale, reader: Reader | None
) -> tuple[Array, list[ReadAnswer], AnswerTally]:
    """The number in each answer, nan where there is none, and how it was read."""
    read_one = reader or partial(read_score, scale=scale)
    parsed = [read_one(answer.text) for answer in answers]
    values = [np.nan if one.value is None else one.value for one in parsed]
    read = [
        ReadAnswer(
            answer.text,
            one.rule,
            kind_of(one.value, is_prose=one.is_prose, scale=scale),
            one.value,
            answer.finish == CUT,
        )
        for answer, one in zip(answers, parsed, strict=True)
    ]
    return np.array(values, dtype=np.float64), read, AnswerTally.of(answers, read)


def _first_tokens(answers: Sequence[ModelAnswer], means: Array) -> tuple[tuple[ReadAnswer, ...], ...]:
    known = [None if np.isnan(mean) else float(mean) for mean in means]
    return tuple(
        (ReadAnswer(answer.text, "first tokens", kind_of(value, is_prose=False), value),)
        for answer, value in zip(answers, known, strict=True)
    )


def _ends(scale: Scale, unread: NDArray[np.bool_], instead: Instead) -> tuple[float, float] | None:
    """Where replacements are drawn from, if there are any."""
    is_drawn = instead.kind == "draw" and bool(unread.any())
    return (float(scale.low), float(scale.high)) if is_drawn else None


def _replace_unread(values: Array, items: Sequence[Item], scale: Scale, instead: Instead) -> Array:
    replaced = values.copy()
    for place in np.flatnonzero(np.isnan(values)).tolist():
        is_drawn = instead.kind == "draw"
        replaced[place] = replacement(items[place], scale, instead.seed) if is_drawn else scale.at(0.5)
    return replaced


def _or_uniform(sigmas: Array, scale: Scale) -> Array:
    """Replace unknown sigmas by the standard deviation of U[low, high]."""
    return np.where(np.isnan(sigmas), scale.width / np.sqrt(12.0), sigmas)


def _coverage(levels: Sequence[float], covered: Array) -> tuple[str, ...]:
    if not covered.size:
        return ()
    shown = ", ".join(level_texts(levels))
    low, mean = 100 * covered.min(), 100 * covered.mean()
    return (f"the levels {shown} had {mean:.3g} % of the probability on average, and {low:.3g} % at least",)
