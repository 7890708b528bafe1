"""MPNet with fused attention.

The MPNet of transformers computes attention in single steps, and its mask moves a number from host to GPU in each pass,
which prevents the recording of a training step. Here relative positions and padding are one bias of the scaled dot
product, which torch computes in one kernel. For short texts that are encoded on a GPU, a kernel of our own takes a text
and a head at a time: torch's tiles are made for long ones. The result is the same up to rounding. Requires torch.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["WeightRows", "fuse_mpnet", "join_projections"]

_BLOCKED = -1e4
"""Added to the scores of padding; its softmax is 0 in every precision."""

_SHORT = 128
"""Tokens that one program of our own kernel holds, at most."""


class WeightRows(NamedTuple):
    """Some rows of a weight that hold what was a weight of its own."""

    whole: Any
    rows: slice


def fuse_mpnet(transformer: nn.Module) -> None:
    """Make an MPNet compute with fused attention; other transformers are left alone."""
    from transformers import MPNetModel

    if type(transformer) is MPNetModel:
        transformer.forward = MethodType(_forward, transformer)


def _forward(
    self: Any,
    input_ids: Tensor | None = None,
    attention_mask: Tensor | None = None,
    position_ids: Tensor | None = None,
    **others: Any,
) -> Any:
    """The last hidden state; whatever else is requested, such as attentions, is computed as transformers does it."""
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    others.pop("token_type_ids", None)  # MPNet has none, and some tokenisers give them
    if input_ids is None or any(value for name, value in others.items() if name != "return_dict"):
        return type(self).forward(
            self, input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, **others
        )
    hidden = self.embeddings(input_ids=input_ids, position_ids=position_ids)
    bias = _position_bias(self.encoder, hidden.shape[1])
    mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
    is_short = mask.dim() == 2 and _is_short(self, hidden)
    attend = _short_attention(bias, mask) if is_short else _attention(bias, attention_mask)
    for layer in self.encoder.layer:
        attended = _attended(layer.attention, hidden, attend)
        hidden = layer.output(layer.intermediate(attended), attended)
    return BaseModelOutputWithPooling(last_hidden_state=hidden)


def join_projections(transformer: nn.Module) -> dict[str, WeightRows]:
    """Join the layers for query, key and value of each attention into one, which is faster; MPNet only.

    Returns:
        Where the weights of the former layers are now, by their names.
    """
    found: dict[str, WeightRows] = {}
    for name, module in transformer.named_modules():
        if type(module).__name__ == "MPNetSelfAttention" and hasattr(transformer.forward, "__func__"):
            own: Any = module
            if all(type(part) is nn.Linear for part in (own.q, own.k, own.v)):
                found |= _joined(name, own)
    return found


def _joined(name: str, attention: Any) -> dict[str, WeightRows]:
    parts = [(letter, getattr(attention, letter)) for letter in "qkv"]
    first, size = attention.q.weight, attention.q.out_features
    joined = nn.Linear(first.shape[1], 3 * size, device=first.device, dtype=first.dtype)
    rows = {}
    for number, (letter, part) in enumerate(parts):
        place = slice(number * size, (number + 1) * size)
        for kind, whole in (("weight", joined.weight), ("bias", joined.bias)):
            with torch.no_grad():
                whole[place] = getattr(part, kind)
            rows[f"{name}.{letter}.{kind}"] = WeightRows(whole, place)
        delattr(attention, letter)
    attention.joined = joined
    return rows


def _position_bias(encoder: Any, length: int) -> Tensor:
    """What each head adds for the distance of two tokens: 1 x heads x length x length."""
    weight: Tensor = encoder.relative_attention_bias.weight
    places = torch.arange(length, device=weight.device)
    buckets = encoder.relative_position_bucket(places[None, :] - places[:, None], num_buckets=len(weight))
    # A product with one-hot rows: the gradient of a lookup adds up row by row, which takes longer than a layer.
    chosen = (buckets.unsqueeze(-1) == torch.arange(len(weight), device=weight.device)).to(weight.dtype)
    bias: Tensor = (chosen.view(-1, len(weight)) @ weight).view(length, length, -1)
    return bias.permute(2, 0, 1).unsqueeze(0).contiguous()  # otherwise no fused kernel takes it


def _attended(attention: Any, hidden: Tensor, attend: Callable[[Any, Tensor], Tensor]) -> Tensor:
    outputs = attention.attn.o(attend(attention.attn, hidden))
    if hasattr(attention, "summed"):
        outputs = attention.summed(outputs, hidden)
    else:
        outputs = attention.LayerNorm(attention.dropout(outputs) + hidden)
    return outputs  # type: ignore[no-any-return]


def _attention(bias: Tensor, mask: Tensor | None) -> Callable[[Any, Tensor], Tensor]:
    """Attention by torch's kernels, with relative positions and padding as one bias."""
    if mask is not None:
        seen = mask if mask.dim() == 4 else mask[:, None, None, :]
        bias = (bias + (seen == 0).to(bias.dtype) * _BLOCKED).contiguous()

    def attend(own: Any, hidden: Tensor) -> Tensor:
        shape = (*hidden.shape[:2], -1, own.attention_head_size)
        is_joined = hasattr(own, "joined")
        parts = own.joined(hidden).chunk(3, dim=-1) if is_joined else [part(hidden) for part in (own.q, own.k, own.v)]
        query, key, value = (part.view(shape).transpose(1, 2) for part in parts)
        added = bias.to(query.dtype).expand(len(query), -1, -1, -1)
        dropped = own.dropout.p if own.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=added, dropout_p=dropped)
        return mixed.transpose(1, 2).flatten(2)

    return attend


def _is_short(transformer: Any, hidden: Tensor) -> bool:
    """Whether texts are encoded without gradient, in half precision, and each fits into one program of our kernel."""
    own = transformer.encoder.layer[0].attention.attn
    is_used = hidden.is_cuda and not torch.is_grad_enabled() and not transformer.training and hasattr(own, "joined")
    sizes = hidden.shape[1] <= _SHORT and own.attention_head_size in (16, 32, 64, 128)
    return is_used and sizes and hidden.element_size() == 2


def _short_attention(bias: Tensor, mask: Tensor) -> Callable[[Any, Tensor], Tensor]:
    """Attention of short texts by our own kernel."""
    mask = mask.contiguous()

    def attend(own: Any, hidden: Tensor) -> Tensor:
        from similitude.models.encoders.triton_kernels import short_attention_kernel

        joined = own.joined(hidden)
        texts, length, _ = hidden.shape
        width, head = joined.shape[-1] // 3, own.attention_head_size
        mixed = hidden.new_empty(texts, length, width)
        size = max(16, 1 << (length - 1).bit_length())
        short_attention_kernel[(texts, width // head)](
            joined, bias, mask, mixed, length, width, head**-0.5,
            size=size, head_size=head, num_warps=max(1, size // 32),
        )  # fmt: skip
        return mixed

    return attend
