"""Kernels in Triton; imported only where there is a GPU."""

# The names of Triton's own functions are not typed, and a kernel's parameters cannot be annotated otherwise.
# mypy: ignore-errors

from __future__ import annotations

import triton
import triton.language as tl

__all__ = ["maxima_kernel", "scores_kernel"]


@triton.jit
def maxima_kernel(
    left, right, same, other, groups, tiles, start, queries, rows,
    WIDTH: tl.constexpr, SAME: tl.constexpr, OTHER: tl.constexpr, PROCESSORS: tl.constexpr,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr, BAND: tl.constexpr,
):  # fmt: skip
    """Each program takes tiles of the product in turn; bands of query tiles share what lies in the cache."""
    down, across = tl.cdiv(queries, M), rows // N
    for number in tl.range(tl.program_id(0), down * across, PROCESSORS, flatten=True):
        first = number // (BAND * across) * BAND
        height = min(down - first, BAND)
        row = first + number % (BAND * across) % height
        column = number % (BAND * across) // height
        cosines = tl.zeros((M, N), tl.float32)
        for depth in range(0, WIDTH, K):
            cosines = tl.dot(left.load([row * M, depth]), right.load([column * N, depth]).T, cosines)
        query = row * M + tl.arange(0, M)
        is_query = query < queries
        if SAME + OTHER > 0:
            place = column * N + tl.arange(0, N)
            for condition in tl.static_range(SAME):
                mine = tl.load(same + condition * rows + start + query, mask=is_query, other=0)
                theirs = tl.load(same + condition * rows + place)
                cosines = tl.where(mine[:, None] == theirs[None, :], cosines, -2.0)
            for condition in tl.static_range(OTHER):
                mine = tl.load(other + condition * rows + start + query, mask=is_query, other=0)
                theirs = tl.load(other + condition * rows + place)
                cosines = tl.where(mine[:, None] != theirs[None, :], cosines, -2.0)
        highest = tl.max(tl.reshape(cosines, (M, N // GROUP, GROUP)), axis=2)
        group = column * (N // GROUP) + tl.arange(0, N // GROUP)
        target = groups + query[:, None].to(tl.int64) * (rows // GROUP) + group[None, :]
        tl.store(target, highest.to(tl.float16), mask=is_query[:, None])
        tl.store(tiles + query.to(tl.int64) * across + column, tl.max(highest, axis=1).to(tl.float16), mask=is_query)


@triton.jit
def scores_kernel(
    vectors, query_rows, blocks, scores, WIDTH: tl.constexpr, BLOCKS: tl.constexpr, SIZE: tl.constexpr,
    STEP: tl.constexpr, DEPTH: tl.constexpr,
):  # fmt: skip
    """One program for each query: its products with the rows of some blocks of ``SIZE`` rows."""
    number = tl.program_id(0).to(tl.int64)
    query = tl.load(query_rows + number).to(tl.int64)
    for start in range(0, BLOCKS, STEP):
        place = start * SIZE + tl.arange(0, STEP * SIZE)
        is_wanted = place < BLOCKS * SIZE
        block = tl.load(blocks + number * BLOCKS + place // SIZE, mask=is_wanted, other=0).to(tl.int64)
        row = block * SIZE + place % SIZE
        total = tl.zeros((STEP * SIZE,), tl.float32)
        for depth in tl.static_range(0, WIDTH, DEPTH):
            column = depth + tl.arange(0, DEPTH)
            mine = tl.load(vectors + query * WIDTH + column).to(tl.float32)
            theirs = tl.load(vectors + row[:, None] * WIDTH + column[None, :], mask=is_wanted[:, None], other=0.0)
            total += tl.sum(theirs.to(tl.float32) * mine[None, :], axis=1)
        tl.store(scores + number * BLOCKS * SIZE + place, total, mask=is_wanted)
