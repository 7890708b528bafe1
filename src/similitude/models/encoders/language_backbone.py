"""Causal language models as backbones, which have no separator for pairs.

A BERT-like encoder has a token that separates two texts. A language model has none: a template presents both texts in
one sentence, and the model's representation is at the end of it.

Requires torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from similitude.errors import ArgumentError
from similitude.models.encoders.merged_rows import PLACES, merged_states

__all__ = ["TOKENS", "hidden_states", "is_language_model", "last_and_mean", "last_token", "truncate_layers"]

TOKENS = ("input_ids", "attention_mask", "token_type_ids")
"""The inputs of a transformer, if its tokeniser produces them."""

_STACKS = ("layers", "layer", "h", "blocks")


def is_language_model(transformer: nn.Module) -> bool:
    """Whether the transformer is causal: a token's representation does not depend on later tokens."""
    device = next(transformer.parameters()).device
    first, second, third = _different_tokens(transformer)
    ids = torch.tensor([[first, second], [first, third]], device=device)
    was_training = transformer.training
    transformer.eval()
    with torch.inference_mode():
        hidden = transformer(input_ids=ids, attention_mask=torch.ones_like(ids), return_dict=True).last_hidden_state
    transformer.train(was_training)
    return bool(torch.equal(hidden[0, 0], hidden[1, 0]))


def _different_tokens(transformer: Any) -> tuple[int, int, int]:
    """Three tokens, the last two with different vectors: tokens that were never trained may share theirs."""
    vectors = transformer.get_input_embeddings().weight.detach()
    first, second, third = (number % len(vectors) for number in (5, 6, 7))
    if torch.equal(vectors[second], vectors[third]):
        others = torch.ne(vectors, vectors[second]).any(dim=1).nonzero().flatten().tolist()
        third = next(iter(others), third)
    return first, second, third


def last_token(hidden: Tensor, mask: Tensor) -> Tensor:
    """The last token's vector, layer-normalised.

    A few dimensions of language models are a thousand times larger than the others; without normalisation, a head or a
    cosine would see nothing else.
    """
    rows = torch.arange(len(hidden), device=hidden.device)
    places = torch.arange(mask.shape[1], device=mask.device)
    last = hidden[rows, (places * mask).argmax(dim=1)].float()
    return functional.layer_norm(last, last.shape[-1:])


def last_and_mean(hidden: Tensor, mask: Tensor) -> Tensor:
    """The last token's vector and the mean over all tokens, each layer-normalised: rows x twice the width."""
    weights = mask.unsqueeze(-1).float()
    mean = (hidden.float() * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1.0)
    return torch.cat([last_token(hidden, mask), functional.layer_norm(mean, mean.shape[-1:])], dim=-1)


def hidden_states(transformer: nn.Module, tokens: Mapping[str, Tensor], *, reads_forward: bool) -> Tensor:
    """The last hidden states of a transformer.

    Args:
        transformer: the transformer.
        tokens: padded on the right.
        reads_forward: whether it is causal. No token sees padding that comes after it, so no mask is needed, and
            attention is computed by a faster kernel. Rows that begin alike may come merged.
    """
    if PLACES in tokens:
        return merged_states(transformer, tokens)
    names = [name for name in TOKENS if name in tokens and not (reads_forward and name == "attention_mask")]
    states: Tensor = transformer(**{name: tokens[name] for name in names}, return_dict=True).last_hidden_state
    return states


def truncate_layers(transformer: nn.Module, count: int, where: str) -> None:
    """Keep only the first layers of a transformer, which makes it smaller and faster.

    Args:
        transformer: the transformer; it is modified.
        count: the number of layers to keep.
        where: the model's name, for the error.

    Raises:
        ArgumentError: it has fewer layers, or its layers cannot be found.
    """
    stacks = [
        (module, name, stack)
        for module in transformer.modules()
        for name, stack in module.named_children()
        if isinstance(stack, nn.ModuleList) and name in _STACKS
    ]
    if len(stacks) != 1:
        raise ArgumentError("has no unique stack of layers", where=where, remedy="leave --layers out")
    module, name, stack = stacks[0]
    if not 1 <= count <= len(stack):
        raise ArgumentError(
            f"cannot keep {count} of its layers: it has {len(stack)}",
            where=where,
            remedy=f"give --layers from 1 to {len(stack)}",
        )
    setattr(module, name, stack[:count])
    config: Any = transformer.config
    config.num_hidden_layers = count
    if getattr(config, "layer_types", None):  # the attention type of each layer
        config.layer_types = config.layer_types[:count]
