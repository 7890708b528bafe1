"""MC-Dropout: many passes with dropout left on, in which what is dropped follows from the text and the pass alone.

Torch draws dropout masks for a whole batch from one stream, so that a text's mask would depend on its neighbours. Here
each row of a batch has a seed, made of its tokens and the number of the pass, and its masks are a hash of that seed, of
how many masks came before, and of the place in the row. So a text's answer does not depend on the other texts of the
call, on their order, or on the size of batches, and a second call gives the same.

All of the model's own dropout counts, that on attention included: calls of torch's functions are caught on their way,
so the transformer need not be changed. Imported only where torch is known to be there.

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
"""A hash of 64 bits decides over four numbers, 16 bits for each: shares are exact to 1/65,536."""


def run_passes(
    rows: Callable[[Mapping[str, Tensor]], Tensor], tokens: Mapping[str, Any], passes: int, at_once: int
) -> Tensor:
    """Texts x (passes x numbers): what comes out for each text in each pass.

    Args:
        rows: a network in training mode, from tokens to one row of numbers a text.
        tokens: by name; they are made once, whatever the number of passes.
        passes: how many.
        at_once: passes computed in one batch.
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
    """One number a row, made of its tokens and their order; padding does not count."""
    places = mask.long().cumsum(dim=1)
    return (_hash(ids.long() * _STEP + places) * mask.long()).sum(dim=1)


def keep_mask(seeds: Tensor, number: int, size: int, share: float) -> Tensor:
    """Rows x size, in float32: 0 for what is dropped, with the probability of the share to 1/65,536, else 1.

    Args:
        seeds: one a row.
        number: of the mask in this pass.
        size: numbers of a row.
        share: to drop.
    """
    places = torch.arange(number << 40, (number << 40) + -(-size // _LANES), device=seeds.device) * _STEP
    lanes = _hash(seeds[:, None] + places).view(torch.int16)[:, :size]
    # Whole numbers, so that cutting to 0..1 is a comparison: four times as fast on a CPU as one that ends in booleans.
    return lanes.float().sub_(round(share * _LEVELS) - _LEVELS // 2 - 1).clamp_(0.0, 1.0)


class RowDropout(TorchFunctionMode):
    """While it is entered, dropout follows the seeds of the rows.

    The first dimension of whatever is dropped from must be the rows, or rows x something.
    """

    def __init__(self, seeds: Tensor) -> None:
        super().__init__()
        self._seeds, self._masks = seeds, 0

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Our dropout in the place of torch's; everything else as it is."""
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
                f"drops from {values.shape[0]} rows at a time where there are {len(self._seeds)} texts",
                where="the model",
                remedy="passes need an encoder whose batches go through it row by row; leave passes out",
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
        """Softmax(q k' / sqrt(d)) v with our dropout on the softmax, as torch's reference has it."""
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
    """Whether anything would be dropped."""
    return any(isinstance(module, nn.Dropout) and module.p > 0 for module in network.modules())


def _dropout_of_attention(*args: Any, **kwargs: Any) -> bool:
    return bool(args[4] if len(args) > 4 else kwargs.get("dropout_p", 0.0))


def _hash(numbers: Tensor) -> Tensor:
    """Well mixed numbers of 64 bits, the same for the same ones, in the place of those handed in.

    Shifts of negative numbers carry their sign along, which a multiplication at the end makes good.
    """
    shifted = numbers >> 31
    numbers.bitwise_xor_(shifted).mul_(_FACTORS[0])
    torch.bitwise_right_shift(numbers, 31, out=shifted)
    return numbers.bitwise_xor_(shifted).mul_(_FACTORS[1])
