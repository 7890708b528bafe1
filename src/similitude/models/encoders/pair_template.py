"""Templates: several texts in one sentence, for a model that has no separator token, cut so that the sentence fits.

Texts that are too long are cut at their ends. Cutting the sentence at its end instead would lose the last text and the
end of the template.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FIELDS", "fill_template", "fit_template", "is_template", "template_fields"]

FIELDS: Final = ("left", "right", "text", "condition")
"""What a template may have places for, in the order in which the texts are given."""

_PLACE = re.compile(r"\{(\w+)\}")


def template_fields(template: str) -> tuple[str, ...]:
    """The places of a template, in the order of `FIELDS`.

    >>> template_fields("{condition}: {left} / {right}")
    ('left', 'right', 'condition')
    """
    return tuple(name for name in FIELDS if f"{{{name}}}" in template)


def is_template(written: str, fields: Sequence[str]) -> bool:
    """Whether a template has each of these places, once or several times, and no other braces.

    A model that reads forward may be shown a condition before the sentences and again after them.

    >>> is_template("{left} {right} {left}", ["left", "right"]), is_template("{left}", ["left", "right"])
    (True, False)
    """
    return set(_PLACE.findall(written)) == set(fields) and not set(_PLACE.sub("", written)) & set("{}")


def fill_template(template: str, *texts: str) -> str:
    """The template with the texts filled in, which are given in the order of `FIELDS`.

    >>> fill_template("1: {left} 2: {right}!", "a {cat}", "b")
    '1: a {cat} 2: b!'
    """
    return template.format(**dict(zip(template_fields(template), texts, strict=True)))


def fit_template(template: str, texts: Sequence[str], tokenizer: Any, longest: int) -> str:
    """The template with as much of the texts as fits; tokens are removed from the end of the longest text first.

    Args:
        template: text with a place for each text.
        texts: in the order of `FIELDS`.
        tokenizer: a tokeniser of transformers.
        longest: maximum tokens of the sentence. If the template alone has more, nothing is cut.
    """
    alone = fill_template(template, *("" for _ in texts))
    room = longest - _length(tokenizer, alone)
    if room < 0:
        return fill_template(template, *texts)
    sides = [_side(text, tokenizer) for text in texts]
    times = [_PLACE.findall(template).count(name) for name in template_fields(template)]
    while room > 0:
        sizes = _shared([side.tokens for side in sides], times, room)
        sentence = fill_template(template, *(side.start(size) for side, size in zip(sides, sizes, strict=True)))
        excess = _length(tokenizer, sentence) - longest
        if excess <= 0:
            return sentence
        room = _total(sizes, times) - excess  # a text may be tokenised differently within the template
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


def _shared(sizes: Sequence[int], times: Sequence[int], room: int) -> list[int]:
    """How many tokens to keep of each text, removing one at a time from the longest until all fit.

    Args:
        sizes: the tokens of each text.
        times: how often each text is shown.
        room: for all of them.
    """
    if _total(sizes, times) <= room:
        return list(sizes)
    most = next(most for most in range(room, -1, -1) if _total([min(size, most) for size in sizes], times) <= room)
    kept = [min(size, most) for size in sizes]
    for place, size in enumerate(sizes):
        if size > most and _total(kept, times) + times[place] <= room:
            kept[place] += 1
    return kept


def _total(sizes: Sequence[int], times: Sequence[int]) -> int:
    return sum(size * count for size, count in zip(sizes, times, strict=True))


def _length(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, verbose=False)["input_ids"])
