"""Turns pairs into the input texts of an uncertain model, in one order or in both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.models.encoders.text_model import Text
from similitude.systems.conditional.input_text import InputTexts, read_items
from similitude.systems.uncertain.architecture import Architecture

__all__ = ["OrderedTexts", "read_orders", "read_pairs"]


class OrderedTexts(NamedTuple):
    """The input texts of some items.

    Attributes:
        rows: items x orders x parts: indices into ``texts``.
    """

    texts: list[Text]
    rows: NDArray[np.intp]


def read_pairs(architecture: Architecture, items: Items, *, swapped: bool = False, where: str = "") -> InputTexts:
    """The distinct input texts of pairs, with the condition if it is read, and the indices of each item's texts.

    Raises:
        InputError: an item lacks a condition that the model needs.
    """
    return read_items(architecture.of_texts, items, swapped=swapped, where=where)


def read_orders(architecture: Architecture, items: Items, *, both: bool, where: str = "") -> OrderedTexts:
    """The distinct input texts of pairs, as they are and, with `both`, with left and right swapped.

    >>> pair = Items.from_pairs(["A car."], ["A bus."])
    >>> read_orders(Architecture(), pair, both=True).texts
    [('A car.', 'A bus.'), ('A bus.', 'A car.')]
    >>> read_orders(Architecture(encoding="bi"), pair, both=True).rows.tolist()
    [[[0, 1], [1, 0]]]
    >>> under = Items.from_pairs(["A red car."], ["A red bus."], ["the colour"])
    >>> read_orders(Architecture(encoding="bi", reads="all"), under, both=False).texts
    [('the colour', 'A red car.'), ('the colour', 'A red bus.')]

    Raises:
        InputError: an item lacks a condition that the model needs.
    """
    swaps = [False, True] if both else [False]
    orders = [read_pairs(architecture, items, swapped=swapped, where=where) for swapped in swaps]
    seen: dict[Text, int] = {}
    rows = []
    for read in orders:
        places = np.array([seen.setdefault(text, len(seen)) for text in read.texts], np.intp)
        rows.append(places[read.rows])
    return OrderedTexts(list(seen), np.stack(rows, axis=1))
