"""Best-worst answers as arrays: the tuple of each answer, and the items it names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, question_of_items
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import numbered, refuse_strays
from similitude.stats.arrays import Integers

__all__ = ["TupleAnswers", "name_ranks"]


@dataclass(frozen=True, kw_only=True, eq=False)
class TupleAnswers:
    """Best-worst answers, each with the number of its tuple and of the items named.

    A tuple is a question; if a file names none, the set of items (see `question_of_items`). Of several
    answers of one named annotator to one question the last counts; all unnamed answers count.

    Attributes:
        items: item ids, numbered in order of first appearance.
        tuples: the questions, numbered likewise.
        tuple_of: the tuple of each answer.
        best: the item that each answer names best.
        worst: the item that each answer names worst.
        shown: the items shown, answer after answer, repetitions included.
        shown_in: the answer to which each of them belongs.
        notes: what was left out, and why.
    """

    items: list[str]
    tuples: list[str]
    tuple_of: Integers
    best: Integers
    worst: Integers
    shown: Integers
    shown_in: Integers
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, judgements: Judgements) -> TupleAnswers:
        """The answers of these judgements.

        Raises:
            ArgumentError: they are ratings.
            InputError: an answer names an item that its tuple does not show, or two answers to one question were shown
                different items.
        """
        if judgements.kind != "best-worst":
            given = "ratings" if judgements.kind == "rating" else "categories"
            what = f"these are {given}; only best-worst answers are about tuples"
            raise ArgumentError(what, where=judgements.name, remedy="pass best-worst answers")
        refuse_strays(judgements)
        if _may_differ(judgements):
            _refuse_other_items(judgements)
        counted = last_answers(judgements)
        answers, ids = counted.frame, pl.Series(judgements.judged)
        names = answers["question"].unique(maintain_order=True)
        shown = answers.select("items").with_row_index("answer").explode("items")
        return cls(
            items=judgements.judged,
            tuples=names.to_list(),
            tuple_of=_integers(numbered(answers["question"], names)),
            best=_integers(numbered(answers["best"], ids)),
            worst=_integers(numbered(answers["worst"], ids)),
            shown=_integers(numbered(shown["items"], ids)),
            shown_in=_integers(shown["answer"]),
            notes=counted.notes,
        )

    @cached_property
    def sizes(self) -> Integers:
        """Answers per tuple."""
        return np.bincount(self.tuple_of)

    def shown_in_tuples(self, tuples: Integers) -> tuple[Integers, Integers]:
        """What these tuples show: the place of a tuple among them, and an item; each pair of both once."""
        _, first = np.unique(self.tuple_of, return_index=True)
        _, tuple_, item = self._places_of(first[tuples])
        items = np.int64(len(self.items))
        keys = np.unique(np.searchsorted(tuples, tuple_) * items + item)
        return keys // items, keys % items

    def places(self, named: Integers) -> Integers:
        """The places of the named items in their tuples, from 0, in the order shown in the tuple's first answer.

        Annotators may see different orders; a single order per tuple makes answers comparable. A repeated item has its
        first place.
        """
        _, first = np.unique(self.tuple_of, return_index=True)
        place, tuple_, item = self._places_of(first)
        items = np.int64(len(self.items))
        keys, at = np.unique(tuple_ * items + item, return_index=True)
        return np.asarray(place[at][np.searchsorted(keys, self.tuple_of * items + named)])

    def _places_of(self, answers: Integers) -> tuple[Integers, Integers, Integers]:
        """Place, tuple and item of everything that these answers show."""
        counts = np.bincount(self.shown_in)
        place = np.arange(self.shown.size) - np.repeat(np.cumsum(counts) - counts, counts)
        is_asked = np.zeros(self.tuple_of.size, dtype=np.bool_)
        is_asked[answers] = True
        chosen = is_asked[self.shown_in]
        return place[chosen], self.tuple_of[self.shown_in[chosen]], self.shown[chosen]


def _may_differ(judgements: Judgements) -> bool:
    """Whether two answers to one question may have been shown different items.

    Items have random numbers, whose sum does not depend on their order. Sums that are the same for all answers to a
    question belong to the same items, but for one chance in 2^60.
    """
    frame, ids = judgements.frame, pl.Series(judgements.judged)
    draws = np.random.default_rng(0).integers(2**62, size=len(ids), dtype=np.uint64)
    sizes = _integers(frame["items"].list.len())
    shown = _integers(numbered(frame["items"].explode(), ids))
    sums = np.add.reduceat(draws[shown], np.cumsum(sizes) - sizes)
    seen = pl.DataFrame({"question": frame["question"], "sum": sums, "size": sizes}).unique()
    return seen.height > seen["question"].n_unique()


def _refuse_other_items(judgements: Judgements) -> None:
    shown = judgements.frame.select("question", shown=question_of_items(pl.col("items"))).unique(maintain_order=True)
    mixed = shown.filter(pl.col("question").is_duplicated())
    if mixed.height:
        question = mixed["question"][0]
        one, other = mixed.filter(pl.col("question") == question)["shown"][:2]
        what = f"question '{question}' shows different items in different answers, such as {one} and {other}"
        remedy = "give every tuple a question of its own, or leave the questions out"
        raise InputError(what, where=judgements.name, remedy=remedy)


def _integers(numbers: pl.Series) -> Integers:
    return numbers.to_numpy().astype(np.intp)


def name_ranks(names: list[str]) -> Integers:
    """The place of each name in alphabetical order; names differ.

    >>> name_ranks(["b", "c", "a"])
    array([1, 2, 0])
    """
    return _integers(pl.Series(names, dtype=pl.String).rank("ordinal")) - 1
