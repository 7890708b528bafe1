"""The highest cosine of each row in every group of rows: a product of matrices that is never written out."""

from __future__ import annotations

from typing import NamedTuple

import torch

__all__ = ["DEPTH", "GROUP", "LOWEST", "TILE", "Maxima", "tile_maxima"]

GROUP = 16
TILE = 256
QUERY_TILE = 128
DEPTH = 64
BAND = 16
WARPS = 8
STAGES = 3
LOWEST = -2.0
"""Stands for the cosine of a pair that is not allowed."""


class Maxima(NamedTuple):
    """Highest cosines, in half precision.

    Attributes:
        groups: of each query in every group of 16 rows.
        tiles: of each query in every tile of 256 rows.
    """

    groups: torch.Tensor
    tiles: torch.Tensor


def tile_maxima(corpus: torch.Tensor, queries: range, same: torch.Tensor, other: torch.Tensor) -> Maxima:
    """Maxima of the cosines of some rows with all rows.

    Args:
        corpus: unit vectors in bfloat16; rows and columns fill whole tiles.
        queries: the rows whose maxima are wanted.
        same: numbers of all rows, one array for each condition: those of an allowed pair are equal.
        other: likewise; those of an allowed pair differ.
    """
    groups = torch.empty(len(queries), len(corpus) // GROUP, dtype=torch.float16, device=corpus.device)
    tiles = torch.empty(len(queries), len(corpus) // TILE, dtype=torch.float16, device=corpus.device)
    maxima = Maxima(groups, tiles)
    (_fuse if corpus.is_cuda else _multiply)(corpus, queries, same, other, maxima)
    return maxima


def _multiply(corpus: torch.Tensor, queries: range, same: torch.Tensor, other: torch.Tensor, maxima: Maxima) -> None:
    """Without a GPU: the product of matrices is written out."""
    chosen = slice(queries.start, queries.stop)
    cosines = corpus[chosen].float() @ corpus.float().T
    for numbers in same:
        cosines[numbers[chosen, None] != numbers] = LOWEST
    for numbers in other:
        cosines[numbers[chosen, None] == numbers] = LOWEST
    maxima.groups.copy_(cosines.view(len(queries), -1, GROUP).amax(dim=2))
    maxima.tiles.copy_(cosines.view(len(queries), -1, TILE).amax(dim=2))


def _fuse(corpus: torch.Tensor, queries: range, same: torch.Tensor, other: torch.Tensor, maxima: Maxima) -> None:
    """On a GPU: one kernel multiplies and takes maxima in registers."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    from similitude.collect.candidates.gpu_neighbours.triton_kernels import maxima_kernel

    processors = torch.cuda.get_device_properties(corpus.device).multi_processor_count
    left = TensorDescriptor.from_tensor(corpus[queries.start : queries.stop], [QUERY_TILE, DEPTH])
    right = TensorDescriptor.from_tensor(corpus, [TILE, DEPTH])
    maxima_kernel[(processors,)](
        left, right, same, other, *maxima, queries.start, len(queries), len(corpus), width=corpus.shape[1],
        sames=len(same), others=len(other), processors=processors, tile_rows=QUERY_TILE,
        tile_columns=TILE, tile_depth=DEPTH, group_size=GROUP, band=BAND, num_warps=WARPS, num_stages=STAGES,
    )  # fmt: skip
