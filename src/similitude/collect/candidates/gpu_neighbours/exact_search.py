"""Exact nearest neighbours on a GPU: maxima in bfloat16 leave few candidates, float32 ranks them.

The k rows nearest to a query lie in the k groups of 16 rows whose highest cosines are highest. So one number in 16
leaves the product of matrices, and only the rows of a few groups are scored again. A product of two vectors in bfloat16
is off by no more than the lengths of what rounding cut off them. If the k-th cosine of a row in float32 does not lie
above all that was left out by more than that, the row is searched again in float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from similitude.collect.candidates.gpu_neighbours.row_scores import row_scores
from similitude.collect.candidates.gpu_neighbours.tile_maxima import GROUP, LOWEST, TILE, tile_maxima

__all__ = ["DeviceNeighbours", "DeviceRows", "exact_neighbours"]

QUERIES = 16_384
MAXIMA = 2**30
"""So many maxima of groups are held at a time, at most."""

AGAIN = 2_048
AGAIN_COLUMNS = 262_144
SPARE_GROUPS = 64
SPARE_ROWS = 64
ROUNDED = 2.0**-11 + 1e-6
"""How far a maximum in half precision, and a sum in float32, may be off."""

WIDTH_STEP = 128


class DeviceNeighbours(NamedTuple):
    """Neighbours of all rows, in the device's memory.

    Attributes:
        others: rows of the nearest, the nearest first; -1 where there is none.
        cosines: in float32; nan where there is none.
        again: how many rows were searched again in float32.
    """

    others: torch.Tensor
    cosines: torch.Tensor
    again: int


def exact_neighbours(
    vectors: NDArray[np.float32],
    k: int,
    *,
    same: tuple[NDArray[np.int64], ...] = (),
    other: tuple[NDArray[np.int64], ...] = (),
    device: str = "cuda",
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The ``k`` nearest rows of each row by cosine, and their cosines; -1 and nan where there are fewer.

    Args:
        vectors: one unit vector for each row.
        k: how many neighbours of each row.
        same: numbers of the rows; two rows are paired only if theirs are equal in each array.
        other: numbers of the rows; two rows are paired only if theirs differ in each array.
        device: a device of torch; on a CPU the same steps run without kernels, slowly.
    """
    others, cosines, _ = DeviceRows.of(vectors, same, other, device).neighbours(k)
    return others.cpu().numpy(), cosines.cpu().numpy()


