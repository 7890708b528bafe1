"""``sample:world-corrupted``: the world with labels that are known to be wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError
from similitude.registry import Spec
from similitude.samples.world.benchmark import make_world
from similitude.samples.world.vocabulary import TRAINING

__all__ = ["CORRUPTIONS", "Corrupted", "Corruption", "corrupt_labels", "make_corrupted_world"]

Corruption = Literal["random", "swap", "near", "shift"]
CORRUPTIONS: tuple[str, ...] = get_args(Corruption)
"""random: any other label; swap: the two labels of a pair exchanged; near: one or two steps off; shift: a rater who is
two steps too high."""

Labels = NDArray[np.int64]
LOW, HIGH = 1, 5


class Corrupted(NamedTuple):
    """A benchmark with wrong labels.

    Attributes:
        benchmark: the same items; some labels are wrong.
        wrong: for each item, whether its label was changed.
    """

    benchmark: Benchmark
    wrong: NDArray[np.bool_]


def make_corrupted_world(
    share: float = 0.2,
    kind: Corruption = "random",
    pairs: int = 4000,
    seed: int = 0,
    held_out: int = 100,
    noise: float = 0.25,
) -> Benchmark:
    """The world of `make_world` with a share of wrong training labels; validation and test stay as they are.

    The labels that differ from those of ``sample:world`` with the same pairs, seed, held_out and noise are the wrong
    ones; ids and all else are the same.

    Args:
        share: of the training labels that are wrong.
        kind: how they are wrong, one of `CORRUPTIONS`.
        pairs: as for `make_world`.
        seed: as for `make_world`; also of the corruption.
        held_out: as for `make_world`.
        noise: as for `make_world`.

    Raises:
        ArgumentError: an argument is not valid.

    >>> made = make_corrupted_world(share=0.1, kind="swap", pairs=100, held_out=2)
    >>> made
    <Benchmark 'sample:world-corrupted(share=0.1, kind=swap, pairs=100, held_out=2)': 232 items, scale 1..5 (declared),
    simulated judgements>
    >>> world = make_world(pairs=100, held_out=2)
    >>> int((made.frame["score"] != world.frame["score"]).sum())
    20
    """
    world = make_world(pairs=pairs, seed=seed, held_out=held_out, noise=noise)
    made = corrupt_labels(world, share, kind, seed=seed).benchmark
    given = {"share": share, "kind": kind, "pairs": pairs, "seed": seed, "held_out": held_out, "noise": noise}
    usual = {"pairs": 4000, "seed": 0, "held_out": 100, "noise": 0.25}
    keywords = {name: value for name, value in given.items() if name not in usual or value != usual[name]}
    return replace(made, name=f"sample:{Spec('world-corrupted', keywords=keywords)}")


def corrupt_labels(world: Benchmark, share: float, kind: str = "random", *, seed: int = 0) -> Corrupted:
    """Make a known share of the training labels of a world wrong; which ones depends on ids, not on the row order.

    Args:
        world: as `make_world` makes it: whole labels from 1 to 5, two items a pair.
        share: of the training labels; the number is rounded, for swap to an even one.
        kind: one of `CORRUPTIONS`.
        seed: of the choice.

    Raises:
        ArgumentError: there is no such kind, or the share is too large for it.
    """
    if kind not in _WAYS:
        raise ArgumentError(f"labels cannot be corrupted by '{kind}'", remedy=f"known: {', '.join(CORRUPTIONS)}")
    if not 0 <= share < 1:
        raise ArgumentError(f"a share of {share:g} cannot be corrupted", remedy="give one from 0 to below 1: 0.2")
    # By id, so that the two items of a pair are neighbours and the order of rows does not matter.
    frame = world.frame.with_row_index("__place").sort("id")
    frame = frame.filter(pl.col("split") == TRAINING) if world.splits else frame
    before = frame["score"].to_numpy().astype(np.int64)
    after = _WAYS[kind](np.random.default_rng([seed, 7]), before, round(share * len(before)))
    scores = world.frame["score"].to_numpy().copy()
    scores[frame["__place"].to_numpy()] = after
    wrong = scores != world.frame["score"].to_numpy()
    judged = f"{world.provenance.judged_by}; {wrong.sum():,} labels were made wrong ({kind})"
    provenance = replace(world.provenance, judged_by=judged)
    corrupted = replace(world, frame=world.frame.with_columns(score=pl.Series(scores)), provenance=provenance)
    return Corrupted(corrupted, wrong)


def _random(rng: np.random.Generator, labels: Labels, count: int) -> Labels:
    chosen = _some(rng, np.arange(len(labels)), count)
    others = labels[chosen] - LOW + rng.integers(1, HIGH - LOW + 1, count)
    return _changed(labels, chosen, LOW + others % (HIGH - LOW + 1))


def _swap(rng: np.random.Generator, labels: Labels, count: int) -> Labels:
    both = labels.reshape(-1, 2)
    pairs = _some(rng, np.flatnonzero(both[:, 0] != both[:, 1]), round(count / 2))
    return _changed(both, pairs, both[pairs, ::-1]).ravel()


def _near(rng: np.random.Generator, labels: Labels, count: int) -> Labels:
    chosen = _some(rng, np.arange(len(labels)), count)
    steps = rng.integers(1, 3, count) * (2 * rng.integers(0, 2, count) - 1)
    moved = labels[chosen] + steps
    off = (moved < LOW) | (moved > HIGH)
    return _changed(labels, chosen, np.where(off, labels[chosen] - steps, moved))


def _shift(rng: np.random.Generator, labels: Labels, count: int) -> Labels:
    chosen = _some(rng, np.flatnonzero(labels < HIGH), count)
    return _changed(labels, chosen, np.minimum(labels[chosen] + 2, HIGH))


_WAYS: Mapping[str, Callable[[np.random.Generator, Labels, int], Labels]] = {
    "random": _random,
    "swap": _swap,
    "near": _near,
    "shift": _shift,
}


def _some(rng: np.random.Generator, places: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    if count > len(places):
        what = f"only {len(places):,} labels, or pairs of labels, can be made wrong in this way, not {count:,}"
        raise ArgumentError(what, remedy="give a smaller share, or another kind")
    return np.sort(rng.choice(places, count, replace=False))


def _changed(labels: Labels, places: NDArray[np.intp], values: Labels) -> Labels:
    after = labels.copy()
    after[places] = values
    return after
