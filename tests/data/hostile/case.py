"""A case: how a hostile or foreign file is made, through which door it goes, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

__all__ = ["Case", "Door", "Expected", "Make", "Reads", "Refuses"]

Door = Literal["benchmark", "judgements", "predictions", "task", "object", "columns"]
"""Where the data goes in.

benchmark: ``sim.read`` and ``similitude data show``. judgements: ``sim.read_judgements``, ``similitude reliability``
and ``similitude gold``. predictions: ``similitude measure gold.csv FILE``. task: ``open_task``. object: ``sim.read`` of
something in memory. columns: ``sim.Benchmark.from_columns``.
"""

Make = Callable[[Path], Any]
"""Makes the data in an empty folder; gives what the user would write: a path, several paths, or an object."""


@dataclass(frozen=True, kw_only=True)
class Reads:
    """The data is read, and these are the facts of the true reading. What is None or empty is not looked at.

    Attributes:
        items: the number of items.
        scores: the first scores; None where gold is hidden.
        hidden: how many items have no score.
        scale: the ends of the scale.
        origin: where the scale comes from.
        lefts: the first left texts.
        rights: the first right texts.
        ids: the first ids.
        kind: the kind of judgements or of task.
        answers: the number of judgements.
        raters: the names of annotators, sorted; an empty tuple if nobody is named.
        agreement: the beginning of the name of a figure in ``reliability`` to its value.
        gold: the scores of items in ``gold``.
        figures: measures to values, in ``measure``.
        sources: the first sources of items.
        says: patterns, each of which some note, warning or skipped row must match.
    """

    items: int | None = None
    scores: tuple[float | None, ...] = ()
    hidden: int | None = None
    scale: str | None = None
    origin: str | None = None
    lefts: tuple[str, ...] = ()
    rights: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    kind: str | None = None
    answers: int | None = None
    raters: tuple[str, ...] | None = None
    agreement: Mapping[str, float] = field(default_factory=dict)
    gold: Mapping[str, float] = field(default_factory=dict)
    figures: Mapping[str, float] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    says: tuple[str, ...] = ()


@dataclass(frozen=True, init=False)
class Refuses:
    """The data is refused with one line that names the file and holds these patterns: the place and the remedy.

    Attributes:
        patterns: what the line must hold, whatever the case of its letters.
        name: how the line names the data; by default the name of the file.
    """

    patterns: tuple[str, ...]
    name: str | None

    def __init__(self, *patterns: str, name: str | None = None) -> None:
        object.__setattr__(self, "patterns", patterns)
        object.__setattr__(self, "name", name)


Expected = Reads | Refuses


@dataclass(frozen=True, kw_only=True)
class Case:
    """One row of the table.

    Attributes:
        name: what is special about it.
        door: where it goes in.
        make: makes the data.
        expected: what must come of it.
        options: keyword arguments of the Python call; flags of the command line are made from them.
        apart: whether it runs in a process of its own, with limits, since it may hang or eat the memory.
        typed: what is written to standard input, for the name ``-``.
    """

    name: str
    door: Door
    make: Make
    expected: Expected
    options: Mapping[str, Any] = field(default_factory=dict)
    apart: bool = False
    typed: bytes = b""
