"""Tallies of what cleaning did to a slice of the texts; several add up to the step, whatever the slices were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import polars as pl

from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.data.plural import counted

__all__ = ["EDGES", "CleanTally", "Shown", "clean_step", "counts_between"]

EDGES: Final[Mapping[str, tuple[float, ...]]] = {
    "characters": (0, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1_000, 10_000),
    "words": (0, 2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 50, 100, 1_000),
}
"""Edges of distributions, the same for all slices; what lies beyond the last is counted with the highest."""

EXAMPLES: Final = 3
"""Examples on each side of each border."""

UNKNOWN: Final = "unknown"
MIXED: Final = 0.05
"""The share from which on a language is worth a note."""

Key = TypeVar("Key", bound=Hashable)


class Shown(NamedTuple):
    """A text near a border.

    Attributes:
        border: which one, such as "under 20 characters".
        distance: how far from it.
        example: the text.
    """

    border: str
    distance: float
    example: BorderExample


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanTally:
    """What cleaning did to a slice.

    Attributes:
        before: how many texts there were.
        losses: how many were dropped, by reason.
        changes: how many were changed, by what was done.
        changed: examples of texts before and after.
        shown: examples at borders.
        counts: counts between `EDGES` before and after, by name.
        languages: how many texts there were of each language, before and after.
        guessed: how many languages were guessed and filled in.
        chosen: whether the languages to keep were chosen.
    """

    before: int
    losses: Mapping[str, int]
    changes: Mapping[str, int] = field(default_factory=dict)
    changed: tuple[tuple[str, str], ...] = ()
    shown: tuple[Shown, ...] = ()
    counts: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)
    languages: tuple[Mapping[str, int], Mapping[str, int]] = field(default_factory=lambda: ({}, {}))
    guessed: int = 0
    chosen: bool = False

    def record(self) -> dict[str, Any]:
        """Ready for JSON; `from_record` reads it back."""
        shown = [(each.border, each.distance, asdict(each.example)) for each in self.shown]
        names = ("before", "losses", "changes", "changed", "counts", "languages", "guessed", "chosen")
        return {**{name: getattr(self, name) for name in names}, "shown": shown}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> CleanTally:
        """A tally from its record, after JSON has turned tuples into lists."""
        shown = tuple(Shown(border, far, BorderExample(**example)) for border, far, example in record["shown"])
        counts = {name: (tuple(before), tuple(after)) for name, (before, after) in record["counts"].items()}
        before, after = record["languages"]
        changed = tuple((old, new) for old, new in record["changed"])
        parts = {"shown": shown, "counts": counts, "languages": (before, after), "changed": changed}
        return cls(**{**record, **parts})


def counts_between(name: str, values: pl.Series) -> tuple[int, ...]:
    """How many values lie between the edges of this name."""
    edges = np.asarray(EDGES[name])
    clipped = np.minimum(values.to_numpy(), edges[-1])
    return tuple(np.histogram(clipped, edges)[0].tolist())


def clean_step(tallies: Sequence[CleanTally], *, seconds: float = 0.0) -> Step:
    """The step of all slices, given in the order of the texts."""
    before = sum(tally.before for tally in tallies)
    losses = _added(tally.losses for tally in tallies)
    after = before - sum(losses.values())
    changes, guessed = _added(tally.changes for tally in tallies), sum(tally.guessed for tally in tallies)
    changed = [pair for tally in tallies for pair in tally.changed][:EXAMPLES]
    rewritten = [{"as read": old, "as kept": new} for old, new in changed]
    facts: dict[str, object] = {"changed": changes, "changed_texts": rewritten}
    facts |= {"languages_guessed": guessed} if guessed else {}
    return Step(
        name="clean",
        of="texts",
        before=before,
        after=after,
        seconds=seconds,
        losses=losses,
        facts=facts,
        examples=_nearest([shown for tally in tallies for shown in tally.shown]),
        distributions=(*_distributions(tallies), *_languages(tallies)),
        notes=(*_guess_note(guessed), *_mixture_note(tallies)),
    )


def nearest(shown: Iterable[Shown]) -> tuple[Shown, ...]:
    """The nearest few on each side of each border; of equal distance the first."""
    ordered = sorted(shown, key=lambda each: each.distance)
    sides = _grouped(ordered, lambda each: (each.border, each.example.is_kept))
    return tuple(each for side in sides.values() for each in side[:EXAMPLES])


def _nearest(shown: Sequence[Shown]) -> tuple[BorderExample, ...]:
    """The examples by border, those that were dropped first; borders at which nothing was dropped have none."""
    borders = _grouped(nearest(shown), lambda each: each.border)
    crossed = {name: each for name, each in borders.items() if not all(one.example.is_kept for one in each)}
    sides = (sorted(crossed[name], key=lambda each: each.example.is_kept) for name in sorted(crossed))
    return tuple(replace(each.example, border=each.border) for side in sides for each in side)


def _grouped(values: Iterable[Shown], key: Callable[[Shown], Key]) -> dict[Key, list[Shown]]:
    groups: dict[Key, list[Shown]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return {name: count for name, count in sorted(total.items()) if count}


def _distributions(tallies: Sequence[CleanTally]) -> list[Distribution]:
    names = dict.fromkeys(name for tally in tallies for name in tally.counts)
    return [_distribution(name, [tally.counts[name] for tally in tallies if name in tally.counts]) for name in names]


def _distribution(name: str, counts: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> Distribution:
    before, after = (tuple(np.sum([each[side] for each in counts], axis=0).tolist()) for side in (0, 1))
    return Distribution(name=name, edges=EDGES[name], before=before, after=after)


def _languages(tallies: Sequence[CleanTally]) -> list[Distribution]:
    before, after = (_added(tally.languages[side] for tally in tallies) for side in (0, 1))
    names = tuple(sorted(before, key=lambda name: (-before[name], name)))
    if not names:
        return []
    counts = (tuple(side.get(name, 0) for name in names) for side in (before, after))
    return [Distribution(name="language", edges=names, before=next(counts), after=next(counts))]


def _guess_note(guessed: int) -> list[str]:
    return [f"the language was guessed for {counted(guessed, 'text')}"] if guessed else []


def _mixture_note(tallies: Sequence[CleanTally]) -> list[str]:
    """A note if nobody chose among several languages, because texts of two languages make odd pairs."""
    known = _added(tally.languages[1] for tally in tallies)
    known.pop(UNKNOWN, None)
    total = sum(known.values())
    shares = {name: count / total for name, count in known.items() if count >= MIXED * total}
    if len(shares) < 2 or any(tally.chosen for tally in tallies):
        return []
    listed = ", ".join(f"{name} {share:.0%}" for name, share in sorted(shares.items(), key=lambda each: -each[1]))
    remedy = 'choose some with languages under [clean], or pair them apart with within = "language" under [pairs]'
    return [f"the texts are in several languages, as far as they are stated or can be guessed ({listed}); {remedy}"]
