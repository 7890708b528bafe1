"""The values of form fields: clean text, and numbers on a scale."""

from __future__ import annotations

import math
import unicodedata
from typing import NamedTuple

from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Problem

__all__ = ["Number", "clean", "has_bad_characters", "read_number"]

BAD_CATEGORIES = frozenset({"Cc", "Cs", "Cn", "Co"})


class Number(NamedTuple):
    """A number that was read, or the problem with it."""

    value: float | None
    problem: Problem | None = None


def clean(text: str) -> str:
    r"""A text as it is kept: one line, NFC, single spaces.

    >>> clean("  the colour  of\r\n the fruit ")
    'the colour of the fruit'
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def has_bad_characters(text: str) -> bool:
    """Whether a cleaned text has characters that nobody types: controls, lone surrogates, unassigned code points."""
    return any(unicodedata.category(character) in BAD_CATEGORIES for character in text)


def read_number(written: str, scale: RatingScale, field: str) -> Number:
    """A number on the scale, at one of its steps; a decimal comma is read as a point.

    >>> read_number("3,5", RatingScale(low=0, high=5, step=0.5), "value").value
    3.5
    >>> read_number("7", RatingScale(low=0, high=5), "value").problem.key
    'off_scale'
    """
    text = written.strip().replace(",", ".")
    if not text:
        return Number(None, Problem(field, "missing"))
    try:
        value = float(text)
    except ValueError:
        return Number(None, Problem(field, "not_a_number"))
    if not math.isfinite(value) or len(text) > 30:
        return Number(None, Problem(field, "not_a_number"))
    if not scale.low - 1e-9 <= value <= scale.high + 1e-9:
        return Number(None, Problem(field, "off_scale", {"low": scale.low, "high": scale.high}))
    steps = (value - scale.low) / scale.step
    if abs(steps - round(steps)) > 1e-6:
        return Number(None, Problem(field, "off_step", {"step": scale.step}))
    return Number(scale.points[round(steps)])
