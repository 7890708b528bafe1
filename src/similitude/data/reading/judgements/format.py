"""What a format of judgements is, and the registry of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from similitude.data.judgements import Kind
from similitude.data.reading.format import BenchmarkSource, lacks_of_format
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.sniffer import Sniffer
from similitude.data.scale import Scale
from similitude.registry import Maker, Registry

__all__ = ["JUDGEMENT_FORMATS", "JudgementFormat", "JudgementSource", "OnError", "describe_judgement_formats"]

OnError = Literal["stop", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementSource(BenchmarkSource):
    """What a format is asked to read.

    Attributes:
        kind: the kind of answers wanted, where the user said.
        scale: the scale that the user declared.
        on_error: what is to become of bad rows, for formats that read through another reader.
    """

    kind: Kind | None = None
    scale: Scale | None = None
    on_error: OnError = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFormat:
    """A layout of files of judgements that we can read.

    Attributes:
        name: as registered.
        summary: one line for listings.
        recognised: how files of this format are told from others, in words.
        fits: whether a file or folder looks like one of them.
        answers: reads its answers; several where it stands for several files.
        priority: a file is compared with formats from the highest on; `GENERAL` for those that fit files of many kinds.
    """

    name: str
    summary: str
    recognised: str
    fits: Callable[[Sniffer], bool]
    answers: Callable[[JudgementSource], Sequence[Answers]]
    priority: float = 0.0


def _lacks(name: str, maker: Maker) -> Iterator[str]:
    return lacks_of_format(name, maker, JudgementFormat, "answers")


JUDGEMENT_FORMATS: Registry[JudgementFormat] = Registry(
    "format of judgements",
    "similitude.judgement_formats",
    contract=_lacks,
    priority=lambda maker: float(maker().priority),
)
"""Every format, by priority: the order in which a file is compared with them. Other packages join by entry points."""


def describe_judgement_formats() -> list[tuple[str, str, str]]:
    """Name, how it is recognised, and what it is, of every format of judgements."""
    formats = [maker() for maker in JUDGEMENT_FORMATS.listed().makers.values()]
    return [(each.name, each.recognised, each.summary) for each in formats]
