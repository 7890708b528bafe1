"""Prompts, options and questions in tokens."""

from __future__ import annotations

from typing import NamedTuple

from similitude.models.language.protocol import ModelQuestion

__all__ = ["TokenChoice", "TokenQuestion", "Tokens"]

Tokens = list[int]


class TokenChoice(NamedTuple):
    """A prompt and texts of which each may follow it, in tokens."""

    prompt: Tokens
    options: list[Tokens]


class TokenQuestion(NamedTuple):
    """A question in tokens.

    Attributes:
        question: as it was put.
        prompt: its tokens.
        room: tokens that its answer may have, by its settings and by the model's window.
    """

    question: ModelQuestion
    prompt: Tokens
    room: int