@dataclass(frozen=True, slots=True, eq=False)
class DeviceRows:
    """Vectors in the memory of a device.

    Attributes:
        count: how many rows there are; rows and columns of zeros behind them fill whole tiles.
        full: the vectors.
        short: the same in bfloat16.
        cut: the length of what rounding cut off each.
        same: numbers of all rows, one array for each condition: those of an allowed pair are equal.
        other: likewise; those of an allowed pair differ.
    """

    count: int
    full: torch.Tensor
    short: torch.Tensor
    cut: torch.Tensor
    same: torch.Tensor
    other: torch.Tensor

    @classmethod
    def of(
        cls,
        vectors: NDArray[np.float32],
        same: tuple[NDArray[np.int64], ...],
        other: tuple[NDArray[np.int64], ...],
        device: str,
    ) -> DeviceRows:
        """Copy vectors and numbers to a device."""
        full = torch.from_numpy(np.ascontiguousarray(vectors, np.float32)).to(device)
        return cls.on_device(full, _numbers(same, len(full), device), _numbers(other, len(full), device))

    @classmethod
    def on_device(cls, vectors: torch.Tensor, same: torch.Tensor, other: torch.Tensor) -> DeviceRows:
        """Rows whose vectors lie on the device already."""
        below, beside = -len(vectors) % TILE, -vectors.shape[1] % WIDTH_STEP
        full = torch.nn.functional.pad(vectors, (0, beside, 0, below))
        short = full.bfloat16()
        return cls(len(vectors), full, short, (full - short.float()).norm(dim=1), same, other)

    def neighbours(self, k: int) -> DeviceNeighbours:
        """The nearest rows of each row."""
        others = torch.empty(self.count, k, dtype=torch.int64, device=self.full.device)
        cosines = torch.empty(self.count, k, dtype=torch.float32, device=self.full.device)
        is_unsure = torch.empty(self.count, dtype=torch.bool, device=self.full.device)
        step = max(1, min(QUERIES, MAXIMA // (len(self.full) // GROUP)))
        for start in range(0, self.count, step):
            rows = range(start, min(start + step, self.count))
            part = slice(rows.start, rows.stop)
            others[part], cosines[part], is_unsure[part] = self._nearest(rows, k)
        unsure = is_unsure.nonzero().ravel()
        for start in range(0, len(unsure), AGAIN):
            rows_again = unsure[start : start + AGAIN]
            others[rows_again], cosines[rows_again] = self._nearest_again(rows_again, k)
        is_none = cosines < LOWEST + 0.5
        return DeviceNeighbours(
            others.masked_fill(is_none, -1).int(), cosines.masked_fill(is_none, torch.nan), len(unsure)
        )

    def _nearest(self, rows: range, k: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The nearest of a range of rows, their cosines, and whether there may be nearer ones."""
        queries = torch.arange(rows.start, rows.stop, device=self.full.device)
        groups, best_left_out = self._groups(rows, k + 1 + SPARE_GROUPS)
        scores = row_scores(self.short, queries, groups, GROUP)
        members = (groups[:, :, None] * GROUP + torch.arange(GROUP, device=groups.device)).flatten(1)
        self._forbid(scores, queries, members)
        best = scores.topk(min(k + SPARE_ROWS, scores.shape[1]), dim=1)
        if best.values.shape[1] < scores.shape[1]:
            best_left_out = torch.maximum(best_left_out, best.values[:, -1])
        chosen = members.gather(1, best.indices)
        others, cosines = self._ranked(queries, chosen, best.values, k)
        off = self.cut[queries] * 1.01 + self.cut.max() + ROUNDED
        is_unsure = (cosines[:, -1] < best_left_out + off) & (best_left_out > LOWEST + 0.5)
        return others, cosines, is_unsure

    def _groups(self, rows: range, wanted: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The groups with the highest maxima of each row, and the highest maximum that a group left out may have."""
        maxima = tile_maxima(self.short, rows, self.same, self.other)
        tiles = maxima.tiles.topk(min(wanted, maxima.tiles.shape[1]), dim=1, sorted=False).indices
        inside = torch.arange(TILE // GROUP, device=tiles.device)
        numbers = (tiles[:, :, None] * (TILE // GROUP) + inside).flatten(1)
        best = maxima.groups.gather(1, numbers).topk(min(wanted, numbers.shape[1]), dim=1)
        is_all = best.values.shape[1] == maxima.groups.shape[1]
        lowest = torch.full_like(best.values[:, -1], LOWEST) if is_all else best.values[:, -1]
        return numbers.gather(1, best.indices), lowest.float()

    def _ranked(
        self, queries: torch.Tensor, chosen: torch.Tensor, scores: torch.Tensor, k: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The ``k`` nearest of the chosen rows by cosines in float32; padded if there are fewer."""
        cosines = row_scores(self.full, queries, chosen, 1)
        cosines.masked_fill_(scores < LOWEST + 0.5, LOWEST)
        best = cosines.topk(min(k, cosines.shape[1]), dim=1)
        missing = k - best.values.shape[1]
        others = torch.nn.functional.pad(chosen.gather(1, best.indices), (0, missing), value=0)
        return others, torch.nn.functional.pad(best.values, (0, missing), value=LOWEST)

    def _forbid(self, scores: torch.Tensor, queries: torch.Tensor, members: torch.Tensor) -> None:
        """Set the scores of pairs that are not allowed to -2."""
        is_forbidden = (members == queries[:, None]) | (members >= self.count)
        for numbers in self.same:
            is_forbidden |= numbers[queries, None] != numbers[members]
        for numbers in self.other:
            is_forbidden |= numbers[queries, None] == numbers[members]
        scores.masked_fill_(is_forbidden, LOWEST)

    def _nearest_again(self, rows: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The nearest of some rows, all cosines in float32."""
        others = torch.zeros(len(rows), k, dtype=torch.int64, device=rows.device)
        cosines = torch.full((len(rows), k), LOWEST, device=rows.device)
        for start in range(0, self.count, AGAIN_COLUMNS):
            block = torch.arange(start, min(start + AGAIN_COLUMNS, self.count), device=rows.device)
            scores = self.full[rows] @ self.full[start : start + len(block)].T
            self._forbid(scores, rows, block.expand(len(rows), -1))
            found = scores.topk(min(k, len(block)), dim=1)
            together = torch.cat([cosines, found.values], dim=1).topk(k, dim=1)
            others = torch.cat([others, block[found.indices]], dim=1).gather(1, together.indices)
            cosines = together.values
        return others, cosines


def _numbers(columns: tuple[NDArray[np.int64], ...], count: int, device: str) -> torch.Tensor:
    """Numbers of all rows, and -1 for the rows of zeros behind them."""
    numbers = torch.full((len(columns), count + -count % TILE), -1, dtype=torch.int32, device=device)
    for target, column in zip(numbers, columns, strict=True):
        ranks = np.unique(column, return_inverse=True)[1]
        target[:count] = torch.from_numpy(ranks.astype(np.int32)).to(device)
    return numbers
