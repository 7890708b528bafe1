"""Statistics of a language model's answers: how many could be parsed, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from similitude.data.read_answer import ReadAnswer
from similitude.models.language.protocol import ModelAnswer

__all__ = ["CUT", "AnswerTally"]

CUT = "length"
"""The finish reason of an answer that was cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTally:
    """Counts over answers.

    Attributes:
        answers: the number of answers.
        invalid: without a number on the scale (or a letter); these were replaced.
        off_scale: with a number off the scale, which the papers' templates keep.
        prose: with words or other numbers around a score on the scale.
        cut: cut at the maximum length.
        empty: empty; these are invalid too.
        prompt_tokens: tokens read for all answers, including cached ones.
        answer_tokens: tokens written for all answers.
    """

    answers: int = 0
    invalid: int = 0
    off_scale: int = 0
    prose: int = 0
    cut: int = 0
    empty: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    @classmethod
    def of(cls, answers: Sequence[ModelAnswer], read: Iterable[ReadAnswer]) -> AnswerTally:
        """Count answers that were read, in the same order; each counts under one kind."""
        kinds = Counter(one.kind for one in read)
        return cls(
            answers=len(answers),
            invalid=kinds["none"],
            off_scale=kinds["off_scale"],
            prose=kinds["prose"],
            cut=sum(answer.finish == CUT for answer in answers),
            empty=sum(not answer.text.strip() for answer in answers),
            prompt_tokens=sum(answer.prompt_tokens for answer in answers),
            answer_tokens=sum(answer.answer_tokens for answer in answers),
        )

    def __add__(self, other: AnswerTally) -> AnswerTally:
        return AnswerTally(
            **{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(AnswerTally)}
        )

    def share(self, name: str) -> float:
        """The share of answers that a count represents; nan if there are no answers.

        >>> AnswerTally(answers=8, invalid=1).share("invalid")
        0.125
        """
        return float(getattr(self, name)) / self.answers if self.answers else float("nan")

    def notes(
        self, invalid: str = "contained no number on the scale and were replaced by a random draw from the scale"
    ) -> Iterator[str]:
        """Notes for the user; none if all answers are fine.

        Args:
            invalid: the description of invalid answers.
        """
        told = (
            ("invalid", invalid),
            ("off_scale", "contained a number off the scale, which was kept, as in the paper"),
            ("prose", "contained words or other numbers around the score"),
            ("cut", "were cut at the maximum length (longest=...)"),
        )
        for name, what in told:
            count = getattr(self, name)
            if count:
                empty = f" ({self.empty:,} were empty)" if name == "invalid" and self.empty else ""
                yield f"{count:,} of {self.answers:,} answers ({100 * count / self.answers:.3g} %) {what}{empty}"
