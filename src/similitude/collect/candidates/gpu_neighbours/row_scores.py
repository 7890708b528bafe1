"""Products of queries with rows that were chosen for each of them."""

from __future__ import annotations

import torch

__all__ = ["row_scores"]

STEP_ROWS = 64
DEPTH = 128
CPU_QUERIES = 256


def row_scores(vectors: torch.Tensor, queries: torch.Tensor, blocks: torch.Tensor, size: int) -> torch.Tensor:
    """For each query its products with the rows of its blocks, summed in float32.

    Args:
        vectors: all rows.
        queries: the row of each query.
        blocks: for each query the numbers of some blocks.
        size: block ``b`` holds the rows from ``b * size`` up to ``(b + 1) * size``.
    """
    scores = torch.empty(len(queries), blocks.shape[1] * size, dtype=torch.float32, device=vectors.device)
    (_run_kernel if vectors.is_cuda else _gather)(vectors, queries, blocks, size, scores)
    return scores


def _run_kernel(
    vectors: torch.Tensor, queries: torch.Tensor, blocks: torch.Tensor, size: int, scores: torch.Tensor
) -> None:
    from similitude.collect.candidates.gpu_neighbours.triton_kernels import scores_kernel

    scores_kernel[(len(queries),)](
        vectors, queries, blocks.contiguous(), scores, width=vectors.shape[1], block_count=blocks.shape[1], size=size,
        step=max(1, STEP_ROWS // size), depth_step=DEPTH, num_warps=4,
    )  # fmt: skip


def _gather(
    vectors: torch.Tensor, queries: torch.Tensor, blocks: torch.Tensor, size: int, scores: torch.Tensor
) -> None:
    for start in range(0, len(queries), CPU_QUERIES):
        part = slice(start, start + CPU_QUERIES)
        rows = (blocks[part, :, None] * size + torch.arange(size)).flatten(1)
        scores[part] = torch.einsum("qrd,qd->qr", vectors[rows].float(), vectors[queries[part]].float())
