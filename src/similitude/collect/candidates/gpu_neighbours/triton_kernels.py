"""Kernels in Triton; imported only where there is a GPU."""

# The names of Triton's own functions are not typed, and a kernel's parameters cannot be annotated otherwise.
# mypy: ignore-errors

import triton
import triton.language as tl

__all__ = ["maxima_kernel", "scores_kernel"]


@triton.jit
def maxima_kernel(
    left, right, same, other, groups, tiles, start, queries, rows,
    width: tl.constexpr, sames: tl.constexpr, others: tl.constexpr, processors: tl.constexpr,
    tile_rows: tl.constexpr, tile_columns: tl.constexpr, tile_depth: tl.constexpr, group_size: tl.constexpr,
    band: tl.constexpr,
):  # fmt: skip
    """Each program takes tiles of the product in turn; bands of query tiles share what lies in the cache."""
    down, across = tl.cdiv(queries, tile_rows), rows // tile_columns
    for number in tl.range(tl.program_id(0), down * across, processors, flatten=True):
        first = number // (band * across) * band
        height = min(down - first, band)
        row = first + number % (band * across) % height
        column = number % (band * across) // height
        cosines = tl.zeros((tile_rows, tile_columns), tl.float32)
        for depth in range(0, width, tile_depth):
            cosines = tl.dot(left.load([row * tile_rows, depth]), right.load([column * tile_columns, depth]).T, cosines)
        query = row * tile_rows + tl.arange(0, tile_rows)
        is_query = query < queries
        if sames + others > 0:
            place = column * tile_columns + tl.arange(0, tile_columns)
            for condition in tl.static_range(sames):
                mine = tl.load(same + condition * rows + start + query, mask=is_query, other=0)
                theirs = tl.load(same + condition * rows + place)
                cosines = tl.where(mine[:, None] == theirs[None, :], cosines, -2.0)
            for condition in tl.static_range(others):
                mine = tl.load(other + condition * rows + start + query, mask=is_query, other=0)
                theirs = tl.load(other + condition * rows + place)
                cosines = tl.where(mine[:, None] != theirs[None, :], cosines, -2.0)
        highest = tl.max(tl.reshape(cosines, (tile_rows, tile_columns // group_size, group_size)), axis=2)
        group = column * (tile_columns // group_size) + tl.arange(0, tile_columns // group_size)
        target = groups + query[:, None].to(tl.int64) * (rows // group_size) + group[None, :]
        tl.store(target, highest.to(tl.float16), mask=is_query[:, None])
        tl.store(tiles + query.to(tl.int64) * across + column, tl.max(highest, axis=1).to(tl.float16), mask=is_query)


@triton.jit
def scores_kernel(
    vectors, query_rows, blocks, scores, width: tl.constexpr, block_count: tl.constexpr, size: tl.constexpr,
    step: tl.constexpr, depth_step: tl.constexpr,
):  # fmt: skip
    """One program for each query: its products with the rows of some blocks of ``size`` rows."""
    number = tl.program_id(0).to(tl.int64)
    query = tl.load(query_rows + number).to(tl.int64)
    for start in range(0, block_count, step):
        place = start * size + tl.arange(0, step * size)
        is_wanted = place < block_count * size
        block = tl.load(blocks + number * block_count + place // size, mask=is_wanted, other=0).to(tl.int64)
        row = block * size + place % size
        total = tl.zeros((step * size,), tl.float32)
        for depth in tl.static_range(0, width, depth_step):
            column = depth + tl.arange(0, depth_step)
            mine = tl.load(vectors + query * width + column).to(tl.float32)
            theirs = tl.load(vectors + row[:, None] * width + column[None, :], mask=is_wanted[:, None], other=0.0)
            total += tl.sum(theirs.to(tl.float32) * mine[None, :], axis=1)
        tl.store(scores + number * block_count * size + place, total, mask=is_wanted)
