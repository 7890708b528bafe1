"""Templates: two texts in one sentence, for a model that has no separator token, cut so that the sentence fits.

Texts that are too long are cut at their ends. Cutting the sentence at its end instead would lose the right text and the
end of the template.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["fill_template", "fit_template"]


def fill_template(template: str, left: str, right: str) -> str:
    """The template with both texts filled in.

    >>> fill_template("1: {left} 2: {right}!", "a {cat}", "b")
    '1: a {cat} 2: b!'
    """
    return template.format(left=left, right=right)


def fit_template(template: str, left: str, right: str, tokenizer: Any, longest: int) -> str:
    """The template with as much of both texts as fits; tokens are removed from the end of the longer text first.

    Args:
        template: text with {left} and {right}.
        left: the left text.
        right: the right text.
        tokenizer: a tokeniser of transformers.
        longest: maximum tokens of the sentence. If the template alone has more, nothing is cut.
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
        room = sum(sizes) - excess  # a text may be tokenised differently within the template
    return alone


class _Side(NamedTuple):
    """A text, and how many characters are complete after its first 0, 1, 2, ... tokens."""

    text: str
    characters: NDArray[np.intp]

    @property
    def tokens(self) -> int:
        return len(self.characters) - 1

    def start(self, tokens: int) -> str:
        """The text of its first tokens."""
        return self.text[: self.characters[tokens]]


def _side(text: str, tokenizer: Any) -> _Side:
    options: dict[str, Any] = {"add_special_tokens": False, "verbose": False}
    if not tokenizer.is_fast:  # no character offsets: assume that all tokens are equally long
        count = len(tokenizer(text, **options)["input_ids"])
        return _Side(text, np.linspace(0, len(text), count + 1).astype(np.intp))
    offsets = np.array(tokenizer(text, return_offsets_mapping=True, **options)["offset_mapping"], np.intp)
    starts, ends = offsets.reshape(-1, 2).T
    # All tokens of one character start where it does: it is complete only once the next token starts after it.
    whole = np.minimum(ends, np.append(starts[1:], len(text)))
    whole[-1:] = len(text)
    return _Side(text, np.concatenate([[0], whole]))


def _shared(left: int, right: int, room: int) -> tuple[int, int]:
    """How many tokens to keep of each text, removing one at a time from the longer until both fit."""
    if left + right <= room:
        return left, right
    kept = min(left, max(room - right, (room + 1) // 2))
    return kept, room - kept


def _length(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, verbose=False)["input_ids"])
