"""A teacher and the pairs that it labels, as users ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from similitude.errors import ArgumentError
from similitude.training.teacher import Teaching

__all__ = ["NEW_PAIRS_AN_ITEM", "TeacherChoice"]

NEW_PAIRS_AN_ITEM: Final = 8
"""How many new pairs a teacher labels for each item of the data, if nobody says how many."""


@dataclass(frozen=True, kw_only=True)
class TeacherChoice:
    """A teacher, and the pairs that it labels.

    Attributes:
        teacher: a system that labels pairs nobody rated, to be learned from as well.
        new_pairs: pairs to make from the texts of DATA for the teacher. By default 8 per item, or all
            there are.
        unlabelled: pairs of your own for the teacher to label.
    """

    teacher: str | None = None
    new_pairs: int | None = None
    unlabelled: Any = None

    def asked(self, items: int) -> Teaching | None:
        """The teacher and how many new pairs it labels; None for no teacher.

        Raises:
            ArgumentError: there are pairs for a teacher, and no teacher.
        """
        if self.teacher is not None:
            usual = 0 if self.unlabelled is not None else NEW_PAIRS_AN_ITEM * items
            if self.new_pairs is None:
                return Teaching(self.teacher, usual, fewer_pairs=True)
            return Teaching(self.teacher, self.new_pairs)
        for option, value in {"--new-pairs": self.new_pairs, "--unlabelled": self.unlabelled}.items():
            if value is not None:
                raise ArgumentError(f"{option} is for a teacher", remedy=f"give --teacher SYSTEM, or omit {option}")
        return None
