"""The scale that people rate on: its ends, its step, and what its numbers mean."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from similitude.collect.annotation.interface_languages import Language

__all__ = ["RatingScale", "written_number"]

MOST_STEPS = 1e9
"""A scale with more steps than this is a slip of the pen."""


class RatingScale(BaseModel):
    """A scale of ratings, as ``[scale]`` in a study declares it.

    Attributes:
        low: the lowest number.
        high: the highest number.
        step: with 1 the page has a button for every number; with a finer step it has a slider and a field.
        labels: what numbers mean: ``{"0": "nothing in common", ...}``, or one such table per language:
            ``{"de": {"0": ...}}``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    low: float = 0
    high: float = 5
    step: Annotated[float, Field(gt=0)] = 1
    labels: dict[str, str] | dict[Language, dict[str, str]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self) -> RatingScale:
        if not self.low < self.high:
            raise ValueError(f"low ({self.low:g}) is not below high ({self.high:g})")
        steps = (self.high - self.low) / self.step
        if not 1 <= steps < MOST_STEPS or abs(steps - round(steps)) > 1e-6:
            raise ValueError(f"step {self.step:g} does not lead from {self.low:g} to {self.high:g}")
        for number in (number for labels in self._by_language().values() for number in labels):
            if not _is_on(number, self.low, self.high):
                raise ValueError(f"label for '{number}', which is not on the scale")
        return self

    @property
    def points(self) -> tuple[float, ...]:
        """Every number on the scale, low to high."""
        steps = round((self.high - self.low) / self.step)
        return tuple(round(self.low + number * self.step, 10) for number in range(steps + 1))

    def labelled(self, language: str) -> dict[float, str]:
        """What numbers mean in this language, or in the first language that has labels."""
        by_language = self._by_language()
        chosen = by_language.get(language) or next(iter(by_language.values()), {})
        return {float(number): text for number, text in chosen.items()}

    def in_words(self, value: float, language: str) -> str:
        """A number with its label.

        >>> RatingScale(labels={"4": "mostly the same"}).in_words(4.0, "en")
        '4 (mostly the same)'
        """
        label = self.labelled(language).get(float(value), "")
        return f"{written_number(value)} ({label})" if label else written_number(value)

    def _by_language(self) -> dict[str, dict[str, str]]:
        nested = {name: texts for name, texts in self.labels.items() if isinstance(texts, dict)}
        plain = {number: text for number, text in self.labels.items() if isinstance(text, str)}
        return {**nested} if nested else {"": plain} if plain else {}


def written_number(value: float) -> str:
    """A number without needless digits.

    >>> written_number(3.0), written_number(2.5)
    ('3', '2.5')
    """
    return f"{value:.10g}"


def _is_on(number: str, low: float, high: float) -> bool:
    try:
        return low <= float(number) <= high
    except ValueError:
        return False
