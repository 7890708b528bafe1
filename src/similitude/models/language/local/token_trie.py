"""A prefix tree of tokens: sequences that share a prefix share its nodes.

One row of a network's input contains a whole tree. Each token attends only to the tokens on its path from the root, and
its position is its distance from the root. So a prompt is read once for all its options, an instruction once for all
prompts that start with it, and nothing is padded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["TokenTrie", "common_prefix"]

ROOT = -1


class TokenTrie:
    """A growing prefix tree. A node is the index of its token in the row; parents come before children.

    >>> tree = TokenTrie()
    >>> stem = tree.add([5, 6, 7])
    >>> tree.add([8], after=stem[-1]), tree.add([9], after=stem[-1]), tree.add([5, 6, 1])
    ([3], [4], [0, 1, 5])
    >>> tree.tokens
    [5, 6, 7, 8, 9, 1]
    >>> tree.positions().tolist()
    [0, 1, 2, 3, 3, 2]
    >>> tree.visible()[4].astype(int).tolist()
    [1, 1, 1, 0, 1, 0]
    """

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self._parents: list[int] = []
        self._nodes: dict[tuple[int, int], int] = {}

    def add(self, tokens: Sequence[int], after: int = ROOT) -> list[int]:
        """Add a path of these tokens, reusing existing nodes; return its nodes."""
        return list(self._walk(tokens, after))

    def _walk(self, tokens: Sequence[int], node: int) -> Iterator[int]:
        for token in tokens:
            parent, node = node, self._nodes.setdefault((node, token), len(self.tokens))
            if node == len(self.tokens):
                self.tokens.append(token)
                self._parents.append(parent)
            yield node

    def positions(self) -> NDArray[np.int64]:
        """The distance of each node from the first token."""
        positions = np.zeros(len(self.tokens), np.int64)
        for node, parent in enumerate(self._parents):
            positions[node] = positions[parent] + 1 if parent != ROOT else 0
        return positions

    def visible(self) -> NDArray[np.bool_]:
        """Which nodes (columns) each node (row) attends to: itself and its ancestors."""
        visible = np.eye(len(self.tokens), dtype=np.bool_)
        for node, parent in enumerate(self._parents):
            if parent != ROOT:
                visible[node, :node] = visible[parent, :node]
        return visible


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """Length of the common prefix of two sequences.

    >>> common_prefix([1, 2, 3], [1, 2, 4, 3])
    2
    """
    size = min(len(left), len(right))
    apart = np.flatnonzero(np.asarray(left[:size]) != np.asarray(right[:size]))
    return int(apart[0]) if len(apart) else size
