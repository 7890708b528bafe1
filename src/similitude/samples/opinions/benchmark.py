"""The generator of ``sample:opinions(pairs=...)``: pairs on which people disagree for a reason that is in the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.registry import Spec
from similitude.samples.opinions.crowd import POOL, Crowd, draw_crowd, rate
from similitude.samples.opinions.meetings import draw_meetings
from similitude.samples.opinions.sentences import sentences
from similitude.samples.opinions.vocabulary import DOMAINS, Domain, vocabulary

__all__ = ["make_opinions"]

_SPLITS = ("train", "dev", "test")
_DEFAULTS = {"pairs": 2000, "seed": 0, "domain": None, "held_out": 300, "raters": 8}


def make_opinions(
    pairs: int = 2000,
    seed: int = 0,
    domain: Literal["meals", "trips"] | None = None,
    held_out: int = 300,
    raters: int = 8,
) -> Benchmark:
    """Pairs of sentences in two domains, with the ratings of several simulated raters on 0..5.

    The mean depends on how much of one sentence's content the other has too. The spread also depends on the texts:
    raters disagree about vague wordings beside exact ones, because some are strict and some lenient, and about the
    importance of opposite feelings. The same raters rate both domains. The items of a domain do not depend on the other
    domain, and dev and test do not depend on ``pairs``.

    Args:
        pairs: the number of training pairs in each domain.
        seed: the same seed gives the same benchmark on every machine.
        domain: one domain; by default both.
        held_out: the number of pairs in dev, and in test, in each domain.
        raters: how many of the 32 raters rate each pair.

    Raises:
        ArgumentError: a number is out of range.

    >>> made = make_opinions(pairs=100, held_out=20)
    >>> made
    <Benchmark 'sample:opinions(pairs=100, held_out=20)': 280 items, scale 0..5 (declared), simulated judgements>
    >>> made.splits
    ['train', 'dev', 'test']
    """
    given = {"pairs": pairs, "seed": seed, "domain": domain, "held_out": held_out, "raters": raters}
    _check(pairs=pairs, seed=seed, held_out=held_out, raters=raters)
    crowd = draw_crowd(np.random.default_rng([seed, 0]))
    known = vocabulary()
    wanted = [known.domain(name) for name in DOMAINS if domain in (None, name)]
    sizes = {"train": pairs, "dev": held_out, "test": held_out}
    # In order of splits, so that the first rows show both domains.
    parts = [
        _part(
            np.random.default_rng([seed, 1 + DOMAINS.index(one.name), number]), one, split, sizes[split], crowd, raters
        )
        for number, split in enumerate(_SPLITS)
        for one in wanted
    ]
    return Benchmark(
        name=_name(given),
        frame=pl.concat(parts),
        scale=Scale(low=0.0, high=5.0),
        licence="Apache-2.0",
        provenance=_provenance(seed, raters),
    )


def _check(*, pairs: int, seed: int, held_out: int, raters: int) -> None:
    for name, number, least in (("pairs", pairs, 1), ("held_out", held_out, 1), ("seed", seed, 0)):
        if number < least:
            raise ArgumentError(f"cannot make opinions with {name}={number}", remedy=f"give {least} or more")
    if not 2 <= raters <= POOL:
        raise ArgumentError(f"cannot make opinions with raters={raters}", remedy=f"give a number from 2 to {POOL}")


def _part(rng: np.random.Generator, domain: Domain, split: str, pairs: int, crowd: Crowd, raters: int) -> pl.DataFrame:
    met = draw_meetings(rng, pairs, len(domain.facts), domain.vague)
    texts = sentences(rng, vocabulary(), domain, met)
    rated = rate(rng, crowd, met, np.array([fact.weight for fact in domain.facts]), raters)
    names = np.array([f"r{number:02d}" for number in range(1, POOL + 1)])
    return pl.DataFrame(texts, schema=["left", "right"], orient="row").with_columns(
        id=pl.Series([f"{domain.name}-{split}-{number:05d}" for number in range(1, pairs + 1)]),
        language=pl.lit("en"),
        domain=pl.lit(domain.name),
        split=pl.lit(split),
        score=pl.Series(rated.ratings.mean(axis=1)),
        sigma=pl.Series(rated.ratings.std(axis=1)),
        ratings=pl.Series(rated.ratings.tolist(), dtype=pl.List(pl.Float64)),
        raters=pl.Series(names[rated.raters].tolist(), dtype=pl.List(pl.String)),
        rounds=pl.Series([["first"] * raters] * pairs, dtype=pl.List(pl.String)),
    )


def _name(given: Mapping[str, object]) -> str:
    keywords = {name: value for name, value in given.items() if name == "pairs" or value != _DEFAULTS[name]}
    return f"sample:{Spec('opinions', keywords=keywords)}"


def _provenance(seed: int, raters: int) -> Provenance:
    notes = "raters disagree about vague wordings and opposite feelings, depending on their attitudes"
    crowd = f"simulated raters ({raters} of {POOL} for each pair, seed {seed})"
    return Provenance(format="generated", notes=(notes,), judged_by=crowd, aggregation="mean of the ratings")
