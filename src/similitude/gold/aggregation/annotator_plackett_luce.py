"""Best-worst scores by maximum likelihood, with annotators who click at random found and discounted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import agreeing, counted, listed
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.comparison_graph import comparison_graph
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.plackett_luce import connection_notes, possible_tuples, scored_items
from similitude.gold.aggregation.tuple_arrays import Tuples, numbered, oddities, refuse_strays, tuples_of
from similitude.stats.annotator_choices import AnnotatorFit, ChoiceList, fit_annotators
from similitude.stats.utility_scores import score_utilities

__all__ = ["CLICKER", "AnnotatorPlackettLuce", "fitted_annotators"]

CLICKER = 0.9
"""Whoever is more likely than this to click at random is listed as a random clicker."""
MOST_LISTED = 20


@AGGREGATIONS.register("annotator-plackett-luce", "crowd-plackett-luce")
@dataclass(frozen=True, repr=False)
class AnnotatorPlackettLuce(Aggregation):
    """Plackett-Luce scores of best-worst answers, weighted by how attentive each annotator is.

    An answer is attentive with its annotator's probability (**attention**) and follows the max-diff model of
    `plackett-luce` then; else best and worst are clicked at random. Some annotators are **random clickers**, whose
    attention is 0; their share is estimated. Utilities and annotators are estimated together by EM, which draws
    nothing at random (see `similitude.stats.annotator_choices`). Who always clicks the first place counts as clicking
    at random, because places say nothing about items.

    ``score``, ``utility`` and their standard errors are those of `plackett-luce`; standard errors allow for the doubt
    about which answers were attentive. ``annotators`` has, for each annotator: ``answers``, ``attention`` (expected
    share of attentive answers, 0..1) and ``random_clicking`` (probability of clicking at random throughout). Those
    above .9 are listed in the notes. Nobody's answers are left out: those of a random clicker weigh next to nothing.

    Annotators must be named, and there must be two or more.

    Attributes:
        prior: precision of the Gaussian prior on utilities; above 0.
        normalised: map scores to (score + 1) / 2, in 0..1.
    """

    prior: float = 0.1
    normalised: bool = False

    name: ClassVar[str] = "annotator-plackett-luce"
    summary: ClassVar[str] = "maximum likelihood of the answers, with random clickers found and discounted"
    kind: ClassVar[Kind] = "best-worst"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.prior) and self.prior > 0):
            raise ArgumentError(f"prior={self.prior:g} is not a precision", remedy="a number above 0")

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One score, utility and standard error per item, and a table of annotators.

        Raises:
            InputError: annotators are unnamed, or there is only one.
            EstimationError: no answer is possible under the model.
        """
        self.require_kind(judgements)
        refuse_strays(judgements)
        answers, notes = last_answers(judgements)
        possible = possible_tuples(answers, judgements.name)
        people = _named(possible["annotator"], judgements.name)
        tuples = tuples_of(possible)
        connection = comparison_graph(tuples)
        fit = fit_annotators(_listed(tuples, possible["annotator"], people), prior=self.prior)
        scores = score_utilities(fit.utilities, fit.information, connection.parts, rng, prior=self.prior, steepness=1.0)
        table = _table_of_annotators(possible["annotator"], people, fit)
        return Aggregated(
            frame=scored_items(judgements.judged, tuples, scores, normalised=self.normalised),
            scale=Scale(low=0 if self.normalised else -1, high=1),
            how=f"{self}: maximum likelihood of the best-worst answers, each as likely attentive as its annotator (EM, "
            f"{fit.rounds:,} rounds)",
            notes=(
                *notes,
                *oddities(answers, same="left out", repeated="the item is taken once"),
                *connection_notes(tuples, connection, prior=self.prior, where=judgements.name),
                *_clicker_notes(table, fit),
            ),
            annotators=table,
        )


def fitted_annotators(judgements: Judgements, *, prior: float = 0.1) -> pl.DataFrame:
    """The table of annotators alone: annotator, answers, attention, random_clicking.

    Raises:
        InputError: annotators are unnamed, or there is only one.
        EstimationError: no answer is possible under the model.
    """
    refuse_strays(judgements)
    possible = possible_tuples(last_answers(judgements).frame, judgements.name)
    people = _named(possible["annotator"], judgements.name)
    fit = fit_annotators(_listed(tuples_of(possible), possible["annotator"], people), prior=prior)
    return _table_of_annotators(possible["annotator"], people, fit)


def _named(annotator: pl.Series, where: str) -> pl.Series:
    unnamed = annotator.null_count()
    if unnamed:
        what = f"{counted(unnamed, 'answer')} by unnamed annotators"
        raise InputError(what, where=where, remedy="name the annotators, or use plackett-luce, which needs no names")
    people = annotator.unique(maintain_order=True)
    if len(people) < 2:
        what = f"only one annotator, '{people[0]}'"
        raise InputError(what, where=where, remedy="attention needs others to compare with; use plackett-luce")
    return people


def _listed(tuples: Tuples, annotator: pl.Series, people: pl.Series) -> ChoiceList:
    sets, set_of = np.unique(tuples.members, axis=0, return_inverse=True)
    return ChoiceList(
        members=np.maximum(sets, 0),
        is_member=sets >= 0,
        set_of=set_of.ravel(),
        best=tuples.best,
        worst=tuples.worst,
        annotator=numbered(annotator, people).to_numpy().astype(np.intp),
        options=len(tuples.ids),
        annotators=len(people),
    )


def _table_of_annotators(annotator: pl.Series, people: pl.Series, fit: AnnotatorFit) -> pl.DataFrame:
    number = np.bincount(numbered(annotator, people).to_numpy())
    return pl.DataFrame(
        {
            "annotator": people,
            "answers": number,
            "attention": fit.attention,
            "random_clicking": fit.random_clicking,
        }
    )


def _clicker_notes(table: pl.DataFrame, fit: AnnotatorFit) -> tuple[str, ...]:
    clickers = table.filter(pl.col("random_clicking") > CLICKER).sort("random_clicking", descending=True)
    notes = []
    if clickers.height:
        named = [f"{row[0]} ({row[1]:.2f})" for row in clickers.select("annotator", "random_clicking").iter_rows()]
        seems = agreeing(clickers.height, "annotator", "seems", "seem")
        notes.append(f"{seems} to click at random (probability): {listed(named, MOST_LISTED)}; --json lists all")
    if not fit.has_converged:
        notes.append(f"EM did not quite converge in {counted(fit.rounds, 'round')} (last change {fit.change:.1g})")
    return tuple(notes)
