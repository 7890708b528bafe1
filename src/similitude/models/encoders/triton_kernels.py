"""Kernels in Triton; imported only where there is a GPU."""

# The names of Triton's own functions are not typed, and a kernel's parameters cannot be annotated otherwise.
# mypy: ignore-errors

import triton
import triton.language as tl

__all__ = [
    "gate_backward_kernel",
    "gate_forward_kernel",
    "norm_backward_kernel",
    "norm_forward_kernel",
    "short_attention_kernel",
]


@triton.jit
def _is_kept(seed, place, threshold):
    """Whether each value survives dropout: a hash of its place and the seed, of 32 bits, reaches the threshold.

    Triton's own generator takes longer than everything else in these kernels.
    """
    mixed = place.to(tl.uint32) * 0x9E3779B1 + tl.load(seed).to(tl.uint32)
    mixed = (mixed ^ (mixed >> 16)) * 0x7FEB352D
    mixed = (mixed ^ (mixed >> 15)) * 0x846CA68B
    return (mixed ^ (mixed >> 16)) >= threshold


@triton.jit
def norm_forward_kernel(
    values, residual, weight, bias, seed, sums, normed, means, rates, width, eps, threshold, scaling,
    size: tl.constexpr, drops: tl.constexpr,
):  # fmt: skip
    """One row per program: dropout, the residual added, and the norm."""
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, size)
    inside = column < width
    place = row * width + column
    value = tl.load(values + place, mask=inside, other=0.0).to(tl.float32)
    if drops:
        value = tl.where(_is_kept(seed, place, threshold), value * scaling, 0.0)
    total = (value + tl.load(residual + place, mask=inside, other=0.0).to(tl.float32)).to(sums.dtype.element_ty)
    tl.store(sums + place, total, mask=inside)
    value = total.to(tl.float32)
    mean = tl.sum(value, axis=0) / width
    centred = tl.where(inside, value - mean, 0.0)
    rate = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / width + eps)
    scale = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    shift = tl.load(bias + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(normed + place, (centred * rate * scale + shift).to(normed.dtype.element_ty), mask=inside)
    tl.store(means + row, mean)
    tl.store(rates + row, rate)


@triton.jit
def norm_backward_kernel(
    gradient, sums, weight, seed, means, rates, to_values, to_residual, partial, rows, turns, programs, width,
    threshold, scaling, size: tl.constexpr, drops: tl.constexpr,
):  # fmt: skip
    """Each program takes rows in turn, and sums up its share of the gradient of weight and bias."""
    program = tl.program_id(0)
    column = tl.arange(0, size)
    inside = column < width
    scale = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    of_weight = tl.zeros((size,), tl.float32)
    of_bias = tl.zeros((size,), tl.float32)
    for turn in range(turns):
        row = program + turn * programs
        own = inside & (row < rows)
        place = tl.cast(row, tl.int64) * width + column
        given = tl.load(gradient + place, mask=own, other=0.0).to(tl.float32)
        mean = tl.load(means + row, mask=row < rows, other=0.0)
        rate = tl.load(rates + row, mask=row < rows, other=0.0)
        normed = tl.where(own, (tl.load(sums + place, mask=own, other=0.0).to(tl.float32) - mean) * rate, 0.0)
        of_weight += given * normed
        of_bias += given
        scaled = given * scale
        along = tl.sum(scaled * normed, axis=0) / width
        found = (scaled - tl.sum(scaled, axis=0) / width - normed * along) * rate
        tl.store(to_residual + place, found.to(to_residual.dtype.element_ty), mask=own)
        if drops:
            kept = tl.where(_is_kept(seed, place, threshold), found * scaling, 0.0)
            tl.store(to_values + place, kept.to(to_values.dtype.element_ty), mask=own)
    tl.store(partial + program * 2 * width + column, of_weight, mask=inside)
    tl.store(partial + (program * 2 + 1) * width + column, of_bias, mask=inside)


@triton.jit
def gate_forward_kernel(gate, values, gated, count, block: tl.constexpr):
    """silu(gate) * values."""
    place = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)
    inside = place < count
    opened = tl.load(gate + place, mask=inside, other=0.0).to(tl.float32)
    value = tl.load(values + place, mask=inside, other=0.0).to(tl.float32)
    tl.store(gated + place, (opened * tl.sigmoid(opened) * value).to(gated.dtype.element_ty), mask=inside)


@triton.jit
def gate_backward_kernel(gradient, gate, values, to_gate, to_values, count, block: tl.constexpr):
    """The gradient of both factors."""
    place = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)
    inside = place < count
    given = tl.load(gradient + place, mask=inside, other=0.0).to(tl.float32)
    opened = tl.load(gate + place, mask=inside, other=0.0).to(tl.float32)
    value = tl.load(values + place, mask=inside, other=0.0).to(tl.float32)
    share = tl.sigmoid(opened)
    tl.store(to_values + place, (given * opened * share).to(to_values.dtype.element_ty), mask=inside)
    slope = share * (1.0 + opened * (1.0 - share))
    tl.store(to_gate + place, (given * value * slope).to(to_gate.dtype.element_ty), mask=inside)


@triton.jit
def short_attention_kernel(
    joined, bias, mask, mixed, length, width, scale,
    size: tl.constexpr, head_size: tl.constexpr,
):  # fmt: skip
    """One text and head per program: softmax(query key' * scale + bias) value, over all tokens of the text at once."""
    text, head = tl.program_id(0).to(tl.int64), tl.program_id(1)
    token = tl.arange(0, size)
    column = head * head_size + tl.arange(0, head_size)
    inside = token < length
    places = joined + (text * length + token[:, None]) * (3 * width) + column[None, :]
    query = tl.load(places, mask=inside[:, None], other=0.0)
    key = tl.load(places + width, mask=inside[:, None], other=0.0)
    value = tl.load(places + 2 * width, mask=inside[:, None], other=0.0)
    scores = tl.dot(query, tl.trans(key)) * scale
    pair = (head * length + token[:, None]) * length + token[None, :]
    scores += tl.load(bias + pair, mask=inside[:, None] & inside[None, :], other=0.0).to(tl.float32)
    is_token = tl.load(mask + text * length + token, mask=inside, other=0) != 0
    scores = tl.where(is_token[None, :], scores, -1.0e30)
    weights = tl.exp(scores - tl.max(scores, axis=1)[:, None])
    shares = weights / tl.sum(weights, axis=1)[:, None]
    found = tl.dot(shares.to(value.dtype), value)
    target = mixed + (text * length + token[:, None]) * width + column[None, :]
    tl.store(target, found.to(mixed.dtype.element_ty), mask=inside[:, None])
