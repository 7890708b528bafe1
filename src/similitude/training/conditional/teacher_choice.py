"""A teacher of a similarity model and the items that it labels, as users ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from similitude.errors import ArgumentError
from similitude.training.conditional.cross_fit import CrossFit
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.similarity_teaching import TAUGHT_WEIGHT, SimilarityTeaching
from similitude.training.teacher_choice import NEW_PAIRS_AN_ITEM, TeacherChoice

__all__ = ["ConditionTeacher", "ScoreTeacher"]

NEW_CONDITIONS_AN_ITEM: Final = 4
"""How many new conditions a teacher labels for each item of the data, if nobody says how many."""
PAIRS_UNDER_CONDITIONS: Final = 2
"""How many new pairs, each under two conditions, for each item of the data."""


@dataclass(frozen=True, kw_only=True)
class ScoreTeacher(TeacherChoice):
    """A teacher of scores, and the pairs that it labels.

    Attributes:
        teacher: a system that labels items nobody rated, to be learned from as well; it needs no sigma.
        taught_weight: the weight of an item that the teacher labelled; one that people rated has 1.
    """

    taught_weight: float = TAUGHT_WEIGHT

    def applied(self, request: SimilarityRequest, cross_fit: CrossFit, items: int) -> SimilarityRequest:
        """The request with this teacher, or with cross-fitted ones, or with none.

        Args:
            request: the model.
            cross_fit: the other kind of teachers, and the weight of either kind.
            items: the number of items to learn from.

        Raises:
            ArgumentError: there are both kinds of teachers, or options of a teacher and no teacher.
        """
        if self.teacher is None:
            self._check_unused()
            return cross_fit.applied(request)
        if cross_fit.cross_fit:
            raise ArgumentError(
                "--teacher and --cross-fit are two kinds of teachers", remedy="use one of the two, or pool their models"
            )
        return replace(request, teaching=self.teaching(self.teacher, cross_fit.teacher_weight, items))

    def teaching(self, teacher: str, blend: float, items: int) -> SimilarityTeaching:
        """The teacher with the number of new pairs; by default 8 per item or all, or none if pairs are given."""
        usual = 0 if self.unlabelled is not None else NEW_PAIRS_AN_ITEM * items
        pairs = usual if self.new_pairs is None else self.new_pairs
        return SimilarityTeaching(
            teacher=teacher, pairs=pairs, fewer_pairs=self.new_pairs is None, blend=blend, weight=self.taught_weight
        )

    def _unused(self) -> Mapping[str, Any]:
        """The options that need a teacher, where they are given."""
        weight = None if self.taught_weight == TAUGHT_WEIGHT else self.taught_weight
        return {"--new-pairs": self.new_pairs, "--unlabelled": self.unlabelled, "--taught-weight": weight}

    def _check_unused(self) -> None:
        for option, value in self._unused().items():
            if value is not None:
                raise ArgumentError(f"{option} is for a teacher", remedy=f"give --teacher SYSTEM, or omit {option}")


@dataclass(frozen=True, kw_only=True)
class ConditionTeacher(ScoreTeacher):
    """A teacher of scores under conditions, and the items that it labels.

    Attributes:
        new_conditions: new conditions for rated pairs. By default 4 per item, or all there are; a language model
            writes 2 per pair.
        new_pairs: pairs to make from the texts of DATA, each under two known conditions. By default 2 per item, or
            all there are.
        conditions_from: where new conditions come from: a file of conditions (.txt), or a language model that writes
            them. By default other items.
    """

    new_conditions: int | None = None
    conditions_from: str | None = None

    def teaching(self, teacher: str, blend: float, items: int) -> SimilarityTeaching:
        """The teacher with the numbers of new conditions and new pairs; by default none if items are given."""
        is_usual = self.unlabelled is None
        usual = NEW_CONDITIONS_AN_ITEM * items * (is_usual or self.conditions_from is not None)
        asked = SimilarityTeaching(
            teacher=teacher,
            conditions=usual if self.new_conditions is None else self.new_conditions,
            pairs=PAIRS_UNDER_CONDITIONS * items * is_usual if self.new_pairs is None else self.new_pairs,
            fewer_conditions=self.new_conditions is None,
            fewer_pairs=self.new_pairs is None,
            conditions_from=self.conditions_from,
            blend=blend,
            weight=self.taught_weight,
        )
        writes_all = asked.language_model is not None and self.new_conditions is None
        return replace(asked, conditions=None) if writes_all else asked

    def _unused(self) -> Mapping[str, Any]:
        own = {"--new-conditions": self.new_conditions, "--conditions-from": self.conditions_from}
        return {**super()._unused(), **own}
