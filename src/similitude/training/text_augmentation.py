"""Pairs that nobody rated, made from rated ones: a part of a text is left out, or a part of another is added.

Among the texts of a benchmark few are alike except those that were paired, so pairs of neighbours lie at the low end of
the scale. A rated pair of which one text has lost or gained something lies anywhere on it, next to pairs whose gold is
known: what a teacher says of such pairs tells how much each part of a text counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns
from similitude.data.protocols import Listener

__all__ = ["changed_pairs"]

Pair = tuple[str, str]

LEAST, MOST = 0.2, 0.6
"""The share of a text that is left out or added."""
BOTH = 0.25
"""How often both texts are changed rather than one."""
ROUNDS = 50
"""Times that every pair is tried before fewer pairs than asked for are given."""

_ALONE = "\u2e80-\u2fff\u3001-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
"""Ideographs, kana and the punctuation among them: between any two of these a text can be cut."""
_PART = re.compile(rf"(?:[{_ALONE}]|[^\s{_ALONE}]+)\s*")


def changed_pairs(
    items: Items,
    count: int,
    *,
    rng: np.random.Generator,
    never: Items | None = None,
    listener: Listener | None = None,
) -> Items:
    """So many pairs that differ from rated ones by a part of one text or of both.

    Pairs take turns, in an order drawn anew each round. Of one text, or in a quarter of the turns of each, a stretch of
    20 to 60 % is left out, or one of any text of the items is added at its end, by chance. Texts are cut between words,
    and between characters in Chinese and Japanese; a text of one word loses nothing.

    Each pair has a text that the items have not, so none is one of the items or could be made of their texts as they
    are. None comes twice, in either order, no text is paired with itself, and none is blank.

    Args:
        items: rated pairs; their order changes nothing.
        count: of pairs.
        rng: what is drawn by chance.
        never: other pairs that must not be made, in either order.
        listener: hears how far it is.

    Returns:
        The pairs, with ids ``changed-000001`` and so on; fewer where texts are so short that changes repeat, and never
        more than 50 an item.

    >>> rated = Items.from_pairs(["The dog barks at the moon."], ["A dog is barking loudly tonight."])
    >>> for pair in changed_pairs(rated, 2, rng=np.random.default_rng(3)):
    ...     print(pair.left, "|", pair.right)
    The dog barks | A dog loudly tonight.
    at the moon. | A dog is barking loudly tonight.
    """
    rated = sorted(zip(items.lefts, items.rights, strict=True))
    there = {text for pair in rated for text in pair}
    taken = set() if never is None else {frozenset(pair) for pair in zip(never.lefts, never.rights, strict=True)}
    made: list[Pair] = []
    for tried, pair in enumerate(_changes(rated, rng) if count else ()):
        if listener is not None and tried % len(rated) == 0:
            listener.progress("changing rated pairs", len(made), count)
        if _is_new(pair, there) and frozenset(pair) not in taken:
            taken.add(frozenset(pair))
            made.append(pair)
            if len(made) == count:
                break
    return _items(made)


def _is_new(pair: Pair, there: set[str]) -> bool:
    """Whether it is two texts, neither blank, and one at least that is not there."""
    left, right = pair
    return left != right and not (left in there and right in there) and not any(map(_is_blank, pair))


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _changes(rated: list[Pair], rng: np.random.Generator) -> Iterator[Pair]:
    for _ in range(ROUNDS):
        for place in rng.permutation(len(rated)).tolist():
            left, right = rated[place]
            which = rng.random()
            if which < (1 + BOTH) / 2:
                left = _changed(left, rated, rng)
            if which < BOTH or which >= (1 + BOTH) / 2:
                right = _changed(right, rated, rng)
            yield left, right


def _changed(text: str, rated: list[Pair], rng: np.random.Generator) -> str:
    """With a part less or a part more; as it was where nothing can be left out or added."""
    if rng.random() < 0.5:
        parts = _parts(text)
        start, end = _stretch(len(parts), rng)
        return "".join(parts[:start] + parts[end:]).strip() if end - start < len(parts) else text
    parts = _parts(rated[rng.integers(len(rated))][rng.integers(2)])
    start, end = _stretch(len(parts), rng)
    more = "".join(parts[start:end])
    between = "" if re.match(f"[{_ALONE}]", more) else " "
    return f"{text.rstrip()}{between}{more}".strip() if more else text


def _parts(text: str) -> list[str]:
    """What a text can be cut between, with the blanks that follow: words, or characters of Chinese and Japanese."""
    return _PART.findall(text)


def _stretch(size: int, rng: np.random.Generator) -> tuple[int, int]:
    """Where a stretch begins and ends: one part at least."""
    length = max(1, round(size * rng.uniform(LEAST, MOST)))
    start = int(rng.integers(max(size - length, 0) + 1))
    return start, start + length


def _items(pairs: list[Pair]) -> Items:
    columns = {
        "id": [f"changed-{number:06d}" for number in range(1, len(pairs) + 1)],
        "left": [left for left, _ in pairs],
        "right": [right for _, right in pairs],
    }
    return Items(with_all_columns(pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String())), ITEM_SCHEMA))
