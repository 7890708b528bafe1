"""The generator of ``sample:world``: scenes, sentences, conditions and labels, in an order that tells nothing."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.registry import Spec
from similitude.samples.opinions.crowd import Crowd, draw_crowd
from similitude.samples.world.raters import POOL, rating_columns
from similitude.samples.world.scenes import Scenes, ValuePool, draw_scenes
from similitude.samples.world.sentences import sentences
from similitude.samples.world.vocabulary import TRAINING, WorldVocabulary, vocabulary

__all__ = ["REGIMES", "make_world"]

REGIMES = ("seen", "new objects", "new conditions", "both new")
"""What is new in an item of validation or test, compared with training; the values of the column ``source``."""

_HELD_OUT = ("validation", "test")


class _Part(NamedTuple):
    """One regime of one split: its number, its number of pairs, and the number of its first pair."""

    number: int
    split: str
    regime: str
    pairs: int
    first: int


class _Asked(NamedTuple):
    """Who is asked, and about which half of the attributes; None for all."""

    noise: float
    raters: int
    crowd: Crowd
    half: int | None


def make_world(
    pairs: int = 4000,
    seed: int = 0,
    held_out: int = 100,
    noise: float = 0.25,
    raters: int = 1,
    half: Literal[1, 2] | None = None,
) -> Benchmark:
    """Pairs of sentences about a small world, each under a condition with a high label and one with a low label.

    Labels are 5 if both sentences give the attribute the same value in other words, 4 for values of one kind, 2 for
    near kinds, and 1 for far kinds. A simulated rater gives one rating per item and is sometimes one step off, which is
    where labels of 3 come from. Several raters differ over values of one kind and, twice as far, over near kinds
    (see `similitude.samples.world.raters`); gold is then the mean of their ratings, and all ratings are kept. Texts and
    conditions do not depend on the raters, and validation and test not on ``pairs``.

    Args:
        pairs: the number of training pairs, which must be even; each pair is two items.
        seed: the same seed gives the same benchmark on every machine.
        held_out: the number of pairs in each of the four `REGIMES` of validation, and of test; must be even.
        noise: the probability that the rater is one step off, up or down, but never off the scale.
        raters: how many of 32 raters rate each item; 1 for one rater without a name.
        half: ask only about the attributes with odd (1) or with even (2) numbers; two halves are two domains.

    Raises:
        ArgumentError: a number of pairs is odd or less than 2, the noise is not a probability, or a number of raters or
            a half is out of range.

    >>> made = make_world(pairs=100, held_out=20)
    >>> made
    <Benchmark 'sample:world(pairs=100, held_out=20)': 520 items, scale 1..5 (declared), simulated judgements>
    >>> made.splits
    ['train', 'validation', 'test']
    """
    given = {"pairs": pairs, "seed": seed, "held_out": held_out, "noise": noise, "raters": raters, "half": half}
    _check(pairs=pairs, seed=seed, held_out=held_out, noise=noise)
    _check_raters(raters, half)
    words = vocabulary()
    parts = _parts(pairs, held_out)
    asked = _Asked(noise, raters, draw_crowd(np.random.default_rng([seed, len(parts) + 1])), half)
    made = pl.concat([_rows(np.random.default_rng([seed, part.number]), words, part, asked) for part in parts])
    orders = np.random.default_rng([seed, len(parts)])
    # Training last, because the order of the others must not depend on its size.
    shuffled = {split: _shuffled(orders, made.filter(pl.col("split") == split)) for split in (*_HELD_OUT, TRAINING)}
    frame = pl.concat([shuffled[split] for split in (TRAINING, *_HELD_OUT)])
    return Benchmark(
        name=_name(given),
        frame=frame.with_columns(language=pl.lit("en")),
        scale=Scale(low=1.0, high=5.0),
        licence="Apache-2.0",
        provenance=_provenance(seed, noise, raters),
    )


def _check(*, pairs: int, seed: int, held_out: int, noise: float) -> None:
    for name, number in (("pairs", pairs), ("held_out", held_out)):
        if number < 2 or number % 2:
            remedy = "pairs are generated two at a time, so that labels balance: give an even number from 2 on"
            raise ArgumentError(f"cannot make a world with {name}={number}", remedy=remedy)
    if seed < 0:
        raise ArgumentError(f"cannot make a world with seed={seed}", remedy="give a whole number from 0 on")
    if not 0 <= noise <= 1:
        raise ArgumentError(f"cannot make a world with noise={noise:g}", remedy="give a probability, from 0 to 1")


def _check_raters(raters: int, half: int | None) -> None:
    if not 1 <= raters <= POOL:
        raise ArgumentError(f"cannot make a world with raters={raters}", remedy=f"give a number from 1 to {POOL}")
    if half not in (None, 1, 2):
        raise ArgumentError(f"cannot make a world with half={half}", remedy="give 1 or 2, or leave it out")


def _parts(pairs: int, held_out: int) -> list[_Part]:
    """Every regime of validation and test, then training, which has the highest pair numbers."""
    regimes = [(split, regime) for split in _HELD_OUT for regime in REGIMES]
    parts = [_Part(number, *regime, held_out, number * held_out) for number, regime in enumerate(regimes)]
    return [*parts, _Part(len(parts), TRAINING, REGIMES[0], pairs, len(parts) * held_out)]


def _pool(words: WorldVocabulary, part: _Part, half: int | None) -> ValuePool:
    objects = part.split if part.regime in ("new objects", "both new") else TRAINING
    conditions = part.split if part.regime in ("new conditions", "both new") else TRAINING
    return ValuePool(
        conditions=words.attributes_of(conditions)[slice(None) if half is None else slice(half - 1, None, 2)],
        distractors=words.attributes_of(TRAINING),
        actors=words.actors[objects],
        things=words.things[objects],
    )


def _rows(rng: np.random.Generator, words: WorldVocabulary, part: _Part, asked: _Asked) -> pl.DataFrame:
    """Two rows per pair: all pairs under their high condition, then all under their low one."""
    pool = _pool(words, part, asked.half)
    scenes = draw_scenes(rng, pool, part.pairs)
    texts = pl.DataFrame(sentences(rng, words, pool, scenes), schema=["left", "right"], orient="row")
    groups = [f"w{number:05d}" for number in range(part.first, part.first + part.pairs)]
    domains, conditions = _conditions(rng, scenes)
    return (
        pl.concat([texts.with_columns(group=pl.Series(groups))] * 2)
        .with_columns(
            condition=pl.Series(conditions),
            domain=pl.Series(domains),
            source=pl.lit(part.regime),
            split=pl.lit(part.split),
        )
        .with_columns(_ratings(rng, scenes.levels[:, :2].T.ravel(), asked))
    )


def _conditions(rng: np.random.Generator, scenes: Scenes) -> tuple[list[str], list[str]]:
    """The attribute and the wording of each row's condition."""
    asked = [scenes.known[number] for number in scenes.attributes[:, :2].T.ravel().tolist()]
    wordings = rng.integers(0, [len(attribute.conditions) for attribute in asked]).tolist()
    written = [attribute.conditions[wording] for attribute, wording in zip(asked, wordings, strict=True)]
    return [attribute.name for attribute in asked], written


