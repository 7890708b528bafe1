"""Several texts in one row of tokens; the mask lets every token see its own text only, and positions are those in it.

A language model reads texts that begin alike as one row: the two conditions of a sentence pair stand at the end of the
same text, so most of their tokens are the same. The first text stands whole, and after it what each of the others has
of its own. An encoder reads the texts of an item one after the other: the sum of their lengths differs less from item
to item than the longest of them, so there is less padding. Requires torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import torch
from torch import Tensor, nn

__all__ = ["PLACES", "first_position", "merge_rows", "merged_lengths", "merged_states", "pack_rows", "reads_merged"]

MERGED: Final = "merged_"
"""Before the names of inputs of merged rows: groups x length, and a mask of groups x 1 x length x length."""

PLACES: Final = "merged_places"
"""Where each token of the original rows is in the merged ones: rows x length."""

_READ: Final = ("input_ids", "attention_mask", "token_type_ids")
_KIND: Final = "full_attention"
_MOST: Final = 0.05
"""Maximum error of a hidden state, relative to the difference that another text makes."""


def merge_rows(tokens: Mapping[str, Tensor], unit: int) -> dict[str, Tensor]:
    """The same tokens of a language model, with merged rows beside them in which texts share what they begin with.

    Args:
        tokens: padded on the right; each `unit` rows in turn become one. The length must be at least the largest of
            `merged_lengths`.
        unit: rows per group.
    """
    groups = {name: tokens[name].unflatten(0, (-1, unit)) for name in ("input_ids", "attention_mask")}
    mask = groups["attention_mask"].bool()
    shared = _shared(groups["input_ids"], mask)
    place = torch.arange(mask.shape[-1], device=mask.device)
    inputs, places = _merged({"input_ids": groups["input_ids"], "position_ids": place.expand_as(mask)}, mask, shared)
    inputs["attention_mask"].tril_()
    return {**tokens, **_named(inputs), PLACES: places.flatten(0, 1)}


def pack_rows(tokens: Mapping[str, Tensor], parts: int, first: int) -> dict[str, Tensor]:
    """The same tokens of an encoder, with rows beside them that hold all texts of an item, one after the other.

    Args:
        tokens: padded on the right and ordered by part. The length must be at least the sum of an item's texts.
        parts: texts per item.
        first: the number that the transformer gives to a text's first position.
    """
    groups = {name: value.unflatten(0, (parts, -1)).transpose(0, 1) for name, value in tokens.items() if name in _READ}
    mask = groups.pop("attention_mask").bool()
    groups["position_ids"] = (first + torch.arange(mask.shape[-1], device=mask.device)).expand_as(mask)
    inputs, places = _merged(groups, mask, mask.new_zeros(len(mask), dtype=torch.long))
    return {**tokens, **_named(inputs), PLACES: places.transpose(0, 1).flatten(0, 1)}


def merged_states(transformer: nn.Module, tokens: Mapping[str, Tensor]) -> Tensor:
    """The last hidden states of the original rows, computed over merged ones."""
    inputs = {name: tokens[MERGED + name] for name in (*_READ, "position_ids") if MERGED + name in tokens}
    options = {"use_cache": False} if getattr(transformer.config, "use_cache", False) else {}
    states: Tensor = transformer(**inputs, **options, return_dict=True).last_hidden_state
    found: Tensor = states.flatten(0, 1)[tokens[PLACES]]
    return found


def merged_lengths(tokens: Mapping[str, Tensor], unit: int) -> Tensor:
    """The number of tokens of each merged row."""
    ids, mask = (tokens[name].unflatten(0, (-1, unit)) for name in ("input_ids", "attention_mask"))
    shared = _shared(ids, mask.bool())
    lengths: Tensor = mask.sum(dim=(1, 2)) - (unit - 1) * shared
    return lengths


def reads_merged(transformer: Any) -> bool:
    """Whether a causal transformer gives the same states to merged rows, tried on two rows of a dozen tokens."""
    texts = [[7, 20, 33, 46, 59, 72, 0, 0], [7, 20, 33, 85, 98, 0, 0, 0]]
    return _is_whole(transformer) and _tried(transformer, texts, lambda tokens: merge_rows(tokens, 2))


def first_position(transformer: Any) -> int | None:
    """The number of a text's first position, if an encoder gives the same states to packed rows; None if it does not.

    Encoders of BERT's kind count from 0, those of RoBERTa's from the number after that of padding.
    """
    texts = [[7, 20, 33, 46, 59, 72, *[0] * 6], [71, 58, 45, 32, 19, *[0] * 7]]
    after_padding = (getattr(transformer.config, "pad_token_id", None) or 0) + 1
    if _is_whole(transformer):
        for first in (0, after_padding):
            if _tried(transformer, texts, partial(pack_rows, parts=2, first=first)):
                return first
    return None


def _is_whole(transformer: Any) -> bool:
    """Whether a token sees all of its text, or all before it."""
    kinds = getattr(transformer.config, "layer_types", None)
    return set(kinds or [_KIND]) == {_KIND} and (bool(kinds) or not getattr(transformer.config, "sliding_window", None))


def _tried(transformer: Any, texts: list[list[int]], merge: Callable[[dict[str, Tensor]], dict[str, Tensor]]) -> bool:
    """Whether merged rows give the states of these two texts, the second of five tokens; False if it fails."""
    was_training = transformer.training
    transformer.eval()
    try:
        with torch.inference_mode():
            return _is_same(transformer, texts, merge)
    except (IndexError, RuntimeError, TypeError, ValueError):  # it does not accept the mask or the positions
        return False
    finally:
        transformer.train(was_training)


def _is_same(transformer: Any, texts: list[list[int]], merge: Callable[[dict[str, Tensor]], dict[str, Tensor]]) -> bool:
    """Whether the second of two texts has the states that it has alone, and which tokens change any of their bits.

    Its own must, also where the first begins alike, and those of the first alone must not.
    """
    device, size = next(transformer.parameters()).device, transformer.get_input_embeddings().num_embeddings
    ids = torch.tensor(texts, device=device) % size
    mask = _first(ids, (6, 5))
    of_first, of_both = ids.clone(), ids.clone()
    of_first[0, 4] = of_both[:, 1] = 11 % size
    states, without, changed = (
        merged_states(transformer, merge({"input_ids": rows, "attention_mask": mask})).float()
        for rows in (ids, of_first, of_both)
    )
    alone = transformer(input_ids=ids, attention_mask=mask, return_dict=True).last_hidden_state.float()
    error = (states - alone)[mask.bool()].abs().mean()
    is_close = bool(error <= _MOST * (alone[0, 3] - alone[1, 3]).abs().mean() + 1e-6)
    return is_close and torch.equal(states[1, :5], without[1, :5]) and not torch.equal(states[1, 4], changed[1, 4])


def _shared(ids: Tensor, mask: Tensor) -> Tensor:
    """How many tokens all texts of each group begin with alike."""
    is_same = ((ids == ids[:, :1]) & mask).all(dim=1)
    return is_same.long().cumprod(dim=1).sum(dim=1)


def _merged(groups: Mapping[str, Tensor], mask: Tensor, shared: Tensor) -> tuple[dict[str, Tensor], Tensor]:
    """Groups x unit x length as groups x length, with a mask by which tokens see their own text and what is shared.

    Padding sees padding. Also returns where each token of the original rows is.
    """
    length = mask.shape[-1]
    place = torch.arange(length, device=mask.device)
    of_all = place < shared[:, None, None]
    where = torch.where(of_all, place, _own_starts(mask, shared)[:, :, None] + place - shared[:, None, None])
    where[:, 0] = place
    is_own = mask & ~of_all
    is_own[:, 0] = mask[:, 0]
    target = torch.where(is_own, where, length)  # the rest goes to one more column, which is dropped
    number = torch.arange(mask.shape[1], device=mask.device)[:, None].expand_as(mask)
    text = _scattered(number, target, length, -1)
    inputs = {name: _scattered(values, target, length, 0) for name, values in groups.items()}
    seen = (text[:, :, None] == text[:, None, :]) | of_all
    row = torch.arange(len(mask), device=mask.device)[:, None, None] * length
    return inputs | {"attention_mask": seen.unsqueeze(1)}, torch.where(mask, where + row, row)


def _named(inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {MERGED + name: value for name, value in inputs.items()}


def _own_starts(mask: Tensor, shared: Tensor) -> Tensor:
    """Where the own tokens of each text start in the merged row; groups x unit."""
    sizes = mask.sum(dim=2)
    own = torch.cat([sizes[:, :1], sizes[:, 1:] - shared[:, None]], dim=1)
    return own.cumsum(dim=1) - own


def _scattered(values: Tensor, target: Tensor, length: int, blank: int) -> Tensor:
    """Values of groups x unit x length at their targets; groups x length."""
    found = values.new_full((len(values), length + 1), blank)
    return found.scatter_(1, target.flatten(1), values.flatten(1))[:, :length]


def _first(ids: Tensor, sizes: tuple[int, ...]) -> Tensor:
    place = torch.arange(ids.shape[1], device=ids.device)
    return (place < torch.tensor(sizes, device=ids.device)[:, None]).long()
