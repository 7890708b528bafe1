"""MPNet with fused attention.

The MPNet of transformers computes attention in single steps, and its mask moves a number from host to GPU in each pass,
which prevents the recording of a training step. Here relative positions and padding are one bias of the scaled dot
product, which torch computes in one kernel. The result is the same up to rounding. Requires torch.
"""

from __future__ import annotations

from types import MethodType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["WeightRows", "fuse_mpnet", "join_projections"]

_BLOCKED = -1e4
"""Added to the scores of padding; its softmax is 0 in every precision."""


class WeightRows(NamedTuple):
    """Some rows of a weight that hold what was a weight of its own."""

    whole: Any
    rows: slice


def fuse_mpnet(transformer: nn.Module) -> None:
    """Make an MPNet compute with fused attention; other transformers are left alone."""
    from transformers import MPNetModel

    if type(transformer) is MPNetModel:
        transformer.forward = MethodType(_forward, transformer)


def _forward(self: Any, input_ids: Tensor | None = None, attention_mask: Tensor | None = None, **others: Any) -> Any:
    """The last hidden state; whatever else is requested, such as attentions, is computed as transformers does it."""
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    if input_ids is None or any(value for name, value in others.items() if name != "return_dict"):
        return type(self).forward(self, input_ids=input_ids, attention_mask=attention_mask, **others)
    hidden = self.embeddings(input_ids=input_ids)
    bias = _position_bias(self.encoder, hidden.shape[1])
    if attention_mask is not None:
        bias = (bias + (1 - attention_mask)[:, None, None, :].to(bias.dtype) * _BLOCKED).contiguous()
    for layer in self.encoder.layer:
        attended = _attended(layer.attention, hidden, bias)
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


def _attended(attention: Any, hidden: Tensor, bias: Tensor) -> Tensor:
    own = attention.attn
    shape = (*hidden.shape[:2], -1, own.attention_head_size)
    is_joined = hasattr(own, "joined")
    parts = own.joined(hidden).chunk(3, dim=-1) if is_joined else [part(hidden) for part in (own.q, own.k, own.v)]
    query, key, value = (part.view(shape).transpose(1, 2) for part in parts)
    mask = bias.to(query.dtype).expand(len(query), -1, -1, -1)
    dropped = own.dropout.p if own.training else 0.0
    mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropped)
    outputs = own.o(mixed.transpose(1, 2).flatten(2))
    if hasattr(attention, "summed"):
        outputs = attention.summed(outputs, hidden)
    else:
        outputs = attention.LayerNorm(attention.dropout(outputs) + hidden)
    return outputs  # type: ignore[no-any-return]
