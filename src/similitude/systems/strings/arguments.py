"""Checks of arguments that string systems share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from similitude.errors import ArgumentError

__all__ = ["LENGTHS", "TOKENS", "UNITS", "Length", "Tokens", "Unit", "check", "check_between", "check_choice"]

Unit = Literal["character", "word"]
UNITS: tuple[Unit, ...] = get_args(Unit)

Tokens = Literal["words", "break-iterator"]
"""How texts are split into words: as `tokens.words` does, or as `word_breaks.break_tokens` does."""
TOKENS: tuple[Tokens, ...] = get_args(Tokens)

Length = Literal["mean", "left", "right", "shorter", "longer"]
"""Whose length a number of shared characters or words is divided by."""
LENGTHS: tuple[Length, ...] = get_args(Length)


def check(valid: bool, system: str, name: str, value: object, remedy: str) -> None:
    """Raise an error unless the argument is valid.

    Raises:
        ArgumentError: it is invalid.
    """
    if not valid:
        raise ArgumentError(f"{name}={value} is not valid for '{system}'", remedy=f"give {name} {remedy}")


def check_between(system: str, name: str, value: float, low: float, high: float) -> None:
    """Raise an error unless low <= value <= high.

    Raises:
        ArgumentError: the value is outside, or nan.
    """
    check(low <= value <= high, system, name, value, f"from {low} to {high}")


def check_choice(system: str, name: str, value: str, choices: Sequence[str]) -> None:
    """Raise an error unless the value is one of the choices.

    Raises:
        ArgumentError: it is not.
    """
    check(value in choices, system, name, f"'{value}'", f"as one of {', '.join(choices)}")
