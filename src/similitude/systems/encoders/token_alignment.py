"""Greedy token matching by hidden states at every layer of a transformer. Requires torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from similitude.models.encoders.pair_tokens import PairMarks, SplitPair, split_pair, text_tokens

__all__ = ["MATCHED_ABOVE", "Side", "compare_tokens", "token_comparison"]

MATCHED_ABOVE = 0.8
"""A token counts as matched if its best match has a cosine above this."""

_NO_COSINE = -2.0
"""Placeholder where there is no token: lower than any cosine."""


class Side(NamedTuple):
    """One text of each pair.

    Attributes:
        hidden: rows x length x width, in float32.
        own: rows x length: whether the token belongs to the text itself.
    """

    hidden: Tensor
    own: Tensor


def token_comparison(transformer: Any, marks: PairMarks) -> Callable[[Mapping[str, Tensor]], Tensor]:
    """A function that compares the two texts of each row, each read by the transformer alone.

    Args:
        transformer: a transformer that returns ``hidden_states``.
        marks: how the tokeniser separates a pair.

    Returns:
        From tensors by name to rows x (4 x layers): the features of `compare_tokens` for the embeddings and each layer.
    """

    def rows(tokens: Mapping[str, Tensor]) -> Tensor:
        apart = split_pair(tokens["input_ids"], tokens["attention_mask"], *marks)
        own = [text_tokens(*side, marks.separator) for side in (apart[:2], apart[2:])]
        batch = _one_after_the_other(apart, has_kinds="token_type_ids" in tokens)
        layers = transformer(**batch, output_hidden_states=True, return_dict=True).hidden_states
        # Convert one layer at a time to float32: all at once would double the memory in half precision.
        pairs = (layer.float().chunk(2) for layer in layers)
        return torch.cat([compare_tokens(Side(left, own[0]), Side(right, own[1])) for left, right in pairs], dim=-1)

    return rows


def compare_tokens(left: Side, right: Side) -> Tensor:
    """Four features per row, independent of the order of the sides: 0 if one side has no tokens, 1 if neither has.

    Precision is the mean, over the tokens of the left text, of the highest cosine with a token of the right text;
    recall is the reverse. The features: the lower of the two; the higher; the cosine of the two mean vectors; the share
    of all tokens whose highest cosine exceeds `MATCHED_ABOVE`.
    """
    u, v = (functional.normalize(side.hidden, dim=-1) for side in (left, right))
    both = left.own.unsqueeze(2) & right.own.unsqueeze(1)
    cosines = (u @ v.transpose(1, 2)).clamp(-1.0, 1.0).masked_fill(~both, _NO_COSINE)
    best = cosines.amax(dim=2), cosines.amax(dim=1)
    precision, recall = (_mean(values, side.own) for values, side in zip(best, (left, right), strict=True))
    numbers = [
        torch.minimum(precision, recall),
        torch.maximum(precision, recall),
        functional.cosine_similarity(_mean(left.hidden, left.own), _mean(right.hidden, right.own), dim=-1),
        _mean((torch.cat(best, dim=1) > MATCHED_ABOVE).float(), torch.cat([left.own, right.own], dim=1)),
    ]
    return _settled(torch.stack(numbers, dim=-1), left.own.any(dim=1), right.own.any(dim=1))


def _one_after_the_other(apart: SplitPair, *, has_kinds: bool) -> dict[str, Tensor]:
    """Stack all left texts, then all right texts."""
    batch = {
        "input_ids": torch.cat([apart.left, apart.right]),
        "attention_mask": torch.cat([apart.left_mask, apart.right_mask]),
    }
    if has_kinds:
        batch["token_type_ids"] = torch.zeros_like(batch["input_ids"])
    return batch


def _mean(values: Tensor, own: Tensor) -> Tensor:
    """Mean over the tokens; 0 if there is none."""
    there = own.unsqueeze(-1) if values.dim() > own.dim() else own
    return values.masked_fill(~there, 0.0).sum(dim=1) / there.sum(dim=1).clamp(min=1)


def _settled(numbers: Tensor, left_has_any: Tensor, right_has_any: Tensor) -> Tensor:
    are_the_same = (left_has_any == right_has_any).float().unsqueeze(-1)
    return torch.where((left_has_any & right_has_any).unsqueeze(-1), numbers, are_the_same)
