"""Two texts in one sentence, a template, for a model that knows no mark between them; cut so that the sentence fits.

A text that is too long is cut at its end. Were the sentence cut at its own end instead, the right text would be gone,
and whatever the sentence closes with.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["fill_template", "fit_template"]


def fill_template(template: str, left: str, right: str) -> str:
    """The sentence with both texts in their places.

    >>> fill_template("1: {left} 2: {right}!", "a {cat}", "b")
    '1: a {cat} 2: b!'
    """
    return template.format(left=left, right=right)


def fit_template(template: str, left: str, right: str, tokenizer: Any, longest: int) -> str:
    """The sentence with as much of both texts as the model reads: tokens go from the end of the longer one first.

    Args:
        template: with {left} and {right}.
        left: the one text.
        right: the other.
        tokenizer: of transformers.
        longest: tokens of the sentence at most. If the template alone has more, nothing is cut here.
    """
    alone = fill_template(template, "", "")
    room = longest - _length(tokenizer, alone)
    if room < 0:
        return fill_template(template, left, right)
    sides = _side(left, tokenizer), _side(right, tokenizer)
    while room > 0:
        sizes = _shared(sides[0].tokens, sides[1].tokens, room)
        sentence = fill_template(template, *(side.start(size) for side, size in zip(sides, sizes, strict=True)))
        excess = _length(tokenizer, sentence) - longest
        if excess <= 0:
            return sentence
        room = sum(sizes) - excess  # a text may have other tokens beside the template's words than it has alone
    return alone


class _Side(NamedTuple):
    """A text, and how many characters are whole in its first tokens: in none, in one, ... in all."""

    text: str
    characters: NDArray[np.intp]

    @property
    def tokens(self) -> int:
        return len(self.characters) - 1

    def start(self, tokens: int) -> str:
        """Its first tokens, as text."""
        return self.text[: self.characters[tokens]]


def _side(text: str, tokenizer: Any) -> _Side:
    options: dict[str, Any] = {"add_special_tokens": False, "verbose": False}
    if not tokenizer.is_fast:  # it does not say which characters a token stands for: each for as many as the others
        count = len(tokenizer(text, **options)["input_ids"])
        return _Side(text, np.linspace(0, len(text), count + 1).astype(np.intp))
    offsets = np.array(tokenizer(text, return_offsets_mapping=True, **options)["offset_mapping"], np.intp)
    starts, ends = offsets.reshape(-1, 2).T
    # Tokens of one character all begin where it does: it is whole only where the next token begins after it.
    whole = np.minimum(ends, np.append(starts[1:], len(text)))
    whole[-1:] = len(text)
    return _Side(text, np.concatenate([[0], whole]))


def _shared(left: int, right: int, room: int) -> tuple[int, int]:
    """How many tokens are kept of each, taken one by one from the longer until both fit."""
    if left + right <= room:
        return left, right
    kept = min(left, max(room - right, (room + 1) // 2))
    return kept, room - kept


def _length(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, verbose=False)["input_ids"])
