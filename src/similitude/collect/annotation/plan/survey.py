"""The survey of a study: questions about the person, before and after the work."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from similitude.collect.annotation.interface_languages import Language
from similitude.collect.annotation.rating_scale import RatingScale

__all__ = ["AGE_BANDS", "Survey", "SurveyKind", "SurveyPart", "SurveyQuestion"]

SurveyKind = Literal["age", "language", "text", "choice", "choices", "number", "likert"]
SurveyPart = Literal["before", "after"]
AGE_BANDS = ("18-24", "25-34", "35-44", "45-54", "55-64", "65+", "-")
"""The bands of ages; "-" is the wish not to say."""
Written = str | dict[Language, str]
Listed = tuple[str, ...] | dict[Language, tuple[str, ...]]


class _Part(BaseModel):
    """A part of the plan. It is frozen, and unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SurveyQuestion(_Part):
    """One question of a survey.

    Attributes:
        id: its name in the export.
        kind: age (bands), language (one's own), text, choice (one option), choices (any number of options), number,
        likert (a labelled scale).
        text: the question, one for all languages or one per language.
        options: for choice and choices, one list for all languages or one list per language, in the same order. The
        export has the option in the first language.
        required: whether an answer is needed to go on.
        low: the least number.
        high: the greatest number.
        scale: for likert; 1 to 5 if it is left out.
        longest: characters of a text.
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z][\w-]{0,49}$")]
    kind: SurveyKind
    text: Written
    options: Listed = ()
    required: bool = False
    low: float | None = None
    high: float | None = None
    scale: RatingScale | None = None
    longest: Annotated[int, Field(ge=1, le=10_000)] = 1000

    @model_validator(mode="after")
    def _fits(self) -> SurveyQuestion:
        lists = list(self.options.values()) if isinstance(self.options, dict) else [self.options]
        chooses = self.kind in ("choice", "choices")
        if chooses and any(len(each) < 2 or len(set(each)) < len(each) for each in lists):
            raise ValueError(f"a {self.kind} needs two or more different options")
        if len({len(each) for each in lists}) > 1:
            raise ValueError("every language needs the same options, in the same order")
        for name, fits in (("options", chooses), ("low", self.kind == "number"), ("high", self.kind == "number")):
            if not fits and getattr(self, name) not in (None, ()):
                raise ValueError(f"{name} has no meaning for a question of kind {self.kind}")
        if self.scale is not None and (self.kind != "likert" or self.scale.step != 1):
            raise ValueError("scale is for a question of kind likert, and has whole steps")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(f"low ({self.low:g}) is not below high ({self.high:g})")
        if not self.text or any(not words.strip() for words in self._texts()):
            raise ValueError("the text is empty")
        return self

    def _texts(self) -> list[str]:
        return [self.text] if isinstance(self.text, str) else list(self.text.values())

    def asked(self, language: str) -> str:
        """The question in a language, or in the first that it has."""
        if isinstance(self.text, str):
            return self.text
        return self.text.get(language) or next(iter(self.text.values()))

    def choices(self, language: str) -> list[tuple[str, str]]:
        """The options: the value that is kept, and the words in a language."""
        if not isinstance(self.options, dict):
            return [(each, each) for each in self.options]
        kept = next(iter(self.options.values()), ())
        return list(zip(kept, self.options.get(language, kept), strict=True))

    @property
    def likert(self) -> RatingScale:
        """The scale of a likert question."""
        return self.scale or RatingScale(low=1, high=5)


class Survey(_Part):
    """A page of questions before the work, and one after it.

    Attributes:
        before: asked after the consent.
        after: asked at the end, before the completion code.
        consent: what is said above the questions, by language: why they are asked, and what becomes of the answers.
    """

    before: tuple[SurveyQuestion, ...] = ()
    after: tuple[SurveyQuestion, ...] = ()
    consent: dict[Language, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _named_once(self) -> Survey:
        names = [each.id for each in (*self.before, *self.after)]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"two questions are called '{twice[0]}'")
        return self

    def part(self, name: SurveyPart) -> tuple[SurveyQuestion, ...]:
        """The questions of one page."""
        return self.before if name == "before" else self.after

    def said(self, language: str) -> str:
        """What is said above the questions; empty where the study says nothing of its own."""
        return self.consent.get(language) or next(iter(self.consent.values()), "")
