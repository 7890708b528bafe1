"""Arguments that must be numbers, checked before any work is done."""

from __future__ import annotations

from numbers import Integral, Real

from similitude.errors import ArgumentError

__all__ = ["check_numbers", "check_seed", "check_whole_numbers"]


def check_numbers(**given: object) -> None:
    """Check that each argument is a number, or None.

    >>> check_numbers(level=0.95, margin=None)

    Raises:
        ArgumentError: one is something else.
    """
    for name, value in given.items():
        if value is not None and (not isinstance(value, Real) or isinstance(value, bool)):
            raise ArgumentError(f"{name}={value!r:.60} is not a number", remedy=f"give a number for {name}")


def check_whole_numbers(**given: object) -> None:
    """Check that each argument is a whole number from 0, or None.

    >>> check_whole_numbers(seed=3, resamples=None)

    Raises:
        ArgumentError: one is something else.
    """
    check_numbers(**given)
    for name, value in given.items():
        if value is not None and (not isinstance(value, Integral) or value < 0):
            raise ArgumentError(
                f"{name}={value!r:.60} is not a whole number from 0", remedy=f"give 0, 1, 2, ... for {name}"
            )


def check_seed(seed: object) -> None:
    """Check that a seed is a whole number from 0; None would give other figures every time.

    Raises:
        ArgumentError: it is something else.
    """
    if seed is None:
        raise ArgumentError("seed=None would give other figures every time", remedy="give a whole number, as in seed=0")
    check_whole_numbers(seed=seed)
