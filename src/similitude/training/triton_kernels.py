"""Kernels in Triton; imported only where there is a GPU."""

# The names of Triton's own functions are not typed, and a kernel's parameters cannot be annotated otherwise.
# mypy: ignore-errors

import triton
import triton.language as tl

__all__ = ["adamw_kernel"]


@triton.jit
def adamw_kernel(
    gradient, weight, first, second, twin, rate, divisor, step, decay, beta1, beta2, eps, count, block: tl.constexpr
):
    """One step of AdamW on a block of one weight, which is also rounded into its twin."""
    place = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)
    inside = place < count
    found = tl.load(gradient + place, mask=inside, other=0.0).to(tl.float32) / tl.load(divisor)
    speed, steps = tl.load(rate), tl.load(step)
    mean = beta1 * tl.load(first + place, mask=inside, other=0.0) + (1.0 - beta1) * found
    square = beta2 * tl.load(second + place, mask=inside, other=0.0) + (1.0 - beta2) * found * found
    whole1 = 1.0 - tl.exp(steps * tl.log(beta1 * 1.0))
    whole2 = 1.0 - tl.exp(steps * tl.log(beta2 * 1.0))
    value = tl.load(weight + place, mask=inside, other=0.0) * (1.0 - speed * decay)
    value -= speed * (mean / whole1) / (tl.sqrt(square / whole2) + eps)
    tl.store(weight + place, value, mask=inside)
    tl.store(first + place, mean, mask=inside)
    tl.store(second + place, square, mask=inside)
    tl.store(twin + place, value.to(twin.dtype.element_ty), mask=inside)
