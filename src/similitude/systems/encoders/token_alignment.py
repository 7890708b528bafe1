"""Greedy matching of tokens by their hidden states, at every layer of a transformer. Imported where torch is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from similitude.models.encoders.pair_tokens import PairMarks, SplitPair, split_pair, text_tokens

__all__ = ["MATCHED_ABOVE", "Side", "compare_tokens", "token_comparison"]

MATCHED_ABOVE = 0.8
"""A token counts as matched where its best match has a cosine above this."""

_NO_COSINE = -2.0
"""Stands where there is no token: less than any cosine."""


class Side(NamedTuple):
    """One text of each pair.

    Attributes:
        hidden: rows x length x numbers, in float32.
        own: rows x length: whether a token of the text itself stands there.
    """

    hidden: Tensor
    own: Tensor


def token_comparison(transformer: Any, marks: PairMarks) -> Callable[[Mapping[str, Tensor]], Tensor]:
    """What compares the two texts of each row of tokens, each read by the transformer as if it were alone.

    Args:
        transformer: of transformers; gives ``hidden_states``.
        marks: how the tokeniser marks a pair.

    Returns:
        From tensors by name to rows x (4 x layers): the features of `compare_tokens` for the embeddings and each layer.
    """

    def rows(tokens: Mapping[str, Tensor]) -> Tensor:
        apart = split_pair(tokens["input_ids"], tokens["attention_mask"], *marks)
        own = [text_tokens(*side, marks.separator) for side in (apart[:2], apart[2:])]
        batch = _one_after_the_other(apart, has_kinds="token_type_ids" in tokens)
        layers = transformer(**batch, output_hidden_states=True, return_dict=True).hidden_states
        # One layer after the other in float32: all of them at once would take twice the memory in half precision.
        pairs = (layer.float().chunk(2) for layer in layers)
        return torch.cat([compare_tokens(Side(left, own[0]), Side(right, own[1])) for left, right in pairs], dim=-1)

    return rows


def compare_tokens(left: Side, right: Side) -> Tensor:
    """Rows x 4, the same for either order of the sides: all 0 where one has no token, all 1 where neither has.

    Precision is the mean, over the left text's tokens, of the highest cosine with a token of the right one; recall the
    same the other way round. The numbers: the lower of the two; the higher; the cosine of the two mean vectors; of all
    tokens of both texts, the share whose highest cosine is above `MATCHED_ABOVE`.
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
    """All left texts, then all right ones."""
    batch = {
        "input_ids": torch.cat([apart.left, apart.right]),
        "attention_mask": torch.cat([apart.left_mask, apart.right_mask]),
    }
    if has_kinds:
        batch["token_type_ids"] = torch.zeros_like(batch["input_ids"])
    return batch


def _mean(values: Tensor, own: Tensor) -> Tensor:
    """Over the places where a token stands; 0 where none does."""
    there = own.unsqueeze(-1) if values.dim() > own.dim() else own
    return values.masked_fill(~there, 0.0).sum(dim=1) / there.sum(dim=1).clamp(min=1)


def _settled(numbers: Tensor, left_has_any: Tensor, right_has_any: Tensor) -> Tensor:
    are_the_same = (left_has_any == right_has_any).float().unsqueeze(-1)
    return torch.where((left_has_any & right_has_any).unsqueeze(-1), numbers, are_the_same)
