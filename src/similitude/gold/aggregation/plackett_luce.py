"""Best-worst scores by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import counted, listed
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, EstimationError
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.comparison_graph import ComparisonGraph, comparison_graph, named_parts
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import Tuples, oddities, refuse_strays, tuples_of
from similitude.stats.arrays import Integers
from similitude.stats.plackett_luce import ChoiceKind, Choices, Utilities, fit_utilities
from similitude.stats.utility_scores import UtilityScores, score_utilities

__all__ = ["PlackettLuce", "connection_notes", "possible_tuples", "scored_items"]

Model = Literal["maxdiff", "sequential"]

TOLERANCE = 1e-6
PAIR_ODDS: dict[Model, float] = {"maxdiff": 2.0, "sequential": 1.0}
"""Log odds that the better of two items is named best, per unit of difference in utility."""


@AGGREGATIONS.register("plackett-luce", "bradley-terry")
@dataclass(frozen=True, repr=False)
class PlackettLuce(Aggregation):
    """Maximum-likelihood scores of best-worst answers, with standard errors.

    Every item has a utility u. With ``model=maxdiff`` the best b and the worst w are named together, with probability
    exp(u_b - u_w) / sum of exp(u_i - u_j) over all ordered pairs of different items shown (Marley and Louviere, 2005).
    With ``model=sequential`` the best is named first, with probability exp(u_b) / sum of exp(u_i), and then the worst
    of the others, with exp(-u_w) / sum of exp(-u_i): the ends of a Plackett-Luce ranking. For two items both are a
    Bradley-Terry model. Unlike counting, this accounts for the strength of the items that an item was shown with.

    The **score** is the probability of being named best in a pair with a random other item of the same part, minus
    that of being named worst, in -1..1: the mean of tanh(u_i - u_j) for maxdiff, of tanh((u_i - u_j) / 2) for
    sequential. Standard errors come from the observed information (for the score by the delta method) and assume
    independent answers; in parts of more than 3,000 items they are approximated to within about one per cent.

    The utilities have a Gaussian prior with mean 0 and precision ``prior`` (by default, standard deviation 3.2), so
    that an item that always won has a finite utility. Utilities sum to 0 in each part of items that answers
    connect; scores of different parts cannot be compared, and a note says so.

    An answer that names one item as best and as worst is impossible under the model: it is left out, and a note counts
    it. A tuple that repeats an item counts it once.

    Attributes:
        model: "maxdiff" or "sequential".
        prior: precision of the prior; 0 for no prior, which fails if an item never lost.
        normalised: map scores to (score + 1) / 2, in 0..1.
    """

    model: Model = "maxdiff"
    prior: float = 0.1
    normalised: bool = False

    name: ClassVar[str] = "plackett-luce"
    summary: ClassVar[str] = "maximum likelihood of the answers, which accounts for the other items shown"
    kind: ClassVar[Kind] = "best-worst"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.prior) and self.prior >= 0):
            raise ArgumentError(f"prior={self.prior:g} is not a precision", remedy="0 (no prior) or more")

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One score, utility and standard error per item.

        Raises:
            EstimationError: the search did not converge, or no maximum exists without a prior.
        """
        self.require_kind(judgements)
        refuse_strays(judgements)
        answers, notes = last_answers(judgements)
        tuples = tuples_of(possible_tuples(answers, judgements.name))
        connection = comparison_graph(tuples)
        notes += oddities(answers, same="left out", repeated="the item is taken once")
        notes += connection_notes(tuples, connection, prior=self.prior, where=judgements.name)
        notes += self._pair_notes(tuples)
        fitted = self._fit(tuples, judgements.name)
        scores = score_utilities(
            fitted.values,
            fitted.information,
            connection.parts,
            rng,
            prior=self.prior,
            steepness=PAIR_ODDS[self.model] / 2,
        )
        return Aggregated(
            frame=scored_items(judgements.judged, tuples, scores, normalised=self.normalised),
            scale=Scale(low=0 if self.normalised else -1, high=1),
            how=f"{self}: maximum likelihood of the best-worst answers ({self.model}, prior precision {self.prior:g})",
            notes=notes,
        )

    def _fit(self, tuples: Tuples, where: str) -> Utilities:
        items = len(tuples.ids)
        chosen = np.bincount(tuples.best, minlength=items) - np.bincount(tuples.worst, minlength=items)
        fitted = fit_utilities(chosen.astype(np.float64), _choices(tuples, self.model), prior=self.prior)
        if not fitted.steepest <= TOLERANCE:
            steps = counted(fitted.rounds, "step")
            what = f"no maximum found in {steps} (gradient {fitted.steepest:.2g}, above {TOLERANCE:g})"
            raise EstimationError(what, where=where, remedy="use a larger prior, or counting")
        return fitted

    def _pair_notes(self, tuples: Tuples) -> tuple[str, ...]:
        """A note on the unit of utilities if only pairs were shown."""
        if self.model != "maxdiff" or tuples.members.shape[1] > 2:
            return ()
        return ("utilities are half the strengths of Bradley and Terry (log odds); model=sequential gives these",)


