"""Splits the tokens of two texts that were tokenised together. Requires torch."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

__all__ = [
    "PairMarks",
    "SplitPair",
    "SplitUnderCondition",
    "pair_marks",
    "split_pair",
    "split_under_condition",
    "text_tokens",
]


class SplitPair(NamedTuple):
    """The two texts of each pair, each as if it had been tokenised alone: rows x length.

    Attributes:
        left: tokens of the left text, with the tokeniser's special tokens.
        left_mask: 1 where `left` has a token.
        right: tokens of the right text, moved to the start of the row.
        right_mask: 1 where `right` has a token.
    """

    left: Tensor
    left_mask: Tensor
    right: Tensor
    right_mask: Tensor


class SplitUnderCondition(NamedTuple):
    """The two texts of each pair, each as if it had been tokenised with the condition after it.

    Attributes:
        read: the tokens of each text with those of the condition.
        alone: the same rows, whose masks end with the text.
    """

    read: SplitPair
    alone: SplitPair


class PairMarks(NamedTuple):
    """How a tokeniser separates the texts of a pair.

    Attributes:
        separator: the id of the token that ends a text.
        between: how many separators stand between two texts: one in BERT, two in RoBERTa.
    """

    separator: int
    between: int


def pair_marks(tokenizer: Any) -> PairMarks | None:
    """How a tokeniser of transformers separates a pair; None if not as ``[CLS] a [SEP] b [SEP]``.

    Tokenisers without a separator do not, nor those that place it elsewhere, such as XLNet's.
    """
    separator = tokenizer.sep_token_id
    one, other, both = (tokenizer(*texts)["input_ids"] for texts in (("a",), ("b",), ("a", "b")))
    between = len(both) - (len(one) + len(other) - 2)
    closed = [separator]
    if min(between, len(one) - 2, len(other) - 2) < 1 or not one[-1:] == other[-1:] == closed:
        return None
    is_laid_out_so = one[0] == other[0] and both == one[:-1] + closed * between + other[1:]
    return PairMarks(int(separator), between) if is_laid_out_so else None


def split_pair(ids: Tensor, mask: Tensor, separator: int, between: int = 1) -> SplitPair:
    """Split pairs such as [CLS] a b [SEP] c [SEP], padded on the right.

    The left text ends at the first separator. The right text starts after the separators between the two, and the first
    token of the row is put before it.
    """
    places = torch.arange(ids.shape[1], device=ids.device)
    border = (ids == separator).long().argmax(dim=1, keepdim=True)
    last = border + between - 1
    taken = (last + places).clamp(max=ids.shape[1] - 1)
    right = torch.where(places == 0, ids[:, :1], ids.gather(1, taken))
    ends = mask.sum(dim=1, keepdim=True)
    return SplitPair(ids, mask * (places <= border), right, (last + places < ends).to(mask.dtype))


def split_under_condition(ids: Tensor, mask: Tensor, separator: int) -> SplitUnderCondition:
    """Split pairs under a condition such as [CLS] a [SEP] b [SEP] condition [SEP], padded on the right.

    The condition starts after the last separator but one. If a row was cut so that nothing of it is left, the texts are
    alone.
    """
    apart = split_pair(ids, mask, separator)
    places = torch.arange(ids.shape[1], device=ids.device)
    ends = mask.sum(dim=1, keepdim=True)
    border = (ids == separator).long().argmax(dim=1, keepdim=True)
    inner = (ids == separator) & (places < ends - 1)
    middle = torch.where(inner, places, 0).amax(dim=1, keepdim=True)
    there = middle > border
    after = (middle + places - border).clamp(min=0, max=ids.shape[1] - 1)
    left = torch.where(there & (places > border), ids.gather(1, after), ids)
    left_ends = torch.where(there, border + ends - middle, border + 1)
    right_alone = apart.right_mask * (~there | (places <= middle - border))
    return SplitUnderCondition(
        SplitPair(left, (places < left_ends).to(mask.dtype), apart.right, apart.right_mask),
        SplitPair(left, apart.left_mask, apart.right, right_alone),
    )


def text_tokens(ids: Tensor, mask: Tensor, separator: int) -> Tensor:
    """Mask of the tokens that belong to the text itself: neither padding nor special tokens."""
    first = torch.arange(ids.shape[1], device=ids.device) == 0
    return mask.bool() & (ids != separator) & ~first
