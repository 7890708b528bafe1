"""A pair read in every way at once: both texts together, each alone, token against token, and the tokens they share.

A small encoder that reads both texts together forgets much of what it knew of single sentences; one that reads each
alone never sees which words answer each other; and neither counts the tokens that simply occur in both, by which people
judge unrelated texts. This module computes all four from the tokens of the pair alone. Imported only where torch is
known to be there.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from similitude.models.encoders.pair_tokens import SplitPair, split_pair, text_tokens

__all__ = ["OVERLAPS", "Alignment", "SplitPair", "TokenOverlap", "as_one_batch", "differences", "split_pair"]

_RUNS = (1, 2, 3)
OVERLAPS = 2 * len(_RUNS) + 2
"""Numbers that `TokenOverlap` gives: two for tokens, pairs of tokens and triples of them, and two on lengths."""

_SHARE_SCALE = 5.0
"""Shares of common tokens differ by a tenth or two from pair to pair; times this, about as much as hidden states."""

_VECTOR_LENGTH = 8.0


def as_one_batch(tokens: Mapping[str, Tensor], apart: SplitPair) -> dict[str, Tensor]:
    """Three rows for each pair, one after the other: both texts, the left, the right.

    Row after row, so that what follows from a row (its dropout, for one) does not depend on the size of the batch.
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
    """|u - v| and u * v of vectors of equal length; the same for either order."""
    u, v = (functional.normalize(side.float(), dim=-1) * _VECTOR_LENGTH for side in (left, right))
    return torch.cat([(u - v).abs(), 0.5 * u * v], dim=-1)


class Alignment(nn.Module):
    """Each token beside what answers it in the other text: a softmax over cosines weighs the other text's tokens.

    The difference and the product of the two go through a layer; its mean and maximum over tokens, added up over both
    texts, are the same for either order.
    """

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.layer = nn.Linear(2 * width, outputs)
        self.sharpness = nn.Parameter(torch.tensor(10.0))

    def reset_parameters(self) -> None:
        """Begin anew."""
        self.layer.reset_parameters()
        nn.init.constant_(self.sharpness, 10.0)

    def forward(self, left: Tensor, left_mask: Tensor, right: Tensor, right_mask: Tensor) -> Tensor:
        """Rows x (2 x outputs), from hidden states and masks of both texts; in float32, whatever is around it."""
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
        said = torch.relu(self.layer(torch.cat([(own - answer).abs(), own * answer], dim=-1)).float()) * there
        return torch.cat([said.sum(dim=1) / there.sum(dim=1).clamp(min=1.0), said.amax(dim=1)], dim=-1)


class TokenOverlap(nn.Module):
    """How much of each text occurs in the other, token by token, in runs of one, two and three.

    Rare tokens count for more: each weighs its inverse document frequency in the texts that were learned from.

    Attributes:
        weights: of each token of the vocabulary; learned from no gold, and kept with the model.
    """

    weights: Tensor

    def __init__(self, vocabulary: int, separator: int) -> None:
        super().__init__()
        self.separator = separator
        self.register_buffer("weights", torch.ones(vocabulary))

    def reset_parameters(self) -> None:
        """Nothing here is drawn at random."""

    def set_weights(self, documents: Tensor, texts: int) -> None:
        """Set the weights: ln((1 + texts) / (1 + documents that a token occurs in)), and a little at least."""
        idf = torch.log((1.0 + texts) / (1.0 + documents.float()))
        self.weights.copy_(idf.clamp(min=0.05).to(self.weights.device))

    def forward(self, apart: SplitPair) -> Tensor:
        """Rows x `OVERLAPS`: of each run the mean of both shares and their difference; then length ratio and length."""
        left_there, right_there = (text_tokens(*side, self.separator) for side in (apart[:2], apart[2:]))
        same = (
            (apart.left.unsqueeze(2) == apart.right.unsqueeze(1)) & left_there.unsqueeze(2) & right_there.unsqueeze(1)
        )
        said = []
        runs = same
        for run in _RUNS:
            if run > 1:  # a run of n begins where tokens are the same and a run of n - 1 begins one token further on
                runs = same & functional.pad(runs[:, 1:, 1:], (0, 1, 0, 1))
            shares = [
                self._share(apart.left, left_there, runs.any(dim=2)),
                self._share(apart.right, right_there, runs.any(dim=1)),
            ]
            said += [(shares[0] + shares[1]) * (0.5 * _SHARE_SCALE), (shares[0] - shares[1]).abs() * _SHARE_SCALE]
        lengths = [there.sum(dim=1).float() for there in (left_there, right_there)]
        said.append((torch.log1p(lengths[0]) - torch.log1p(lengths[1])).abs())
        said.append(torch.log1p(lengths[0] + lengths[1]) - 4.0)
        return torch.stack(said, dim=-1)

    def _share(self, ids: Tensor, there: Tensor, hit: Tensor) -> Tensor:
        weight = self.weights[ids] * there
        return (weight * hit).sum(dim=1) / weight.sum(dim=1).clamp(min=1e-6)
