"""A teacher of a similarity model: the items that it labels, and how much its labels count against people's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from similitude.errors import ArgumentError
from similitude.training.fold_teachers import DEFAULT_WEIGHT
from similitude.training.objectives import Objective, check_weighable

__all__ = ["TAUGHT_WEIGHT", "SimilarityTeaching"]

TAUGHT_WEIGHT = 1.0
"""The default weight of an item that the teacher labelled; one that people rated has 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityTeaching:
    """A teacher of scores.

    Attributes:
        teacher: a system with a range, as a user writes it.
        conditions: the number of new conditions for rated pairs, each of which makes one item; None for two for each
            pair, by a language model.
        pairs: the number of new pairs; where the data has conditions, each stands under two.
        fewer_conditions: whether all that there are will do, because nobody asked for a number.
        fewer_pairs: likewise.
        conditions_from: where new conditions come from: a file of conditions (.txt), or a language model that writes
            them; None for those of the data.
        blend: the weight of the teacher's scores in the targets of rated items; gold has the rest.
        weight: of an item that the teacher labelled, in the loss; one that people rated has 1.
    """

    teacher: str
    conditions: int | None = 0
    pairs: int = 0
    fewer_conditions: bool = False
    fewer_pairs: bool = False
    conditions_from: str | None = None
    blend: float = DEFAULT_WEIGHT
    weight: float = TAUGHT_WEIGHT

    def __post_init__(self) -> None:
        for option, number in {"--new-conditions": self.conditions, "--new-pairs": self.pairs}.items():
            if number is not None and number < 0:
                raise ArgumentError(f"{option} {number:,} is not valid", remedy="give 0 or more")
        if self.conditions_from is not None and self.conditions == 0:
            what = f"--conditions-from {self.conditions_from} has no effect with --new-conditions 0"
            raise ArgumentError(what, remedy="omit one of the two")
        if not 0 <= self.blend <= 1:
            raise ArgumentError(f"teacher-weight {self.blend:g} is not valid", remedy="give a weight from 0 to 1")
        if not 0 < self.weight < float("inf"):
            raise ArgumentError(
                f"taught-weight {self.weight:g} is not valid", remedy="give a weight above 0, such as 1"
            )

    @property
    def wants_new(self) -> bool:
        """Whether new conditions or new pairs are wanted."""
        return self.conditions is None or self.conditions + self.pairs > 0

    @property
    def conditions_file(self) -> str | None:
        """The file of conditions; None if there is none."""
        given = self.conditions_from
        return given if given is not None and given.lower().endswith(".txt") else None

    @property
    def language_model(self) -> str | None:
        """The language model that writes conditions, as a user writes it; None if there is none."""
        return None if self.conditions_file is not None else self.conditions_from

    def check(self, objective: Objective) -> None:
        """Check that an objective can use a teacher's scores.

        Raises:
            ArgumentError: it depends on order alone, or cannot weigh items.
        """
        if not objective.uses_values:
            raise ArgumentError(
                "objective quad cannot use a teacher: it depends only on which gold is higher",
                remedy="use --objective quad+mse or mse, or omit --teacher",
            )
        if self.weight != 1:
            check_weighable(objective, f"--taught-weight {self.weight:g}")

    def record(self) -> dict[str, Any]:
        """The numbers that shape labels and loss, ready for JSON."""
        return {
            "new_conditions": self.conditions,
            "new_pairs": self.pairs,
            "conditions_from": self.conditions_from,
            "teacher_weight": self.blend,
            "taught_weight": self.weight,
        }
