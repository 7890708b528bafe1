"""Whether a training reads the conditions of its items: those of all items, or of none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, InputError
from similitude.systems.encoders.input_text import with_condition
from similitude.systems.evidence import system_of

__all__ = ["ReadConditions", "Reading", "check_evidence", "check_unlabelled", "read_conditions"]

Reading = Literal["auto", "all", "sentences"]


class ReadConditions(NamedTuple):
    """Whether conditions are read.

    Attributes:
        are_read: whether the model reads the condition of each item.
        are_ignored: whether items have conditions that are not read.
        notes: what the user should know.
    """

    are_read: bool
    are_ignored: bool = False
    notes: tuple[str, ...] = ()


def read_conditions(reads: Reading, benchmarks: Sequence[Benchmark]) -> ReadConditions:
    """Decide whether conditions are read.

    Args:
        reads: auto: if the items have them. all: they must have them. sentences: never.
        benchmarks: all items that are learned from and validated on; items without gold do not count.

    Raises:
        InputError: conditions are to be read, and some items have none; or nothing is said, and only some have one.

    >>> plain = Benchmark.from_columns("plain", left=["a"], right=["b"], score=[1.0], scale="0..1")
    >>> read_conditions("auto", [plain]).are_read
    False
    """
    has_gold = pl.col("score").is_not_null()
    known = [(benchmark.name, benchmark.frame.filter(has_gold)) for benchmark in benchmarks]
    total = sum(frame.height for _, frame in known)
    without = [(name, item) for name, frame in known for item in frame.filter(~_HAS_ONE)["id"].to_list()]
    there = total - len(without)
    if reads == "sentences" or (not there and reads == "auto"):
        note = f"the conditions of {there:,} of {total:,} items are not read (--reads sentences)"
        return ReadConditions(False, there > 0, (note,) if there else ())
    if without:
        raise _some_lack_one(reads, without, total)
    return ReadConditions(True, notes=(f"the condition of each of the {total:,} items is read",))


_HAS_ONE = pl.col("condition").fill_null("").str.strip_chars() != ""


def _some_lack_one(reads: Reading, without: Sequence[tuple[str, str]], total: int) -> InputError:
    where, first = without[0]
    what = f"{len(without):,} of {total:,} items have no condition (first: '{first}')"
    others = ", but the others have one" if reads == "auto" else ""
    remedy = "add the conditions, or ignore those that are there: --reads sentences"
    return InputError(f"{what}{others}", where=where, remedy=remedy)


def check_unlabelled(reads: Reading, read: ReadConditions, unlabelled: Benchmark) -> None:
    """Check that the pairs for a teacher have no conditions that nobody would read.

    Raises:
        InputError: they have some, the items have none, and nothing is said about it.
    """
    there = unlabelled.frame.filter(_HAS_ONE).height
    if there and reads != "sentences" and not read.are_read:
        raise InputError(
            f"{there:,} of {len(unlabelled):,} unlabelled pairs have a condition, but the rated items have none",
            where=unlabelled.name,
            remedy="ignore the conditions: --reads sentences",
        )


def check_evidence(read: ReadConditions, written: Sequence[str]) -> tuple[str, ...]:
    """Check that no source of evidence reads conditions that the model ignores.

    Returns:
        For the user: which sources compare the sentences alone, although the model reads conditions.

    Raises:
        ArgumentError: a source reads conditions that are to be ignored.
        UnknownNameError: there is no such source.
    """
    systems = {one: system_of(one) for one in written} if read.are_read or read.are_ignored else {}
    notes = []
    for one, system in systems.items():
        reads_it = system is not None and "condition" in system.reads
        if read.are_ignored and reads_it:
            raise ArgumentError(
                f"evidence '{one}' reads conditions, which --reads sentences ignores",
                remedy="omit --reads sentences, or use evidence that compares the sentences alone",
            )
        if read.are_read and not reads_it:
            other = None if system is None else with_condition(system)
            instead = "" if other is None else f"; {other.identity} reads it"
            notes.append(f"evidence '{one}' compares the sentences without the condition{instead}")
    return tuple(notes)
