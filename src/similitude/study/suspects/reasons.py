"""Why a label is suspect, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.stats.noisy_labels import WrongLabels
from similitude.study.suspects.label_links import DUPLICATES, LabelLinks
from similitude.study.suspects.rating_spread import RatingSpread

__all__ = ["Evidence", "reason_of", "verdict_of"]

FAR = 0.15
"""Values that differ by more than this share of the scale are named in a reason."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """All that is known about the labels.

    Attributes:
        benchmark: the items.
        forecasts: the label that the forecasts suggest, on the scale.
        is_forecast: whether the forecasts correlate with the labels, so that they are worth naming.
        expected: the label that all evidence suggests, were the given one wrong.
        found: of the mixture.
        links: to other items.
        spreads: of the ratings of each item.
    """

    benchmark: Benchmark
    forecasts: NDArray[np.float64]
    is_forecast: bool
    expected: NDArray[np.float64]
    found: WrongLabels
    links: LabelLinks
    spreads: list[RatingSpread]

    @property
    def width(self) -> float:
        """Of the scale."""
        return 1.0 if self.benchmark.scale is None else self.benchmark.scale.width


def verdict_of(known: Evidence, item: int) -> str:
    """What is probably the matter with a suspect label: contentious, swapped or wrong."""
    if known.spreads[item].is_contentious:
        return "contentious"
    return "swapped" if known.found.swapped[item] > 0.5 * known.found.wrong[item] else "wrong"


def reason_of(known: Evidence, item: int) -> str:
    """The evidence against a label, in one sentence; the strongest first."""
    parts = [*_of_spread(known, item), *_of_link(known, item), *_of_forecast(known, item)]
    return "; ".join(parts) or f"all evidence together suggests {known.expected[item]:.1f}"


def _of_forecast(known: Evidence, item: int) -> list[str]:
    label, forecast = known.benchmark.gold.scores[item], known.forecasts[item]
    if not known.is_forecast or abs(label - forecast) <= FAR * known.width:
        return []
    return [f"the forecasts suggest {forecast:.1f}, not {label:g}"]


def _of_link(known: Evidence, item: int) -> list[str]:
    partner = int(known.links.partners[item])
    if partner < 0:
        return []
    frame = known.benchmark.frame
    label, other = (float(known.benchmark.gold.scores[place]) for place in (item, partner))
    name = f"item {frame['id'][partner]}"
    gap = abs(label - other)
    if known.links.item_kinds[item] == DUPLICATES:
        return [f"the same pair has {other:g} as {name}"] if gap > FAR * known.width else []
    if verdict_of(known, item) == "swapped":
        return [f"the labels of the two conditions look exchanged ({name} has {other:g})"]
    expected = known.expected[item]
    if abs(label - expected) <= FAR * known.width:
        return []
    return [f"with {other:g} under the other condition ({name}), {expected:.1f} is more usual than {label:g}"]


def _of_spread(known: Evidence, item: int) -> list[str]:
    spread = known.spreads[item]
    if spread.is_contentious:
        return [f"people differ (sigma {spread.sigma:.2f}): contentious rather than wrong"]
    if spread.outlier == spread.outlier:
        return [f"one rating, {spread.outlier:g}, is far from the others, whose mean is {spread.without:.1f}"]
    return []