def _ratings(rng: np.random.Generator, levels: NDArray[np.int64], asked: _Asked) -> list[pl.Series]:
    if asked.raters == 1:
        return [pl.Series("score", _rated(rng, levels, asked.noise))]
    return rating_columns(rng, asked.crowd, levels, raters=asked.raters, noise=asked.noise)


def _rated(rng: np.random.Generator, levels: NDArray[np.int64], noise: float) -> NDArray[np.int64]:
    slips = (rng.random(levels.size) < noise) * (2 * rng.integers(0, 2, levels.size) - 1)
    return np.asarray(np.clip(levels + slips, 1, 5))


def _shuffled(rng: np.random.Generator, frame: pl.DataFrame) -> pl.DataFrame:
    """One row of each pair, high or low at random, in random order; then the other rows, in another random order."""
    pairs = frame.height // 2
    both = frame.sort("group", maintain_order=True)
    low_first = rng.integers(0, 2, pairs)
    one, other = rng.permutation(pairs), rng.permutation(pairs)
    if one[-1] == other[0]:
        other = np.roll(other, 1)
    rows = np.concatenate([2 * one + low_first[one], 2 * other + 1 - low_first[other]])
    return both[rows].with_columns(id=pl.col("group") + pl.Series(["-a"] * pairs + ["-b"] * pairs))


def _name(given: Mapping[str, float | None]) -> str:
    defaults = inspect.signature(make_world).parameters
    keywords = {name: value for name, value in given.items() if value != defaults[name].default}
    return f"sample:{Spec('world', keywords=keywords)}"


def _provenance(seed: int, noise: float, raters: int) -> Provenance:
    notes = "domain is the attribute that the condition asks about; source says what is new compared with training"
    often = f"one step off with probability {noise:g}, seed {seed}"
    if raters == 1:
        judged_by = f"a simulated rater (one rating per item, {often})"
        return Provenance(format="generated", notes=(notes,), judged_by=judged_by)
    judged_by = f"simulated raters ({raters} of {POOL} for each item, {often})"
    return Provenance(format="generated", notes=(notes,), judged_by=judged_by, aggregation="mean of the ratings")
