"""What a selection is asked for: how many pairs, spread over what, and which of them first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from similitude.data.number_arguments import check_whole_numbers
from similitude.errors import ArgumentError

__all__ = ["STRATUM", "TURNS", "Diversity", "SelectionRequest", "Shares", "Short"]

STRATUM = "stratum"
"""The name under which a selection is spread over the ways in which pairs were found."""

TURNS = "turns"
"""The name under which a selection is spread over the number of turns of dialogues."""

Shares = Literal["even", "found"] | int | Mapping[str, float]
"""How items are divided over the values of a column: "even"; "found", as the pairs are; a number of equal bands, for
numbers; or weights by value, for names."""

Diversity = Literal["k-center", "facility-location"]
Short = Literal["note", "leave", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionRequest:
    """What a selection is asked for.

    Items are divided first over the bands of ``spread``, then within each band over the columns of ``over``, one after
    the other. This gives cells, each with a number of pairs to take. Within a cell, pairs are drawn at random, or the
    most contentious ones are taken, or those that differ most from all others taken; if both are asked for, the diverse
    ones are taken from the most contentious.

    Attributes:
        items: how many pairs; None for all.
        spread: what pairs are spread over, such as "cosine"; any name that a filter knows.
        bins: the number of bands of equal width, or their edges in ascending order.
        target: the weight of each band; empty for equal weights.
        over: columns of texts ("source"), "stratum", "turns" (of dialogues), or names that a filter knows ("chars"),
            and their shares; a list of names means even shares.
        per: the column that says which pairs are drawn together, such as "group": of each group that is taken, ``each``
            pairs of every band. Groups are divided over the columns of ``over``. If there are dialogues, only they
            have pairs of their own; other texts are compared with them.
        each: pairs of each band for one group; only with ``per``.
        contentious: take the pairs with the largest value of this, such as "disagreement(use, levenshtein)".
        diverse: take pairs that differ in their vectors.
        most: how many of the pairs may hold the same text; None for any number. With ``per`` only the texts that are
            compared with the group's own are counted.
        short: what happens if a band has too few pairs. "note": others give more, and a note says so; "leave": there
            are fewer items, and a note says so; "error".

    >>> SelectionRequest(items=10, spread="cosine", over=["source"]).over
    {'source': 'even'}
    """

    items: int | None = None
    spread: str | None = None
    bins: int | Sequence[float] = 5
    target: Sequence[float] = ()
    over: Mapping[str, Shares] | Sequence[str] = field(default_factory=dict)
    per: str | None = None
    each: int = 1
    contentious: str | None = None
    diverse: Diversity | None = None
    most: int | None = None
    short: Short = "note"

    def __post_init__(self) -> None:
        if not isinstance(self.over, Mapping):
            names = [self.over] if isinstance(self.over, str) else self.over
            object.__setattr__(self, "over", dict.fromkeys(names, "even"))
        check_whole_numbers(items=self.items, each=self.each, most=self.most)
        for name in ("items", "each", "most"):
            if getattr(self, name) == 0:
                raise ArgumentError(f"{name}=0", remedy=f"{name} must be at least 1")
        _check_bins(self.bins)
        _check_target(self.target, self.bands)
        _check_shares(self.over)  # type: ignore[arg-type]
        self._refuse_unused()

    @property
    def shares(self) -> Mapping[str, Shares]:
        """The columns that items are divided over, in order, with their shares."""
        return self.over  # type: ignore[return-value]

    @property
    def bands(self) -> int:
        """The number of bands of ``spread``; 1 if there is none."""
        if self.spread is None:
            return 1
        return self.bins if isinstance(self.bins, int) else len(self.bins) - 1

    @property
    def names(self) -> tuple[str, ...]:
        """All names that the selection looks at, each once."""
        return tuple(dict.fromkeys(name for name in (self.spread, self.contentious, *self.shares) if name is not None))

    def renamed(self, names: Mapping[str, str]) -> SelectionRequest:
        """The same under other names: those of the columns in which values were measured.

        >>> SelectionRequest(items=1, spread="l2", over=["chars"]).renamed({"chars": "chars(of=shorter)"}).names
        ('l2', 'chars(of=shorter)')
        """
        over = {names.get(name, name): shares for name, shares in self.shares.items()}
        spread, contentious = (one and names.get(one, one) for one in (self.spread, self.contentious))
        return replace(self, over=over, spread=spread, contentious=contentious)

    def _refuse_unused(self) -> None:
        """Raise for an argument that would have no effect."""
        if self.spread is None and (self.target or self.bins != 5):
            named = "target" if self.target else "bins"
            raise ArgumentError(f"{named} without spread", remedy="name what is spread, as in spread='cosine'")
        if self.per is None and self.each != 1:
            raise ArgumentError(f"each={self.each} without per", remedy="name the column of groups, as in per='group'")
        if self.per is not None and self.target:
            raise ArgumentError(
                "per takes the same number of pairs from every band, so target has no effect",
                remedy="leave target or per out",
            )
        if self.items is None and self.per is None and (self.contentious or self.diverse or self.spread or self.over):
            raise ArgumentError("all pairs are taken, so nothing is chosen", remedy="say how many (--items)")


def _check_bins(bins: int | Sequence[float]) -> None:
    if isinstance(bins, int):
        if isinstance(bins, bool) or bins < 1:
            raise ArgumentError(f"bins={bins}", remedy="bins must be at least 1, or a list of edges")
    elif len(bins) < 2 or not np.all(np.diff(np.asarray(bins, np.float64)) > 0):
        raise ArgumentError(f"bins={list(bins)}", remedy="edges must ascend, and there must be two at least")


def _check_target(target: Sequence[float], bands: int) -> None:
    if not target:
        return
    if len(target) != bands:
        raise ArgumentError(
            f"target has {len(target)} weights for {bands} bands", remedy="give one weight for each band of bins"
        )
    if not np.all(np.isfinite(target)) or min(target) < 0 or max(target) <= 0:
        raise ArgumentError(f"target={list(target)}", remedy="weights must be 0 or more, and one of them above 0")


def _check_shares(over: Mapping[str, Shares]) -> None:
    for name, shares in over.items():
        if isinstance(shares, Mapping):
            weights = [float(weight) for weight in shares.values()]
            is_valid = bool(weights) and min(weights) >= 0 and max(weights) > 0
        else:
            is_valid = shares in ("even", "found") or (type(shares) is int and shares >= 1)
        if not is_valid:
            remedy = 'use "even", "found", a number of bands, or weights by value, one of them above 0'
            raise ArgumentError(f"over {name}: {shares!r:.60}", remedy=remedy)
