"""Expert check: items where an expert's verdict, high or low, contradicts the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.errors import InputError, ScaleError
from similitude.gold.reliability.bootstrap import USUAL, Resampling, bootstrap_estimates
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.stats.arrays import Array, Booleans

__all__ = ["ExpertCheck", "expert_check"]


MIDDLE = 0.5
HIGH, LOW = "high", "low"
WORDS: Mapping[str, str] = {HIGH: HIGH, LOW: LOW, ">": HIGH, "<": LOW, "above": HIGH, "below": LOW}
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpertCheck:
    """An expert's verdicts against the scores.

    Attributes:
        border: scores above are high, scores below are low.
        checked: number of items with a verdict and a score off the border.
        undecided: ids of items with a verdict whose score is hidden or on the border; they do not count.
        unasked: number of items without a verdict.
        agreement: share of checked items on which score and expert agree, with Wilson's interval.
        kappa: Cohen's kappa of score and expert, with a bootstrap interval over items.
        contradictions: item, left, right, score, expert and distance (of the score from the border), farthest first.
    """

    border: float
    checked: int
    undecided: list[str]
    unasked: int
    agreement: Estimate
    kappa: Estimate
    contradictions: pl.DataFrame


def expert_check(
    benchmark: Benchmark,
    verdicts: Mapping[str, str],
    *,
    border: float | None = None,
    resampling: Resampling = USUAL,
) -> ExpertCheck:
    """Compare scores with the verdicts, high or low, of an expert who has not seen them (GiCCS 4.3).

    Args:
        benchmark: items with scores.
        verdicts: item id -> "high" or "low" (also ">" and "<", "above" and "below").
        border: between low and high; by default the middle of the scale.
        resampling: how the interval of kappa is drawn; its level is also that of the share.

    Raises:
        InputError: a verdict names an unknown item, or is not one of the words.
        ScaleError: no scale is known and no border is given.

    >>> made = Benchmark.from_columns("two", left=["a", "b"], right=["c", "d"], score=[0.65, 0.2], scale="0..1")
    >>> expert_check(made, {"1": "low", "2": "low"}).contradictions.select("item", "score", "expert").row(0)
    ('1', 0.65, 'low')
    """
    border = _border(benchmark) if border is None else border
    table = _judged(benchmark, verdicts).with_columns(distance=(pl.col("score") - border).abs())
    decided = pl.col("distance").fill_null(0.0) > ROUNDING
    checked = table.filter(decided)
    says_high, is_high = (checked["expert"] == HIGH).to_numpy(), (checked["score"] > border).to_numpy()
    against = checked.filter(says_high != is_high).sort("distance", descending=True, maintain_order=True)
    return ExpertCheck(
        border=border,
        checked=checked.height,
        undecided=table.filter(~decided)["item"].to_list(),
        unasked=len(benchmark) - table.height,
        agreement=_wilson(int((says_high == is_high).sum()), checked.height, resampling.level),
        kappa=_kappa(says_high, is_high, resampling),
        contradictions=against.select("item", "left", "right", "score", "expert", "distance"),
    )


def _border(benchmark: Benchmark) -> float:
    if benchmark.scale is None:
        raise ScaleError("the scale is unknown", where=benchmark.name, remedy="declare it, or give a border")
    return benchmark.scale.at(MIDDLE)


def _judged(benchmark: Benchmark, verdicts: Mapping[str, str]) -> pl.DataFrame:
    """The items with a verdict, in the order of the benchmark."""
    words = {item: WORDS.get(verdict.strip().lower()) for item, verdict in verdicts.items()}
    known = set(benchmark.frame["id"])
    for item, word in words.items():
        if item not in known:
            raise InputError(f"the expert judged '{item}', which is not an item", where=benchmark.name)
        if word is None:
            what = f"'{verdicts[item]}' about item '{item}' is not a verdict"
            raise InputError(what, where=benchmark.name, remedy=f"write one of: {', '.join(WORDS)}")
    given = pl.DataFrame(
        {"item": list(words), "expert": list(words.values())}, schema={"item": pl.String, "expert": pl.String}
    )
    items = benchmark.frame.select("left", "right", "score", item="id")
    return items.join(given, on="item", maintain_order="left")


def _wilson(agreeing: int, number: int, level: float) -> Estimate:
    """A share with Wilson's interval, which keeps its level near 0 and 1."""
    if number == 0:
        return undefined("no item has both a verdict and a score off the border")
    from scipy.special import ndtri

    z, share = float(ndtri((1 + level) / 2)), agreeing / number
    centre, weight = share + z**2 / (2 * number), 1 + z**2 / number
    half = z * np.sqrt(share * (1 - share) / number + z**2 / (4 * number**2))
    return Estimate(share, float((centre - half) / weight), float((centre + half) / weight))


def _kappa(one: Booleans, other: Booleans, resampling: Resampling) -> Estimate:
    if one.size == 0:
        return undefined("no item has both a verdict and a score off the border")
    features = np.stack([one == other, one, other]).astype(np.float64)

    def kappa(weights: Array) -> Array:
        observed, p, q = features @ weights.T / weights.sum(axis=1)
        chance = p * q + (1 - p) * (1 - q)
        with np.errstate(invalid="ignore"):  # 0 / 0 where all verdicts are the same
            return np.asarray((observed - chance) / (1 - chance))[None]

    (found,) = bootstrap_estimates(kappa, one.size, resampling=resampling)
    return (
        found
        if found.is_defined
        else undefined("score and expert give every item the same verdict, as chance alone would")
    )