def connection_notes(tuples: Tuples, connection: ComparisonGraph, *, prior: float, where: str) -> tuple[str, ...]:
    """Notes on parts that no answer connects, and on items that never lost or never won.

    Raises:
        EstimationError: there are such items, and no prior keeps their utilities finite.
    """
    notes = []
    if connection.parts.any():
        found = named_parts(tuples.ids, connection.parts)
        notes.append(f"answers leave the items in {found}; scores are comparable only within a part")
    if connection.has_unbeaten_items:
        lone = [tuples.ids[place] for place in np.flatnonzero(connection.is_outside_main_loop())]
        found = f"{counted(len(lone), 'item')} never lost, or never won, against the rest of a part: {listed(lone)}"
        if prior == 0:
            raise EstimationError(found, where=where, remedy="no maximum exists without a prior: use prior=0.1")
        notes.append(f"{found}; the prior determines how extreme their scores are")
    return tuple(notes)


def scored_items(ids: list[str], tuples: Tuples, scores: UtilityScores, *, normalised: bool) -> pl.DataFrame:
    """One row per item: scores, utilities, their standard errors, and counts."""
    size, shift = (0.5, 1.0) if normalised else (1.0, 0.0)
    items = len(tuples.ids)
    shown = np.bincount(tuples.members[tuples.members >= 0])
    table = pl.DataFrame(
        {
            "id": tuples.ids,
            "score": size * (scores.margin + shift),
            "standard_error": size * scores.margin_error,
            "utility": scores.utility,
            "utility_error": scores.utility_error,
            "answers": shown,
            "best": np.bincount(tuples.best, minlength=items),
            "worst": np.bincount(tuples.worst, minlength=items),
        }
    )
    frame = pl.DataFrame({"id": ids}).join(table, on="id", how="left", maintain_order="left")
    return frame.with_columns(pl.col("answers", "best", "worst").fill_null(0))


def possible_tuples(answers: pl.DataFrame, where: str) -> pl.DataFrame:
    """The answers that the model allows: best and worst differ.

    Raises:
        EstimationError: there are none.
    """
    possible = answers.filter(pl.col("best") != pl.col("worst"))
    if possible.is_empty():
        what = "every answer names one item as best and as worst"
        raise EstimationError(what, where=where, remedy="check which columns hold best and worst")
    return possible


def _choices(tuples: Tuples, model: Model) -> list[Choices]:
    if model == "maxdiff":
        return [_shown("pair", tuples.members)]
    # The best is out when the worst is chosen.
    left = np.where(tuples.members == tuples.best[:, None], -1, tuples.members)
    return [_shown("best", tuples.members), _shown("worst", np.sort(left, axis=1))]


def _shown(kind: ChoiceKind, members: Integers) -> Choices:
    """Each distinct set, with how often it was shown."""
    sets, counts = np.unique(members, axis=0, return_counts=True)
    return Choices(kind, np.maximum(sets, 0), sets >= 0, counts.astype(np.float64))
