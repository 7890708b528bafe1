"""MC-Dropout: several passes with dropout, whose masks depend only on the text and the pass.

Torch draws the masks of a whole batch from one stream, so a text's mask would depend on the other texts. Here each row
of a batch has a seed, derived from its tokens and the number of the pass, and its masks are a hash of that seed, of the
number of earlier masks, and of the position in the row. So a text's output does not depend on the other texts, their
order or the batch size, and is reproducible.

All dropout of the model is covered, including attention dropout: calls of torch's functions are intercepted, so the
transformer need not be changed. Requires torch.

References:
    Gal and Ghahramani (2016), Dropout as a Bayesian Approximation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from similitude.errors import ArgumentError

__all__ = ["RowDropout", "has_dropout", "keep_mask", "row_seeds", "run_passes"]

_STEP = -7046029254386353131  # 2^64 / golden ratio, odd: consecutive numbers land far apart
_FACTORS = (-4658895280553007687, -7723592293110705685)  # of splitmix64: odd, half of their bits set
_LANES, _LEVELS = 4, 1 << 16
"""A hash of 64 bits decides four values, 16 bits each: shares are exact to 1/65,536."""


def run_passes(
    rows: Callable[[Mapping[str, Tensor]], Tensor], tokens: Mapping[str, Any], passes: int, at_once: int
) -> Tensor:
    """Output of each text in each pass: texts x (passes x outputs).

    Args:
        rows: a network in training mode; maps tokens to one row of outputs per text.
        tokens: the tokens by name; they are reused for all passes.
        passes: the number of passes.
        at_once: passes per batch.
    """
    tensors = {name: value for name, value in tokens.items() if isinstance(value, Tensor)}
    seeds = row_seeds(tensors["input_ids"], tensors["attention_mask"])
    parts = []
    for start in range(0, passes, at_once):
        numbers = torch.arange(start, min(start + at_once, passes), device=seeds.device)
        repeated = {name: value.repeat(len(numbers), 1) for name, value in tensors.items()}
        with RowDropout(_hash(seeds + (numbers[:, None] + 1) * _STEP).reshape(-1)):
            parts.append(rows(repeated).reshape(len(numbers), len(seeds), -1))
    return torch.cat(parts).transpose(0, 1).reshape(len(seeds), -1)


def row_seeds(ids: Tensor, mask: Tensor) -> Tensor:
    """One seed per row, from its tokens and their order; padding does not count."""
    places = mask.long().cumsum(dim=1)
    return (_hash(ids.long() * _STEP + places) * mask.long()).sum(dim=1)


def keep_mask(seeds: Tensor, number: int, size: int, share: float) -> Tensor:
    """Dropout mask, rows x size, in float32: 0 (dropped) with the given probability to 1/65,536, else 1.

    Args:
        seeds: one seed per row.
        number: the number of the mask in this pass.
        size: values per row.
        share: the share to drop.
    """
    places = torch.arange(number << 40, (number << 40) + -(-size // _LANES), device=seeds.device) * _STEP
    lanes = _hash(seeds[:, None] + places).view(torch.int16)[:, :size]
    # Integers, so that clamping to 0..1 is a comparison: on a CPU four times as fast as one with booleans.
    return lanes.float().sub_(round(share * _LEVELS) - _LEVELS // 2 - 1).clamp_(0.0, 1.0)


class RowDropout(TorchFunctionMode):
    """Context in which dropout follows the seeds of the rows.

    The first dimension of the values must be the rows, or a multiple of them.
    """

    def __init__(self, seeds: Tensor) -> None:
        super().__init__()
        self._seeds, self._masks = seeds, 0

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Replace torch's dropout; pass everything else on."""
        given = kwargs or {}
        if func is functional.dropout:
            return self._dropout(*args, **given)
        if func is functional.scaled_dot_product_attention and _dropout_of_attention(*args, **given):
            return self._attention(*args, **given)
        return func(*args, **given)

    def _dropout(self, values: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
        if not training or p == 0:
            return values
        if values.shape[0] % len(self._seeds):
            raise ArgumentError(
                f"applies dropout to {values.shape[0]} rows at a time, but there are {len(self._seeds)} texts",
                where="the model",
                remedy="leave passes out; they need an encoder that keeps the rows of a batch separate",
            )
        kept = keep_mask(self._seeds, self._masks, values.numel() // len(self._seeds), p)
        self._masks += 1
        return kept.view(values.shape).mul_(values).mul_(1.0 / (1.0 - round(p * _LEVELS) / _LEVELS)).to(values.dtype)

    def _attention(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Tensor:
        """Softmax(q k' / sqrt(d)) v with our dropout on the softmax, as in torch's reference implementation."""
        if enable_gqa:
            key, value = (part.repeat_interleave(query.shape[-3] // part.shape[-3], dim=-3) for part in (key, value))
        scores = query * (query.shape[-1] ** -0.5 if scale is None else scale) @ key.transpose(-2, -1)
        if is_causal:
            attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
        if attn_mask is not None and attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        elif attn_mask is not None:
            scores = scores + attn_mask
        return self._dropout(scores.softmax(dim=-1), dropout_p) @ value


def has_dropout(network: nn.Module) -> bool:
    """Whether the network has any dropout."""
    return any(isinstance(module, nn.Dropout) and module.p > 0 for module in network.modules())


def _dropout_of_attention(*args: Any, **kwargs: Any) -> bool:
    return bool(args[4] if len(args) > 4 else kwargs.get("dropout_p", 0.0))


def _hash(numbers: Tensor) -> Tensor:
    """Hash 64-bit integers in place.

    Right shifts of negative numbers extend the sign; the final multiplication compensates for that.
    """
    shifted = numbers >> 31
    numbers.bitwise_xor_(shifted).mul_(_FACTORS[0])
    torch.bitwise_right_shift(numbers, 31, out=shifted)
    return numbers.bitwise_xor_(shifted).mul_(_FACTORS[1])
