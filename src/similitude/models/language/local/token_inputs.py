"""Prompts, options and questions in tokens."""

from __future__ import annotations

from typing import NamedTuple

from similitude.models.language.protocol import ModelQuestion

__all__ = ["TokenChoice", "TokenQuestion", "Tokens"]

Tokens = list[int]


class TokenChoice(NamedTuple):
    """A prompt and its options in tokens."""

    prompt: Tokens
    options: list[Tokens]


class TokenQuestion(NamedTuple):
    """A question in tokens.

    Attributes:
        question: the original question.
        prompt: its tokens.
        room: maximum tokens of the answer, by its settings and the context window.
    """

    question: ModelQuestion
    prompt: Tokens
    room: int
