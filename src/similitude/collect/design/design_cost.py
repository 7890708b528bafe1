"""The cost of making a design, estimated before it is made: tuples, answers, time and memory."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from similitude.collect.design.balance_pairs import PATIENCE, most_steps
from similitude.collect.design.levels import MeetingLevels
from similitude.collect.design.pattern import FEW_ITEMS
from similitude.collect.design.plural import tuple_name
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["LONGEST_SECONDS", "MOST_BYTES", "DesignCost", "design_cost"]

LONGEST_SECONDS, MOST_BYTES = 120.0, 2e9
"""A design that costs more is refused, unless it is asked for as a large one."""
SECONDS_A_TUPLE, SECONDS_A_STEP, SECONDS_A_MEETING, SECONDS_A_FAULT = 4e-5, 5e-4, 4e-9, 3e-4
"""Measured on one core of a server of 2023; rough, because the search ends early where pairs are easy to balance."""
BYTES_A_PLACE = 350


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignCost:
    """The cost of making a design.

    Attributes:
        tuples: the number of tuples.
        size: items per tuple.
        seconds: about how long it takes.
        bytes: about how much memory it takes.
    """

    tuples: int
    size: int
    seconds: float
    bytes: float

    @property
    def is_large(self) -> bool:
        """Whether the design takes minutes, or more memory than a usual computer spares."""
        return self.seconds > LONGEST_SECONDS or self.bytes > MOST_BYTES

    def __str__(self) -> str:
        return f"about {_duration(self.seconds)} and {self.bytes / 1e9:,.1f} GB"

    def refuse_large(self, *, per_question: int | None = None) -> None:
        """Refuse a large design.

        Raises:
            ArgumentError: the design is large; the message has the estimate.
        """
        if self.is_large:
            asked = "" if per_question is None else f" with {self.tuples * per_question:,} answers"
            what = f"{counted(self.tuples, tuple_name(self.size))}{asked} take {self} to plan"
            fewer = "ask for fewer (--factor 2 is usual; --per-item, --tuples)"
            raise ArgumentError(what, remedy=f"{fewer}, or plan them anyway with --large")


def design_cost(parts: Iterable[tuple[int, int]], size: int) -> DesignCost:
    """Estimate the cost of a design.

    Args:
        parts: the number of items and of tuples of each group; groups with the same number of items share a pattern.
        size: items per tuple.

    >>> print(design_cost([(1000, 25_000_000)], 4))
    about 50 minutes and 35.0 GB
    >>> design_cost([(6000, 12_000)], 4).is_large
    False
    """
    counts = Counter(parts)
    tuples = sum(number * times for (_, number), times in counts.items())
    seconds = SECONDS_A_TUPLE * tuples + sum(_search_seconds(items, size, number) for items, number in counts)
    return DesignCost(tuples=tuples, size=size, seconds=seconds, bytes=float(BYTES_A_PLACE * size * tuples))


def _search_seconds(items: int, size: int, tuples: int) -> float:
    """The time to balance pairs; of more than half of all tuples, those that are left out are searched for."""
    every = comb(items, size)
    wanted = min(tuples, every - tuples)
    if wanted == 0:
        return SECONDS_A_TUPLE * every
    levels = MeetingLevels(items=items, size=size, tuples=wanted)
    faults = _faults(levels)
    if items > FEW_ITEMS:
        return SECONDS_A_FAULT * faults
    steps = min(most_steps(wanted), 2 * faults + PATIENCE)
    listed = SECONDS_A_TUPLE * every if wanted < tuples else 0.0
    return listed + steps * (SECONDS_A_STEP + SECONDS_A_MEETING * items**2)


def _faults(levels: MeetingLevels) -> float:
    """Meetings above the ceiling or missing below the floor that random tuples have; meetings are about Poisson."""
    ideal, far = levels.ideal, math.ceil(levels.ideal + 10 * math.sqrt(levels.ideal) + 10)
    if ideal > 700:  # exp(-ideal) would vanish; the mean distance of a Gaussian from its mean
        return comb(levels.items, 2) * math.sqrt(2 * ideal / math.pi)
    chance, expected = math.exp(-ideal), 0.0
    for met in range(far):
        expected += chance * (max(met - levels.ceiling, 0) + max(levels.floor - met, 0))
        chance *= ideal / (met + 1)
    return comb(levels.items, 2) * expected


def _duration(seconds: float) -> str:
    for unit, length in (("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return counted(round(seconds / length), unit)
    return counted(max(1, round(seconds)), "second")
