"""An answer of a language model, and how it was read."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from similitude.data.scale import Scale

__all__ = ["ANSWER_KINDS", "AnswerKind", "ReadAnswer", "kind_of"]

AnswerKind = Literal["valid", "prose", "off_scale", "none", "skipped"]
"""How an answer could be read.

valid: a score or a letter and little else. prose: with words or other numbers around it. off_scale: a number off the
scale, which the rule of a paper keeps. none: no score, so that it was replaced or left out. skipped: the question was
not asked.
"""
ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)


class ReadAnswer(NamedTuple):
    """An answer and how it was read.

    Attributes:
        text: the answer as the model gave it.
        rule: the name of the rule that read it.
        kind: how it could be read.
        value: the score that it stands for; None if there is none.
        is_cut: whether the answer was cut at the maximum length.
    """

    text: str
    rule: str
    kind: AnswerKind
    value: float | None = None
    is_cut: bool = False


def kind_of(value: float | None, *, is_prose: bool, scale: Scale | None = None) -> AnswerKind:
    """The kind of an answer.

    Args:
        value: what it says; None if it says nothing.
        is_prose: whether there is more in the answer.
        scale: the scale that was asked for, if any.

    >>> kind_of(7.0, is_prose=False, scale=Scale(low=1, high=5))
    'off_scale'
    """
    if value is None:
        return "none"
    room = 0.0 if scale is None else 1e-9 * scale.width
    if scale is not None and not scale.low - room <= value <= scale.high + room:
        return "off_scale"
    return "prose" if is_prose else "valid"
