"""Batches of fixed shape: a text's row does not depend on the other texts, not even in its last bits.

The last bits of a matrix product depend on the shapes of the matrices, since the library chooses the order of summation
by shape; they do not depend on the contents of the other rows. So each text gets a shape from its number of tokens
alone:

- padded length: its own number of tokens up to `EXACT`; above that, the next step of a grid, with at least one token
  of padding (whether a batch has padding also decides how attention is computed);
- rows: as many as fit the token budget at that length. A last batch that is not full is filled with copies.

So scores do not change with the other items of a call, with their order, with the state of the cache, or with the point
at which a run was interrupted. The price is a few copies per length, which is less than the padding of batches sorted
by characters: on 2,526 short texts, 10 % more tokens than the texts have, against 29 % for batches of 32.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.encoders.token_rows import TokenRows

__all__ = ["EXACT", "Batches", "Budget", "Shape", "TextBatch", "shape_of"]

EXACT = 24
"""Texts of up to this many tokens are not padded."""

_SMALLEST_STEP = 4
_STEPS_AN_OCTAVE = 3  # bits: 8 steps from each power of two to the next


class Shape(NamedTuple):
    """The padded length of a text, and whether it ends in padding."""

    length: int
    is_padded: bool


def shape_of(tokens: int, longest: int) -> Shape:
    """The shape of a text with this many tokens, for a model that reads at most `longest`.

    >>> shape_of(7, 512), shape_of(30, 512), shape_of(200, 512), shape_of(512, 512)
    (Shape(length=7, is_padded=False), Shape(length=32, is_padded=True), Shape(length=208, is_padded=True),
     Shape(length=512, is_padded=False))
    """
    if tokens <= EXACT or tokens >= longest:
        return Shape(tokens, False)
    step = max(_SMALLEST_STEP, 1 << ((tokens + 1).bit_length() - 1 - _STEPS_AN_OCTAVE))
    return Shape(min(-(-(tokens + 1) // step) * step, longest), True)


class Budget(NamedTuple):
    """The maximum size of a batch.

    Attributes:
        tokens: maximum tokens, padding included; a longer text is a batch of its own.
        texts: maximum texts; None for no limit.
    """

    tokens: int
    texts: int | None = None

    def rows(self, length: int) -> int:
        """Rows of a batch of texts of this length."""
        rows = max(1, self.tokens // length)
        return rows if self.texts is None else min(rows, self.texts)


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Texts that are computed together.

    Attributes:
        positions: the positions of the texts.
        shape: the shape of each row.
        rows: the number of rows to compute; those beyond the texts are copies.
    """

    positions: NDArray[np.intp]
    shape: Shape
    rows: int

    def filled(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """The inputs of the texts, with copies of the first one in the remaining rows."""
        places = np.full(self.rows, self.positions[0])
        places[: len(self.positions)] = self.positions
        return inputs.take(places) if isinstance(inputs, TokenRows) else [inputs[place] for place in places]


class Batches:
    """Batches that have not been computed yet, longest texts first, so that a lack of memory shows at once."""

    def __init__(self, lengths: Sequence[int] | NDArray[np.int64], longest: int, budget: Budget) -> None:
        sizes, place = np.unique(np.asarray(lengths, np.int64), return_inverse=True)
        shapes = [shape_of(tokens, longest) for tokens in sizes.tolist()]
        kinds = sorted(set(shapes), reverse=True)
        kind = np.array([kinds.index(shape) for shape in shapes], np.intp)[place]
        ends = np.cumsum(np.bincount(kind, minlength=len(kinds)))[:-1]
        self._groups = deque(zip(kinds, np.split(np.argsort(kind, kind="stable"), ends), strict=True))
        self.budget = budget
        self.limit: int | None = None

    def take(self) -> TextBatch | None:
        """Remove and return the next batch; None if there is none."""
        if not self._groups:
            return None
        shape, positions = self._groups.popleft()
        rows = self.budget.rows(shape.length)
        if len(positions) > rows:
            self._groups.appendleft((shape, positions[rows:]))
        return TextBatch(positions[:rows], shape, rows)

    def put_back(self, batch: TextBatch) -> None:
        """Return a batch that did not fit into memory; it and all others get half the budget.

        Another batch that was too large at the same time does not halve it again.

        Raises:
            ArgumentError: the batch has a single row.
        """
        if batch.rows == 1:
            raise ArgumentError(
                f"not enough memory for a single text of {batch.shape.length} tokens",
                remedy="use a smaller model, dtype=float16 on a GPU, or device=cpu",
            )
        if self.budget.rows(batch.shape.length) >= batch.rows:
            self.limit = batch.rows // 2 * batch.shape.length
            self.budget = self.budget._replace(tokens=self.limit)
        self._groups.appendleft((batch.shape, batch.positions))
