"""Groups prompts into rows that are read together.

Prompts are sorted by their tokens, so that those with a long common prefix are adjacent, and grouped into rows of
limited size. A shared prefix counts once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from similitude.errors import ArgumentError
from similitude.models.language.local.token_trie import common_prefix

__all__ = ["PromptRow", "RowQueue", "rows_of"]


class PromptRow(NamedTuple):
    """Prompts that are read together.

    Attributes:
        positions: the positions of the prompts.
        tokens: their total tokens, including answers; shared prefixes count once.
    """

    positions: list[int]
    tokens: int

    def halves(self) -> tuple[PromptRow, PromptRow]:
        """Two rows of half the prompts each."""
        middle = (len(self.positions) + 1) // 2
        tokens = (self.tokens + 1) // 2
        return PromptRow(self.positions[:middle], tokens), PromptRow(self.positions[middle:], tokens)


def rows_of(
    prompts: Sequence[Sequence[int]], following: Sequence[int], limit: int, *, only_shared: bool = False
) -> list[PromptRow]:
    """Group prompts into rows.

    Args:
        prompts: the tokens of each prompt.
        following: for each prompt, the tokens that come after it.
        limit: maximum tokens per row; a longer prompt gets a row of its own.
        only_shared: whether a prompt joins a row only if at least half of its tokens are shared. On a CPU, separate
            rows cost nothing, and then a prompt's result does not depend on the others, not even in its last bits.

    >>> rows_of([[1, 2, 3, 4], [7], [1, 2, 3, 5]], [1, 1, 1], limit=20, only_shared=True)
    [PromptRow(positions=[0, 2], tokens=7), PromptRow(positions=[1], tokens=2)]
    """
    rows: list[PromptRow] = []
    before: Sequence[int] = ()
    for position in sorted(range(len(prompts)), key=lambda i: tuple(prompts[i])):
        prompt = prompts[position]
        shared = common_prefix(before, prompt) if rows else 0
        fresh = len(prompt) - shared + following[position]
        joins = bool(rows) and rows[-1].tokens + fresh <= limit and (not only_shared or shared >= fresh)
        if joins:
            rows[-1] = PromptRow([*rows[-1].positions, position], rows[-1].tokens + fresh)
        else:
            rows.append(PromptRow([position], len(prompt) + following[position]))
        before = prompt
    return rows


class RowQueue:
    """Rows that have not been computed yet; a `similitude.models.batch_executor.BatchQueue`."""

    def __init__(self, rows: Sequence[PromptRow]) -> None:
        self._rows = deque(rows)
        self.limit: int | None = None

    def take(self) -> PromptRow | None:
        """Remove and return the next row, halved until it fits the limit; None if there is none."""
        if not self._rows:
            return None
        row = self._rows.popleft()
        while self.limit is not None and row.tokens > self.limit and len(row.positions) > 1:
            row, rest = row.halves()
            self._rows.appendleft(rest)
        return row

    def put_back(self, row: PromptRow) -> None:
        """Return a row that did not fit into memory; no row may have more than half of its tokens from now on.

        Raises:
            ArgumentError: the row has a single prompt.
        """
        if len(row.positions) == 1:
            raise ArgumentError(
                "not enough memory for a single prompt",
                remedy="use a smaller model, dtype=float16 on a GPU, shorter prompts, or device=cpu",
            )
        half = (row.tokens + 1) // 2
        self.limit = half if self.limit is None else min(self.limit, half)
        self._rows.appendleft(row)
