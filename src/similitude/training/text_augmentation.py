"""Unrated pairs made from rated ones: a part of a text is removed, or a part of another text is added.

Few texts of a benchmark are similar except those that were paired, so new pairs of neighbours lie at the low end of the
scale. A rated pair in which one text has lost or gained a part can lie anywhere on the scale, near a pair with gold:
a teacher's label of such a pair shows how much each part of a text counts.
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
"""The share of a text that is removed or added."""
BOTH = 0.25
"""The probability that both texts are changed rather than one."""
ROUNDS = 50
"""How often every pair is tried before fewer pairs than requested are returned."""

_ALONE = "\u2e80-\u2fff\u3001-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
"""Ideographs, kana and their punctuation; a text can be cut between any two of these."""
_PART = re.compile(rf"(?:[{_ALONE}]|[^\s{_ALONE}]+)\s*")


def changed_pairs(
    items: Items,
    count: int,
    *,
    rng: np.random.Generator,
    never: Items | None = None,
    listener: Listener | None = None,
) -> Items:
    """Pairs that differ from rated ones by a part of one text or of both.

    Pairs take turns, in a new random order in each round. In one text, or in a quarter of the turns in both, a span of
    20 to 60 % is removed, or a span of any text of the items is appended, each with probability 0.5. Texts are cut
    between words, and between characters in Chinese and Japanese; a text of one word loses nothing.

    Each pair has a text that does not occur in the items. No pair occurs twice, in either order; no text is paired with
    itself, and none is blank.

    Args:
        items: rated pairs; their order does not matter.
        count: the number of pairs.
        rng: for all random choices.
        never: other pairs that must not be made, in either order.
        listener: is told the progress.

    Returns:
        The pairs, with ids ``changed-000001`` and so on; fewer if texts are so short that changes repeat, and never
        more than 50 per item.

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
    """Whether it has two different texts, neither blank, and at least one of them is new."""
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
    """The text with a part removed or added; unchanged if that is not possible."""
    if rng.random() < 0.5:
        parts = _parts(text)
        start, end = _span(len(parts), rng)
        return "".join(parts[:start] + parts[end:]).strip() if end - start < len(parts) else text
    parts = _parts(rated[rng.integers(len(rated))][rng.integers(2)])
    start, end = _span(len(parts), rng)
    more = "".join(parts[start:end])
    between = "" if re.match(f"[{_ALONE}]", more) else " "
    return f"{text.rstrip()}{between}{more}".strip() if more else text


def _parts(text: str) -> list[str]:
    """The words of a text, or its characters in Chinese and Japanese, each with the blanks that follow."""
    return _PART.findall(text)


def _span(size: int, rng: np.random.Generator) -> tuple[int, int]:
    """The start and end of a random span of at least one part."""
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
