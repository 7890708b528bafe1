"""Rows of tokens that begin alike, read by a language model as one row: what they share is computed once.

The two conditions of a sentence pair stand at the end of the same text, so most of their tokens are the same. In a
merged row the first text stands whole, and after it what each of the others has of its own; the mask lets every token
see its own text only, and its position is that in its own text. Requires torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn

__all__ = ["MERGED", "PLACES", "merge_rows", "merged_lengths", "merged_states", "reads_merged"]

MERGED: Final = ("merged_input_ids", "merged_position_ids", "merged_attention_mask")
"""The inputs of merged rows: groups x length, and a mask of groups x 1 x length x length."""

PLACES: Final = "merged_places"
"""Where each token of the original rows is in the merged ones: rows x length."""

_KIND: Final = "full_attention"
_MOST: Final = 0.05
"""Maximum error of a hidden state, relative to the difference that another text makes."""


def merge_rows(tokens: Mapping[str, Tensor], unit: int) -> dict[str, Tensor]:
    """The same tokens, with merged rows beside them.

    Args:
        tokens: padded on the right; each `unit` rows in turn become one. The length must be at least the largest of
            `merged_lengths`.
        unit: rows per group.
    """
    ids, mask = (tokens[name].unflatten(0, (-1, unit)) for name in ("input_ids", "attention_mask"))
    mask = mask.bool()
    length = ids.shape[-1]
    shared = _shared(ids, mask)
    place = torch.arange(length, device=ids.device)
    begins = _own_starts(mask, shared)
    where = torch.where(place < shared[:, None, None], place, begins[:, :, None] + place - shared[:, None, None])
    where[:, 0] = place
    is_own = mask & (place >= shared[:, None, None])
    is_own[:, 0] = mask[:, 0]
    target = torch.where(is_own, where, length)  # the rest goes to one more column, which is dropped
    number = torch.arange(unit, device=ids.device)[:, None].expand_as(ids)
    parts = ((ids, 0), (place.expand_as(ids), 0), (number, -1))
    merged, positions, text = (_scattered(values, target, length, blank) for values, blank in parts)
    is_seen = (text[:, :, None] == text[:, None, :]) | (place < shared[:, None])[:, None, :]
    is_seen &= place[None, :] <= place[:, None]
    is_seen |= torch.eye(length, dtype=torch.bool, device=ids.device)  # padding sees itself, or it would see nothing
    row = torch.arange(len(ids), device=ids.device)[:, None, None] * length
    inputs = dict(zip(MERGED, (merged, positions, is_seen.unsqueeze(1)), strict=True))
    return {**tokens, **inputs, PLACES: torch.where(mask, where + row, row).flatten(0, 1)}


def merged_states(transformer: nn.Module, tokens: Mapping[str, Tensor]) -> Tensor:
    """The last hidden states of the original rows, computed over merged ones."""
    inputs = {name.removeprefix("merged_"): tokens[name] for name in MERGED}
    states: Tensor = transformer(**inputs, use_cache=False, return_dict=True).last_hidden_state
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
    kinds = getattr(transformer.config, "layer_types", None)
    if set(kinds or [_KIND]) != {_KIND} or (not kinds and getattr(transformer.config, "sliding_window", None)):
        return False
    was_training = transformer.training
    transformer.eval()
    try:
        with torch.inference_mode():
            return _reads_merged(transformer)
    except (RuntimeError, TypeError, ValueError):  # it does not accept the mask or the positions
        return False
    finally:
        transformer.train(was_training)


def _reads_merged(transformer: Any) -> bool:
    """Whether the second of two texts has the states that it has alone, and which tokens change any of their bits.

    Those that both begin with must, those of the first alone must not.
    """
    device, size = next(transformer.parameters()).device, transformer.get_input_embeddings().num_embeddings
    ids = torch.tensor([[7, 20, 33, 46, 59, 72, 0, 0], [7, 20, 33, 85, 98, 0, 0, 0]], device=device) % size
    mask = _first(ids, (6, 5))
    of_first, of_both = ids.clone(), ids.clone()
    of_first[0, 4] = of_both[:, 1] = 11 % size
    states, without, changed = (
        merged_states(transformer, merge_rows({"input_ids": rows, "attention_mask": mask}, 2)).float()
        for rows in (ids, of_first, of_both)
    )
    alone = transformer(input_ids=ids, use_cache=False, return_dict=True).last_hidden_state.float()
    error = (states - alone)[mask.bool()].abs().mean()
    is_close = bool(error <= _MOST * (alone[0, 3] - alone[1, 3]).abs().mean() + 1e-6)
    return is_close and torch.equal(states[1, :5], without[1, :5]) and not torch.equal(states[1, 4], changed[1, 4])


def _shared(ids: Tensor, mask: Tensor) -> Tensor:
    """How many tokens all texts of each group begin with alike."""
    is_same = ((ids == ids[:, :1]) & mask).all(dim=1)
    return is_same.long().cumprod(dim=1).sum(dim=1)


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
