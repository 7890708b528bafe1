"""Joint features of a pair: both texts together, each alone, aligned tokens, and shared tokens.

A small encoder that reads both texts together forgets much of what it knew about single sentences; one that reads each
alone never sees which words correspond; and neither counts the shared tokens, by which people judge unrelated texts.
This module computes all four from the tokens of the pair alone. Requires torch.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from similitude.models.encoders.pair_tokens import SplitPair, split_pair, split_under_condition, text_tokens

__all__ = [
    "OVERLAPS",
    "Alignment",
    "SplitPair",
    "TokenOverlap",
    "as_one_batch",
    "differences",
    "split_pair",
    "split_under_condition",
]

_RUNS = (1, 2, 3)
OVERLAPS = 2 * len(_RUNS) + 2
"""The number of features of `TokenOverlap`: two each for unigrams, bigrams and trigrams of tokens, and two on lengths.
"""

_SHARE_SCALE = 5.0
"""Shares of common tokens differ little between pairs; this factor brings them to the scale of hidden states."""

_VECTOR_LENGTH = 8.0


def as_one_batch(tokens: Mapping[str, Tensor], apart: SplitPair) -> dict[str, Tensor]:
    """Three rows per pair: both texts, the left one, the right one.

    The rows of a pair are adjacent, so that whatever depends on a row (such as its dropout) does not depend on the
    batch size.
    """
    ids, mask = tokens["input_ids"], tokens["attention_mask"]
    batch = {
        "input_ids": torch.stack([ids, apart.left, apart.right], dim=1).flatten(0, 1),
        "attention_mask": torch.stack([mask, apart.left_mask, apart.right_mask], dim=1).flatten(0, 1),
    }
    if "token_type_ids" in tokens:
        kinds = tokens["token_type_ids"]
        nothing = torch.zeros_like(kinds)
        batch["token_type_ids"] = torch.stack([kinds, nothing, nothing], dim=1).flatten(0, 1)
    return batch


def differences(left: Tensor, right: Tensor) -> Tensor:
    """|u - v| and u * v of normalised vectors; symmetric."""
    u, v = (functional.normalize(side.float(), dim=-1) * _VECTOR_LENGTH for side in (left, right))
    return torch.cat([(u - v).abs(), 0.5 * u * v], dim=-1)


class Alignment(nn.Module):
    """Soft token alignment: a softmax over cosines weights the tokens of the other text.

    The difference and the product of a token and its alignment pass through a layer; its mean and maximum over tokens,
    summed over both texts, are symmetric.
    """

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.layer = nn.Linear(2 * width, outputs)
        self.sharpness = nn.Parameter(torch.tensor(10.0))

    def reset_parameters(self) -> None:
        """Reset to the initial values."""
        self.layer.reset_parameters()
        nn.init.constant_(self.sharpness, 10.0)

    def forward(self, left: Tensor, left_mask: Tensor, right: Tensor, right_mask: Tensor) -> Tensor:
        """Rows x (2 x outputs), from hidden states and masks of both texts; always in float32."""
        with torch.autocast(left.device.type, enabled=False):
            return self._compared(left.float(), left_mask, right.float(), right_mask)

    def _compared(self, left: Tensor, left_mask: Tensor, right: Tensor, right_mask: Tensor) -> Tensor:
        cosines = functional.normalize(left, dim=-1) @ functional.normalize(right, dim=-1).transpose(1, 2)
        both = (left_mask.unsqueeze(2) * right_mask.unsqueeze(1)).bool()
        likeness = (cosines * self.sharpness).masked_fill(~both, -1e4)
        answers = (likeness.softmax(dim=2) @ right, likeness.softmax(dim=1).transpose(1, 2) @ left)
        return self._pooled(left, answers[0], left_mask) + self._pooled(right, answers[1], right_mask)

    def _pooled(self, own: Tensor, answer: Tensor, mask: Tensor) -> Tensor:
        there = mask.unsqueeze(-1).float()
        features = torch.relu(self.layer(torch.cat([(own - answer).abs(), own * answer], dim=-1)).float()) * there
        return torch.cat([features.sum(dim=1) / there.sum(dim=1).clamp(min=1.0), features.amax(dim=1)], dim=-1)


class TokenOverlap(nn.Module):
    """Token overlap: how much of each text occurs in the other, in runs of one, two and three tokens.

    Tokens are weighted by their inverse document frequency in the training texts.

    Attributes:
        weights: the weight of each token of the vocabulary; learned without gold, and stored with the model.
    """

    weights: Tensor

    def __init__(self, vocabulary: int, separator: int) -> None:
        super().__init__()
        self.separator = separator
        self.register_buffer("weights", torch.ones(vocabulary))

    def reset_parameters(self) -> None:
        """Do nothing: there are no random parameters."""

    def set_weights(self, documents: Tensor, texts: int) -> None:
        """Set the weights to ln((1 + texts) / (1 + document frequency)), with a small minimum."""
        idf = torch.log((1.0 + texts) / (1.0 + documents.float()))
        self.weights.copy_(idf.clamp(min=0.05).to(self.weights.device))

    def forward(self, apart: SplitPair) -> Tensor:
        """Rows x `OVERLAPS`: mean and difference of both shares for each run length; then length ratio and length."""
        left_there, right_there = (text_tokens(*side, self.separator) for side in (apart[:2], apart[2:]))
        same = (
            (apart.left.unsqueeze(2) == apart.right.unsqueeze(1)) & left_there.unsqueeze(2) & right_there.unsqueeze(1)
        )
        features = []
        runs = same
        for run in _RUNS:
            if run > 1:  # a run of n starts where tokens are equal and a run of n - 1 starts one token later
                runs = same & functional.pad(runs[:, 1:, 1:], (0, 1, 0, 1))
            shares = [
                self._share(apart.left, left_there, runs.any(dim=2)),
                self._share(apart.right, right_there, runs.any(dim=1)),
            ]
            features += [(shares[0] + shares[1]) * (0.5 * _SHARE_SCALE), (shares[0] - shares[1]).abs() * _SHARE_SCALE]
        lengths = [there.sum(dim=1).float() for there in (left_there, right_there)]
        features.append((torch.log1p(lengths[0]) - torch.log1p(lengths[1])).abs())
        features.append(torch.log1p(lengths[0] + lengths[1]) - 4.0)
        return torch.stack(features, dim=-1)

    def _share(self, ids: Tensor, there: Tensor, hit: Tensor) -> Tensor:
        weight = self.weights[ids] * there
        return (weight * hit).sum(dim=1) / weight.sum(dim=1).clamp(min=1e-6)
