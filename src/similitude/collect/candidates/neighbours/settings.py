"""What a search for neighbours is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from similitude.errors import ArgumentError

__all__ = ["EXACT_ROWS", "SearchSettings"]

EXACT_ROWS = 20_000
"""Up to so many rows, all pairs of them are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of a search.

    Attributes:
        k: neighbours of each text.
        exact: whether all allowed pairs are compared; None: only up to 20,000 texts that may be paired.
        recall: the share of the exact pairs that an approximate search should find.
        seed: of the cells and of the sample.
        sample: for how many texts the exact neighbours are computed: two thirds of them say how many cells to visit,
            the others what recall was reached.
        device: where exact search runs, such as "cuda"; None or "cpu": see ``exact``.
    """

    k: int = 10
    exact: bool | None = None
    recall: float = 0.95
    seed: int = 0
    sample: int = 750
    device: str | None = None

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ArgumentError(f"k is {self.k}", remedy="ask for at least one neighbour of each text")
        if not 0 < self.recall <= 1:
            raise ArgumentError(f"recall is {self.recall}", remedy="give a share above 0 and at most 1")
        if self.sample < 2:
            raise ArgumentError(f"sample is {self.sample}", remedy="give at least 2 texts")

    def exact_rows(self, fewest: int, count: int) -> int:
        """Up to how many rows of a part all pairs are compared, of ``count`` rows in all."""
        return EXACT_ROWS if self.exact is None else count if self.exact else fewest
