"""Whether a function takes one pair or two lists, found by calling it on a few real pairs.

It is called once with three pairs as lists. One number, an error, or anything that is not three numbers means that it
takes pairs: a function that compares two texts as sequences gives one number for two lists. Three numbers mean lists,
unless the function also gives a number for one pair, and another one than in the list: then both readings are
possible, and the user must say which one is meant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from similitude.errors import ArgumentError
from similitude.systems.objects.function_signature import Takes
from similitude.systems.score_numbers import NotNumbersError, one_number, score_numbers

__all__ = ["Pair", "Reading", "reading_of"]

PROBES = 3
"""So many pairs: a function that returns two numbers for any two texts is not taken for one of lists."""


class Pair(NamedTuple):
    """A pair, with what else the function reads of it."""

    left: str
    right: str
    extra: tuple[Any, ...] = ()


class Reading(NamedTuple):
    """How a function is to be called.

    Attributes:
        takes: one pair, or two lists.
        refused: what it raised when it was called with lists; None if it was not called or raised nothing.
    """

    takes: Takes
    refused: Exception | None = None


def reading_of(call: Callable[[Takes, Sequence[Pair]], Any], pairs: Sequence[Pair], name: str) -> Reading:
    """Find out how a function is to be called.

    Args:
        call: calls the function with the first pair, or with all as lists.
        pairs: at least one.
        name: of the system, for the error.

    Raises:
        ArgumentError: both readings are possible, with different results.
    """
    probes = _probes(pairs)
    try:
        together = score_numbers(call("lists", probes), PROBES)
    except NotNumbersError:
        return Reading("pairs")
    except Exception as error:  # lists are not what it takes
        return Reading("pairs", error)
    try:
        alone = one_number(call("pairs", probes))
    except Exception:  # one pair is not what it takes
        return Reading("lists")
    if not math.isclose(alone, together[0], rel_tol=1e-2, abs_tol=1e-3) and not math.isnan(alone):
        raise ArgumentError(
            f"the function takes one pair and two lists, with different results ({alone:.6g} for a pair alone, "
            f"{together[0]:.6g} for it in lists of {PROBES})",
            where=f"system '{name}'",
            remedy='say which is meant: sim.system(f, takes="pairs", name=...) or takes="lists"',
        )
    return Reading("lists")


def _probes(pairs: Sequence[Pair]) -> list[Pair]:
    """Three pairs of real texts, different ones and longer than a letter if there are any."""
    longer = [pair for pair in pairs[:1000] if len(pair.left) > 1 and len(pair.right) > 1]
    distinct = list({pair[:2]: pair for pair in longer or pairs[:1000]}.values())
    return [distinct[place % len(distinct)] for place in range(PROBES)]
