"""Texts as sequences of integers, one symbol per word or character, for array operations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.systems.strings.arguments import Tokens, Unit
from similitude.systems.strings.tokens import fold, words
from similitude.systems.strings.word_breaks import break_tokens

__all__ = ["Symbols", "read_symbols", "spell", "spell_texts", "token_symbols"]

_MOST_SYMBOLS = 0x110000


class Symbols(NamedTuple):
    """The concatenated symbol sequences of several texts.

    Attributes:
        flat: the symbols of the first text, then of the second, and so on; they start at 1, since 0 is padding.
        lengths: the number of symbols of each text.
        names: the word or character of each symbol, sorted, so that the order of two symbols does not depend on the
            other texts.
    """

    flat: NDArray[np.int64]
    lengths: NDArray[np.int64]
    names: list[str]

    @property
    def ends(self) -> NDArray[np.int64]:
        """The end of each text in ``flat``."""
        return np.cumsum(self.lengths)


def read_symbols(texts: Sequence[str], unit: Unit, *, lowercase: bool = True, tokens: Tokens = "words") -> Symbols:
    """The symbols of folded texts, by word or by character.

    >>> read_symbols(["to be", "be"], "word")
    Symbols(flat=array([2, 1, 1]), lengths=array([2, 1]), names=['', 'be', 'to'])
    """
    if unit == "word":
        split = words if tokens == "words" else break_tokens
        return token_symbols([split(text, lowercase=lowercase) for text in texts])
    return _character_symbols([fold(text, lowercase=lowercase) for text in texts])


def spell_texts(texts: Sequence[str], unit: Unit, *, lowercase: bool = True) -> list[str]:
    """Each folded text as a string with one character per word or character."""
    if unit == "word":
        return spell(read_symbols(texts, unit, lowercase=lowercase))
    return [fold(text, lowercase=lowercase) for text in texts]


def spell(symbols: Symbols) -> list[str]:
    """Each text as a string with one character per symbol, for libraries that compare strings.

    Raises:
        ArgumentError: there are more symbols than Unicode characters.
    """
    if len(symbols.names) > _MOST_SYMBOLS:
        raise ArgumentError(
            f"{len(symbols.names)} distinct words in one call", remedy="score fewer or shorter texts at a time"
        )
    spelt = symbols.flat.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    ends = symbols.ends.tolist()
    return [spelt[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def token_symbols(texts: Sequence[Sequence[str]]) -> Symbols:
    """The symbols of texts that are split already."""
    seen: defaultdict[str, int] = defaultdict()
    seen.default_factory = seen.__len__
    lengths = _lengths(texts)
    flat = np.fromiter(map(seen.__getitem__, chain.from_iterable(texts)), np.int64, int(lengths.sum()))
    names = sorted(seen)
    rank = np.empty(len(names), np.int64)
    rank[[seen[name] for name in names]] = np.arange(1, len(names) + 1)
    return Symbols(rank[flat], lengths, ["", *names])


def _character_symbols(texts: Sequence[str]) -> Symbols:
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    present = np.zeros(int(codes.max(initial=0)) + 1, np.bool_)
    present[codes] = True
    rank = np.cumsum(present, dtype=np.int64)
    return Symbols(rank[codes], _lengths(texts), ["", *map(chr, np.flatnonzero(present).tolist())])


def _lengths(texts: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    return np.fromiter(map(len, texts), np.int64, len(texts))
