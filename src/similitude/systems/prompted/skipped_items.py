"""Items that are not asked about, since their prompts are too long: their predictions and the note that counts them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from similitude.data.prediction import Predictions
from similitude.data.read_answer import ReadAnswer
from similitude.models.language.protocol import LanguageModel

__all__ = ["SKIPPED", "marked_as_skipped", "skipped_notes", "with_skipped"]

SKIPPED = ReadAnswer("", "overlong", "skipped")
"""What stands in the place of an answer."""


def with_skipped(predictions: Predictions, skipped: Collection[int]) -> Predictions:
    """The predictions of the items that were asked about, with nan for the skipped ones at their places.

    Args:
        predictions: of the other items, in order.
        skipped: the places of skipped items among all.

    >>> with_skipped(Predictions(np.array([4.0, 2.0])), {1}).scores
    array([ 4., nan,  2.])
    """
    number = len(predictions) + len(skipped)
    asked = np.array([place for place in range(number) if place not in skipped], dtype=np.intp)
    source = np.zeros(number, dtype=np.intp)
    source[asked] = np.arange(len(asked))
    return marked_as_skipped(predictions.take(source) if len(predictions) else _nothing(number), skipped)


def marked_as_skipped(predictions: Predictions, skipped: Collection[int]) -> Predictions:
    """The predictions of all items, without a score where one was skipped."""
    if not skipped:
        return predictions
    places = np.array(sorted(skipped), dtype=np.intp)
    answers = list(predictions.answers or ((),) * len(predictions))
    for place in skipped:
        answers[place] = (SKIPPED,)

    def without(column: NDArray[np.float64] | None, value: float) -> NDArray[np.float64] | None:
        if column is None:
            return None
        changed = column.copy()
        changed[places] = value
        return changed

    scores = without(predictions.scores, np.nan)
    assert scores is not None
    return replace(
        predictions,
        scores=scores,
        sigmas=without(predictions.sigmas, np.nan),
        samples=without(predictions.samples, np.nan),
        invalid=without(predictions.invalid, 0.0),
        answers=tuple(answers),
    )


def skipped_notes(skipped: Collection[object], number: int, what: str, model: LanguageModel) -> list[str]:
    """The note that counts skipped items; none if there are none."""
    if not skipped:
        return []
    window = f"{model.window:,}" if model.window is not None else "its"
    share = 100 * len(skipped) / number
    return [
        f"{len(skipped):,} of {number:,} {what} ({share:.3g} %) were skipped: "
        f"their prompts exceed the model's context window of {window} tokens"
    ]


def _nothing(number: int) -> Predictions:
    return Predictions(np.full(number, np.nan))
