"""Filters applied to blocks of pairs, and what they did as steps."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from similitude.collect.candidates.features import DescribedPairs, Feature
from similitude.collect.candidates.filters.filter import Filter
from similitude.collect.candidates.filters.histogram import Histogram, ValueCounts, distribution
from similitude.collect.candidates.filters.tally import FilterTally, tally_of
from similitude.collect.candidates.pairs import PairBlock
from similitude.collect.candidates.steps import BorderExample, Step
from similitude.data.texts import Texts
from similitude.errors import ArgumentError

__all__ = ["Filtered", "described", "filter_step", "filter_steps", "filtered"]

SHOWN_NAMES = 5


class Filtered(NamedTuple):
    """What filters left of a block.

    Attributes:
        pairs: that passed all filters, with the values of all features that were compared as columns.
        tallies: what each filter did.
    """

    pairs: PairBlock
    tallies: tuple[FilterTally, ...]


def filtered(pairs: DescribedPairs, filters: Sequence[Filter]) -> Filtered:
    """Apply filters one after the other; each feature is computed only of pairs that passed the filters before.

    What is kept of a pair does not depend on the other pairs of the block.
    """
    tallies = []
    for one in filters:
        start = time.perf_counter()
        verdict = one.condition.judge(pairs)
        tally = tally_of(one, pairs, verdict)
        pairs = pairs.kept(np.flatnonzero(verdict.truth > 0))
        tallies.append(tally.lasting(time.perf_counter() - start))
    return Filtered(pairs.block, tuple(tallies))


def described(pairs: DescribedPairs, features: Iterable[Feature]) -> PairBlock:
    """The pairs with the values of features as columns, under the names of the features."""
    for feature in features:
        pairs.value_of(feature)
    return pairs.kept(np.arange(len(pairs))).block


def filter_steps(filters: Sequence[Filter], tallies: Sequence[FilterTally], texts: Texts) -> tuple[Step, ...]:
    """What each filter did to all pairs.

    Args:
        filters: in the order in which they were applied.
        tallies: of each filter, summed over all pairs.
        texts: from which examples are shown.

    Raises:
        ArgumentError: a filter keeps nothing of what came to it; the message says which values it saw.
    """
    return tuple(filter_step(one, tally, texts) for one, tally in zip(filters, tallies, strict=True))


def filter_step(one: Filter, tally: FilterTally, texts: Texts) -> Step:
    """What a filter did to all pairs.

    Raises:
        ArgumentError: it keeps nothing.
    """
    if tally.before and not tally.after:
        raise _keeps_nothing(one, tally)
    shown = zip(one.features, tally.values_before, tally.values_after, strict=True)
    return Step(
        name=one.text,
        of="pairs",
        before=tally.before,
        after=tally.after,
        seconds=tally.seconds,
        losses=_losses(one, tally),
        examples=tuple(_examples(one, tally, texts)),
        distributions=tuple(distribution(str(feature), before, after) for feature, before, after in shown),
        notes=tuple(dict.fromkeys(note for feature in one.features for note in feature.notes(texts))),
    )


def _losses(one: Filter, tally: FilterTally) -> dict[str, int]:
    """How many pairs were dropped, by what holds of them."""
    losses: Counter[str] = Counter()
    for failure, failed in zip(one.condition.failures(), tally.failed, strict=True):
        losses[failure] += failed
    for comparison, undefined in zip(one.comparisons, tally.undefined, strict=True):
        losses[f"{comparison.feature} is undefined: {comparison.feature.undefined}"] += undefined
    return {reason: count for reason, count in losses.items() if count}


def _examples(one: Filter, tally: FilterTally, texts: Texts) -> Iterator[BorderExample]:
    """Border by border, those that were kept first; a border is named if there are several."""
    for comparison, kept, dropped in zip(one.comparisons, tally.kept, tally.dropped, strict=True):
        border = str(comparison) if len(one.comparisons) > 1 else ""
        yield from (pair.example(texts, is_kept=True, border=border) for pair in kept)
        yield from (pair.example(texts, is_kept=False, border=border) for pair in dropped)


def _keeps_nothing(one: Filter, tally: FilterTally) -> ArgumentError:
    saw = "; ".join(
        f"{feature}: {_seen(counts)}" for feature, counts in zip(one.features, tally.values_before, strict=True)
    )
    what = f"keeps none of the {tally.before:,} pairs that came to it; it saw {saw}"
    return ArgumentError(
        what, where=f"filter '{one}'", remedy="loosen it, or leave it out (--filter, or keep in [filters])"
    )


def _seen(counts: ValueCounts) -> str:
    undefined = f"{counts.undefined:,} undefined" if counts.undefined else ""
    known = _seen_numbers(counts) if isinstance(counts, Histogram) else _seen_names(counts.names)
    return ", ".join(part for part in (known, undefined) if part)


def _seen_numbers(counts: Histogram) -> str:
    if not counts.is_known:
        return ""
    return f"{counts.low:.6g} to {counts.high:.6g}, half of them up to {counts.quantile(0.5):.6g}"


def _seen_names(names: Mapping[str, int]) -> str:
    ordered = sorted(names, key=lambda name: (-names[name], name))
    more = f" and {len(ordered) - SHOWN_NAMES:,} more" if len(ordered) > SHOWN_NAMES else ""
    return ", ".join(f"{name} ({names[name]:,})" for name in ordered[:SHOWN_NAMES]) + more
