"""The contracts of a system."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, System
from similitude.data.scale import Scale
from similitude.errors import UnknownNameError
from similitude.systems import make_system
from similitude.systems.catalogue import OBJECT
from similitude.systems.objects import ScoreColumn
from similitude.testing.contract import check_contracts, require

__all__ = ["SYSTEM_CONTRACTS", "check_system"]

TEXTS = (
    "",
    " ",
    "A man is playing a guitar on the stage.",
    "A man is playing the guitar on a stage!",
    "Die Mädchen essen süße Äpfel in der Küche.",
    "一个男人在台上弹吉他。",
    "😢 so sad 😢",
    "?!",
    "word word word word",
)


class _Tried(NamedTuple):
    """A system, ready to score, with the items that it is tried on.

    Attributes:
        written: what was handed to `check_system`.
        system: before it has seen any texts.
        ready: after that.
        items: to score.
        tolerance: by how much two scores of one item may differ.
    """

    written: Any
    system: System
    ready: System
    items: Items
    tolerance: float

    def scores(self, items: Items) -> NDArray[np.float64]:
        return self.ready.score(items).scores

    def same(self, ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> bool:
        return bool(np.allclose(ours, theirs, rtol=0.0, atol=self.tolerance, equal_nan=True))


def check_system(
    written: Any, *, texts: Sequence[str] = TEXTS, data: BenchmarkData | None = None, tolerance: float = 1e-5
) -> None:
    """Check that a system keeps every contract; `SYSTEM_CONTRACTS` lists them.

    Args:
        written: a name with arguments, ``path/to/file.py:MySystem``, or whatever `similitude.system` takes: a function,
            a model, an object with ``encode`` or ``score``, or an array of scores.
        texts: what to try it on; every text is paired with itself, the next and the third after it.
        data: the items to try it on instead; an array of scores needs it, since it belongs to the rows of its data.
        tolerance: by how much the scores of one item may differ from call to call; 0 for exact systems.

    Raises:
        AssertionError: a contract is broken; the message says which, and what was seen.
        ArgumentError: it is no system, or an array of scores without its data.

    >>> check_system("levenshtein", tolerance=0)
    >>> check_system(lambda left, right: len(set(left) & set(right)))
    >>> check_system([0.2, 0.8], data={"left": ["a b", "c"], "right": ["a", "c d"], "score": [1, 3]})
    """
    benchmark = None if data is None else open_benchmark(data)
    items = _items(texts) if benchmark is None else benchmark.items
    system = make_system(written)
    if isinstance(system, ScoreColumn) and benchmark is not None:
        system = system.bound_to(benchmark, data)
    ready = system.fit(items.texts()) if isinstance(system, FitsTexts) else system
    tried = _Tried(written, system, ready, items, tolerance)
    check_contracts(f"system '{system.identity}'", SYSTEM_CONTRACTS, tried)


def _items(texts: Sequence[str]) -> Items:
    lefts = [text for text in texts for _ in range(3)]
    rights = [texts[(place + step) % len(texts)] for place in range(len(texts)) for step in (0, 1, 3)]
    return Items.from_pairs(lefts, rights)


def says_what_it_is(tried: _Tried) -> None:
    """It has a summary of one line, a range or None, and reads nothing but context and condition."""
    system = tried.system
    require(bool(system.summary) and "\n" not in system.summary, f"summary is {system.summary!r}")
    require(system.range is None or isinstance(system.range, Scale), f"range is {system.range!r}")
    require(system.reads <= {"context", "condition"}, f"reads {sorted(system.reads)}")


def identity_rebuilds_it(tried: _Tried) -> None:
    """What its identity is written as makes the same system again, and is ready for JSON."""
    identity = tried.system.identity
    json.dumps([identity.name, list(identity.arguments), dict(identity.keywords)], default=_refuse)
    if identity.name == OBJECT:
        return  # only the object itself can make it again
    try:
        again = make_system(str(identity))
    except UnknownNameError:
        require(not isinstance(tried.written, str), f"no system is named '{identity}'")
        return  # an object of one's own, which is registered nowhere
    require(again.identity == identity, f"'{identity}' makes '{again.identity}'")


def gives_one_number_an_item(tried: _Tried) -> None:
    """Each item has one prediction, and it is a finite number, whatever the texts."""
    said = tried.ready.score(tried.items)
    require(isinstance(said, Predictions), f"score() gave {type(said).__name__}")
    require(len(said) == len(tried.items), f"{len(said)} predictions for {len(tried.items)} items")
    odd = np.flatnonzero(~np.isfinite(said.scores))
    if odd.size:
        item = tried.items[int(odd[0])]
        raise AssertionError(f"{said.scores[odd[0]]} for {item.left!r} and {item.right!r}")


def takes_no_items(tried: _Tried) -> None:
    """No items give no predictions."""
    none = Items.from_pairs([], [])
    require(len(tried.scores(none)) == 0, "there are predictions for no items")


def order_of_items_does_not_matter(tried: _Tried) -> None:
    """Items in another order have the same scores."""
    order = np.random.default_rng(3).permutation(len(tried.items))
    shuffled, straight = tried.scores(tried.items.take(order)), tried.scores(tried.items)[order]
    require(tried.same(shuffled, straight), f"scores differ by up to {np.abs(shuffled - straight).max():g}")


def other_items_do_not_matter(tried: _Tried) -> None:
    """An item alone has the score that it has among others."""
    together = tried.scores(tried.items)
    for place in range(0, len(tried.items), 5):
        alone = tried.scores(tried.items.take(np.array([place])))
        require(tried.same(alone, together[place : place + 1]), f"{alone[0]} alone, {together[place]} among others")


def the_same_again(tried: _Tried) -> None:
    """The same items have the same scores when it is asked again."""
    require(tried.same(tried.scores(tried.items), tried.scores(tried.items)), "scores differ from call to call")


def items_are_left_alone(tried: _Tried) -> None:
    """It does not change the items, nor, in fit, itself."""
    before = tried.items.fingerprint
    tried.scores(tried.items)
    require(tried.items.fingerprint == before, "the items were changed")
    if isinstance(tried.system, FitsTexts):
        require(tried.system.fit(["one", "two"]) is not tried.system, "fit() returned the system itself")


def what_it_does_not_read_does_not_matter(tried: _Tried) -> None:
    """Context and condition change nothing, unless it says that it reads them."""
    changes = {"context": pl.lit(["Where?", "Here."]), "condition": pl.lit("the colour")}
    unread = [change.alias(name) for name, change in changes.items() if name not in tried.system.reads]
    changed = Items(tried.items.frame.with_columns(unread))
    require(tried.same(tried.scores(changed), tried.scores(tried.items)), "context or condition changed a score")


SYSTEM_CONTRACTS = (
    says_what_it_is,
    identity_rebuilds_it,
    gives_one_number_an_item,
    takes_no_items,
    order_of_items_does_not_matter,
    other_items_do_not_matter,
    the_same_again,
    items_are_left_alone,
    what_it_does_not_read_does_not_matter,
)
"""What every system must keep."""


def _refuse(value: object) -> None:
    raise AssertionError(f"argument {value!r} cannot be written down")
