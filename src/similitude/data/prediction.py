"""Predictions: the scores that systems give to items."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from similitude.data.provenance import Provenance
from similitude.data.read_answer import ReadAnswer
from similitude.errors import PredictionError

__all__ = ["MOST_REPLACED", "Prediction", "Predictions"]

MOST_REPLACED = 0.10
"""A system with a larger share of replaced answers is marked, and never called best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A system's score for one item and, if the system gives one, a standard deviation."""

    score: float
    sigma: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """A system's scores for many items, as arrays.

    Attributes:
        scores: one score per item.
        sigmas: one standard deviation per item, from systems that predict one.
        samples: items x draws, from systems that draw a sample of opinions; nan for a draw without a score.
        invalid: the share of each item's answers that held no score and were replaced or left out, from systems that
            parse answers; 0 or 1 if there is one answer per item.
        drawn_from: the ends of the scale from which scores of items without any valid answer (``invalid`` is 1) were
            drawn at random; None if there are no such draws.
        answers: the answers of a language model to each item, and how they were read; None from other systems.
        provenance: how the file or object that they come from was understood, for predictions made elsewhere.

    >>> import numpy as np
    >>> Predictions(np.array([0.2, 0.9]), sigmas=np.array([0.1, 0.3])).sigmas
    array([0.1, 0.3])
    """

    scores: NDArray[np.float64]
    sigmas: NDArray[np.float64] | None = None
    samples: NDArray[np.float64] | None = None
    invalid: NDArray[np.float64] | None = None
    drawn_from: tuple[float, float] | None = field(default=None, kw_only=True)
    answers: tuple[tuple[ReadAnswer, ...], ...] | None = field(default=None, kw_only=True)
    provenance: Provenance | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.scores.ndim != 1:
            raise PredictionError(f"scores have {self.scores.ndim} dimensions", remedy="return one score per item")
        columns = (
            ("sigmas", self.sigmas),
            ("samples", self.samples),
            ("shares invalid", self.invalid),
            ("items with answers", self.answers),
        )
        for name, column in columns:
            if column is not None and len(column) != len(self.scores):
                raise PredictionError(
                    f"{len(self.scores)} scores but {len(column)} {name}", remedy="return one per item"
                )

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, position: int) -> Prediction:
        sigma = None if self.sigmas is None else float(self.sigmas[position])
        return Prediction(score=float(self.scores[position]), sigma=sigma)

    @property
    def drawn(self) -> NDArray[np.bool_]:
        """Whether each score was drawn at random, since no answer held one."""
        if self.invalid is None or self.drawn_from is None:
            return np.zeros(len(self), dtype=np.bool_)
        return np.asarray(self.invalid >= 1)

    @property
    def replaced(self) -> float:
        """The share of answers that held no score and were replaced or left out; 0 for systems that parse none."""
        return 0.0 if self.invalid is None or not len(self) else float(self.invalid.mean())

    @property
    def replaced_too_often(self) -> bool:
        """Whether so many answers were replaced that the system is never called best."""
        return self.replaced > MOST_REPLACED

    @property
    def skipped(self) -> NDArray[np.bool_]:
        """Whether each item was skipped on purpose, since its prompt is too long."""
        if self.answers is None:
            return np.zeros(len(self), dtype=np.bool_)
        return np.array([_is_skipped(answers) for answers in self.answers], dtype=np.bool_)

    def take(self, positions: NDArray[np.intp]) -> Predictions:
        """The predictions for the items at these positions, in this order."""
        answers = self.answers
        return replace(
            self,
            scores=self.scores[positions],
            sigmas=None if self.sigmas is None else self.sigmas[positions],
            samples=None if self.samples is None else self.samples[positions],
            invalid=None if self.invalid is None else self.invalid[positions],
            answers=None if answers is None else tuple(answers[position] for position in positions.tolist()),
        )


def _is_skipped(answers: tuple[ReadAnswer, ...]) -> bool:
    return any(answer.kind == "skipped" for answer in answers)
