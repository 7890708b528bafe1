"""Tokens of texts and pairs: straight from the Rust tokeniser where there is one, and cut to a maximum.

A tokeniser of transformers builds a dictionary per text in Python, which takes longer than tokenising a short text.
Texts that recur in several pairs, such as a condition, are tokenised once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from similitude.errors import ArgumentError
from similitude.models.encoders.token_rows import TokenRows, ragged_places

__all__ = ["Cut", "cut_before_tail", "cut_pairs", "pair_shares", "token_rows"]

Cut = Literal["longest_first", "left", "right", "head-tail"]
"""How a pair that is too long is cut.

longest_first: the longer text loses tokens at its end until both are equally long, then both do.
left, right: this text loses tokens at its end; the other one only if it leaves less than a quarter of the room.
head-tail: as longest_first, but a text loses tokens in its middle.
"""


class PairShares(NamedTuple):
    """The number of tokens that each text of a pair keeps."""

    left: int
    right: int


def token_rows(tokenizer: Any, texts: Sequence[str] | Sequence[tuple[str, str]]) -> TokenRows:
    """The tokens of texts, or of pairs that are read together, uncut and without padding."""
    backend = _rust_tokeniser(tokenizer)
    if backend is None:
        columns = (
            [list(column) for column in zip(*texts, strict=True)] if isinstance(texts[0], tuple) else [list(texts)]
        )
        encoded = tokenizer(*columns, padding=False, truncation=False, return_attention_mask=False, verbose=False)
        return TokenRows.from_lists({name: list(values) for name, values in encoded.items()})
    pairs = [text for text in texts if isinstance(text, tuple)]
    layout = _pair_layout(backend, pairs[0]) if len(pairs) == len(texts) else None
    if layout is None:
        return _columns(tokenizer, backend.encode_batch_fast(list(texts)))
    found = layout.joined(backend, pairs)
    return found if "token_type_ids" in tokenizer.model_input_names else _without_types(found)


class _Special(NamedTuple):
    """Special tokens at one place of a pair, and the type that all of them have."""

    ids: list[int]
    type: int


class _PairLayout(NamedTuple):
    """Where a tokeniser puts special tokens in a pair: before, between and after the two texts.

    It tokenises the two texts separately, so their tokens are the same in every pair.
    """

    before: _Special
    between: _Special
    after: _Special
    left_type: int
    right_type: int

    def joined(self, backend: Any, pairs: Sequence[tuple[str, str]]) -> TokenRows:
        """The tokens of pairs, each distinct text tokenised once."""
        parts = {text: place for place, text in enumerate(dict.fromkeys(chain.from_iterable(pairs)))}
        single = _columns(None, backend.encode_batch_fast(list(parts), add_special_tokens=False))
        where = np.fromiter(map(parts.__getitem__, chain.from_iterable(pairs)), np.int64, 2 * len(pairs))
        special = TokenRows.from_lists({"input_ids": [self.before.ids, self.between.ids, self.after.ids]})
        count, left, right = len(single), where[::2], where[1::2]
        ends = (np.full(len(pairs), count + place) for place in range(3))
        before, between, after = ends
        order = np.column_stack([before, left, between, right, after]).reshape(-1)
        pool = np.concatenate([single.columns["input_ids"], special.columns["input_ids"]])
        sizes = np.concatenate([single.lengths, special.lengths])
        runs = sizes[order]
        types = (self.before.type, self.left_type, self.between.type, self.right_type, self.after.type)
        columns = {
            "input_ids": pool[ragged_places((np.cumsum(sizes) - sizes)[order], runs)],
            "token_type_ids": np.repeat(np.tile(np.array(types, np.int32), len(pairs)), runs),
        }
        return TokenRows(columns, runs.reshape(-1, 5).sum(axis=1))


def _pair_layout(backend: Any, pair: tuple[str, str]) -> _PairLayout | None:
    """The layout of pairs, learned from one; None if it is not texts with special tokens around them."""
    whole = backend.encode(*pair)
    left, right = (backend.encode(text, add_special_tokens=False).ids for text in pair)
    texts = [place for place, sequence in enumerate(whole.sequence_ids) if sequence == 0]
    others = [place for place, sequence in enumerate(whole.sequence_ids) if sequence == 1]
    if not left or not right or not texts or not others:
        return None
    bounds = (0, texts[0], texts[-1] + 1, others[0], others[-1] + 1, len(whole.ids))
    parts = [slice(*ends) for ends in pairwise(bounds)]
    types = [set(whole.type_ids[part]) for part in parts]
    is_so = whole.ids[parts[1]] == left and whole.ids[parts[3]] == right and texts[-1] < others[0]
    if not is_so or any(len(kinds) > 1 for kinds in types):
        return None
    before, left_type, between, right_type, after = (next(iter(kinds), 0) for kinds in types)
    return _PairLayout(
        before=_Special(whole.ids[parts[0]], before),
        between=_Special(whole.ids[parts[2]], between),
        after=_Special(whole.ids[parts[4]], after),
        left_type=left_type,
        right_type=right_type,
    )


def cut_pairs(tokenizer: Any, pairs: Sequence[tuple[str, str]], longest: int, cut: Cut) -> TokenRows:
    """The tokens of pairs that are too long, cut to `longest`.

    Raises:
        ArgumentError: the tokeniser cannot cut pairs in this way.
    """
    backend = _rust_tokeniser(tokenizer)
    if backend is None:
        raise ArgumentError(
            f"cut={cut} needs a tokeniser in Rust (tokenizer.json)", remedy="leave cut out, for cut=longest_first"
        )
    room = longest - backend.num_special_tokens_to_add(True)
    lefts, rights = (backend.encode_batch(list(side), add_special_tokens=False) for side in zip(*pairs, strict=True))
    merged = []
    for left, right in zip(lefts, rights, strict=True):
        shares = pair_shares(len(left.ids), len(right.ids), room, cut)
        texts = (_shortened(text, share, cut) for text, share in zip((left, right), shares, strict=True))
        merged.append(backend.post_process(*texts, add_special_tokens=True))
    return _columns(tokenizer, merged)


def cut_before_tail(tokenizer: Any, pairs: Sequence[tuple[str, str]], longest: int, mark: str) -> TokenRows:
    """The tokens of pairs that are too long, cut so that what follows the last mark of the second text stays.

    Of ``[CLS] a [SEP] b [SEP] c [SEP]``, a and b lose tokens at their ends, the longer one first. c loses some only if
    it has more than half of all. A pair without a mark loses tokens at the end of its longer text.

    Args:
        tokenizer: a tokeniser of transformers, whose separator the mark is.
        pairs: texts such as ("a", "b[SEP]c").
        longest: the maximum number of tokens.
        mark: the separator as text.
    """
    columns: dict[str, list[list[int]]] = {}
    plain = {"padding": False, "return_attention_mask": False, "verbose": False}
    for left, both in pairs:
        right, found, tail = both.rpartition(mark)
        if not found:
            for name, values in tokenizer(left, both, truncation="longest_first", max_length=longest, **plain).items():
                columns.setdefault(name, []).append(values)
            continue
        last = tokenizer(tail, add_special_tokens=False, truncation=True, max_length=longest // 2, **plain)["input_ids"]
        most = longest - len(last) - 1
        head = tokenizer(left, right, truncation="longest_first", max_length=most, **plain)
        for name, values in head.items():
            after = [*last, values[-1]] if name == "input_ids" else [values[-1]] * (len(last) + 1)
            columns.setdefault(name, []).append([*values, *after])
    return TokenRows.from_lists(columns)


def pair_shares(left: int, right: int, room: int, cut: Cut) -> PairShares:
    """How many tokens each text keeps if both together may have `room`.

    >>> pair_shares(30, 4, 16, "head-tail"), pair_shares(30, 40, 17, "head-tail")
    (PairShares(left=12, right=4), PairShares(left=9, right=8))
    >>> pair_shares(30, 9, 16, "left"), pair_shares(30, 40, 16, "left"), pair_shares(30, 40, 16, "right")
    (PairShares(left=7, right=9), PairShares(left=4, right=12), PairShares(left=12, right=4))
    """
    if cut == "left":
        right = min(right, room - min(left, room // 4))
        return PairShares(min(left, room - right), right)
    if cut == "right":
        return PairShares(*reversed(pair_shares(right, left, room, "left")))
    half = room // 2
    if right <= half:
        return PairShares(min(left, room - right), right)
    left = min(left, room - half)
    return PairShares(left, min(right, room - left))


def _shortened(encoding: Any, size: int, cut: Cut) -> Any:
    from tokenizers import Encoding

    if len(encoding.ids) <= size:
        return encoding
    if cut != "head-tail":
        encoding.truncate(size)
        return encoding
    head, tail = (Encoding.merge([encoding], growing_offsets=False) for _ in range(2))
    head.truncate(size - size // 2)
    if size < 2:
        return head
    tail.truncate(size // 2, direction="left")
    return Encoding.merge([head, tail], growing_offsets=False)


def _columns(tokenizer: Any, encodings: Sequence[Any]) -> TokenRows:
    """The tokens of encodings, with their types if the tokeniser has them."""
    columns = {"input_ids": [encoding.ids for encoding in encodings]}
    if tokenizer is not None and "token_type_ids" in tokenizer.model_input_names:
        columns["token_type_ids"] = [encoding.type_ids for encoding in encodings]
    return TokenRows.from_lists(columns)


def _without_types(rows: TokenRows) -> TokenRows:
    return TokenRows({"input_ids": rows.columns["input_ids"]}, rows.lengths)


def _rust_tokeniser(tokenizer: Any) -> Any:
    """The tokeniser in Rust, set to neither cut nor pad; None if Python does more than to call it."""
    from transformers import PreTrainedTokenizerFast

    is_plain = isinstance(tokenizer, PreTrainedTokenizerFast) and all(
        getattr(type(tokenizer), name) is getattr(PreTrainedTokenizerFast, name)
        for name in ("__call__", "_encode_plus")
    )
    if not is_plain:
        return None
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    backend.encode_special_tokens = tokenizer.split_special_tokens
    return backend
