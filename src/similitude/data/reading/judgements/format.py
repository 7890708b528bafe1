"""File formats of judgements, and their registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from similitude.data.judgements import Kind
from similitude.data.reading.format import BenchmarkSource, FileFormat, described, lacks_of_format
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.problems import OnError
from similitude.data.scale import Scale
from similitude.registry import Maker, Registry

__all__ = [
    "JUDGEMENT_FORMATS",
    "AnswersAre",
    "JudgementFormat",
    "JudgementSource",
    "KindRequest",
    "describe_judgement_formats",
]

KindRequest = Kind | Literal["counts", "table"]
"""The kinds that a user can ask for; counts are numbers of answers in each category of each item, and a table is a
cross table of the answers of two raters: both become answers."""

AnswersAre = Literal["names", "positions"]
"""What best-worst answers are: names of items, or positions in the tuple."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementSource(BenchmarkSource):
    """What a format of judgements is to read.

    Attributes:
        kind: the kind of answers that the user asked for.
        scale: the scale that the user declared.
        on_error: what to do with bad rows, for formats that call another reader.
        positions_from: whether positions in a tuple count from 0 or from 1, if the user said so; found out by default.
        answers_are: whether best and worst are names of items or positions, if the user said so; found out by default.
        where: columns to values; rows with other values are left out.
        positions_are_people: whether the first rating in every list is by one person, the second by another, and so on.
        annotator_per_file: whether each file holds the answers of one annotator, whom the name of the file names.
        categories: the categories in order, lowest first, if the user named them; answers in words then become ratings.
    """

    kind: KindRequest | None = None
    scale: Scale | None = None
    on_error: OnError = "stop"
    positions_from: int | None = None
    answers_are: AnswersAre | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    positions_are_people: bool = False
    annotator_per_file: bool = False
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFormat(FileFormat):
    """A file format of judgements.

    Attributes:
        answers: reads the answers, those of each file apart.
    """

    answers: Callable[[JudgementSource], Sequence[Answers]]


def _lacks(name: str, maker: Maker) -> Iterator[str]:
    return lacks_of_format(name, maker, JudgementFormat, "answers")


JUDGEMENT_FORMATS: Registry[JudgementFormat] = Registry(
    "format of judgements",
    "similitude.judgement_formats",
    contract=_lacks,
    priority=lambda maker: float(maker().priority),
)
"""All formats of judgements, in descending order of priority. Other packages add formats with entry points."""


def describe_judgement_formats() -> list[tuple[str, str, str]]:
    """Name, mark of recognition and summary of every format of judgements."""
    return described(JUDGEMENT_FORMATS)
