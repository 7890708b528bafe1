"""A language model's doubt, or its simulated raters, beside the opinions of people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.prediction import Predictions
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.distribution import ZERO_VARIANCE_FLOOR, KlDivergence, SigmaSpearman
from similitude.gold.aggregation import make_gold
from similitude.study.prompt_grid.cells import Cell
from similitude.study.runs import Run
from similitude.systems.prompted.simulated_raters import judgements_of
from similitude.systems.prompted.system import Prompted

__all__ = ["Opinion", "opinions_of"]

Array = NDArray[np.float64]


class Opinion(NamedTuple):
    """One cell against people.

    Attributes:
        cell: its place in the study.
        items: of which people's spread and the model's are known.
        unrated: items without the model's, as where fewer than two simulated raters gave a number; left out here.
        agreed: items on which the model has no doubt at all; for KL their sigma is 2 % of the scale.
        kl: KL(human || model) of two Gaussians, averaged over items with human sigma > 0; nan where there is none.
        sigma_rho: Spearman between the model's standard deviations and people's; nan where either is constant.
        sigma: the model's mean standard deviation, on the gold scale.
        human_sigma: people's.
    """

    cell: int
    items: int
    unrated: int
    agreed: int
    kl: float
    sigma_rho: float
    sigma: float
    human_sigma: float

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            name: value if isinstance(value, int) or np.isfinite(value) else None
            for name, value in self._asdict().items()
        }


def opinions_of(run: Run, cells: Sequence[Cell]) -> tuple[Opinion, ...]:
    """Every cell that has a spread, where people's spread is known; nothing where it is not.

    Simulated ratings are added up by the code that adds up people's (`similitude.gold.aggregation.make_gold`).

    Args:
        run: whose first systems are the cells, in order.
        cells: the cells.
    """
    return tuple(_opinions(run, cells))


def _opinions(run: Run, cells: Sequence[Cell]) -> Iterator[Opinion]:
    if run.benchmark.gold.sigmas is None or run.benchmark.gold.scale is None:
        return
    for place, cell in enumerate(cells):
        said = _added_up(run, place, cell)
        if said.sigmas is None:
            continue
        known, doubted = np.isfinite(run.benchmark.gold.sigmas), np.isfinite(said.sigmas)
        rated = np.flatnonzero(known & doubted)
        if rated.size:
            yield _opinion(run, place, said.take(rated), rated, unrated=int((known & ~doubted).sum()))


def _added_up(run: Run, place: int, cell: Cell) -> Predictions:
    """Simulated ratings as people's are added up, nan where there is none; else the system's own words."""
    predictions, system = run.predictions[place], cell.system
    if predictions.samples is None or not isinstance(system, Prompted):
        return predictions
    items = run.benchmark.items
    ratings = judgements_of(items, predictions, scale=system.asked_scale, name=cell.name)
    if ratings.frame.is_empty():
        nothing = np.full(len(items), np.nan)
        return Predictions(nothing, nothing)
    gold = make_gold(ratings).gold
    return Predictions(gold.scores, np.full(len(items), np.nan) if gold.sigmas is None else gold.sigmas)


def _opinion(run: Run, place: int, said: Predictions, rated: NDArray[np.intp], unrated: int) -> Opinion:
    gold = run.benchmark.gold.take(rated)
    comparison = Comparison.of(gold, [said], [run.mappings[place]])
    sigmas, human = comparison.predicted_sigma, comparison.gold_sigma
    assert sigmas is not None  # the caller saw to it
    assert human is not None
    assert comparison.scale is not None
    least = ZERO_VARIANCE_FLOOR * comparison.scale.width
    doubting = replace(comparison, predicted_sigma=np.where(sigmas > 0, sigmas, least))
    return Opinion(
        cell=place,
        items=rated.size,
        unrated=unrated,
        agreed=int((sigmas == 0).sum()),
        kl=KlDivergence()(doubting)[0].value,
        sigma_rho=SigmaSpearman()(comparison)[0].value,
        sigma=float(sigmas.mean()),
        human_sigma=float(human.mean()),
    )
