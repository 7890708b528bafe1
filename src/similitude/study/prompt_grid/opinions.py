"""The uncertainty of a language model, or its simulated raters, compared with the opinions of people."""

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
    """One cell compared with people.

    Attributes:
        cell: its position in the study.
        items: for which the standard deviations of people and model are known.
        unrated: items without the model's, for instance with fewer than two simulated ratings; left out.
        agreed: items with a standard deviation of 0; for KL it is raised to 2 % of the scale.
        kl: KL(human || model) of two Gaussians, averaged over items with human sigma > 0; nan if there are none.
        sigma_rho: Spearman correlation of the model's and people's standard deviations; nan if either is constant.
        sigma: the model's mean standard deviation, on the gold scale.
        human_sigma: people's mean standard deviation.
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
    """One entry for every cell with standard deviations; empty if those of people are unknown.

    Simulated ratings are aggregated by the same code as people's (`similitude.gold.aggregation.make_gold`).

    Args:
        run: whose first systems are the cells, in order.
        cells: the cells.
    """
    return tuple(_opinions(run, cells))


def _opinions(run: Run, cells: Sequence[Cell]) -> Iterator[Opinion]:
    if run.benchmark.gold.sigmas is None or run.benchmark.gold.scale is None:
        return
    for place, cell in enumerate(cells):
        predictions = _aggregated(run, place, cell)
        if predictions.sigmas is None:
            continue
        of_people, of_model = np.isfinite(run.benchmark.gold.sigmas), np.isfinite(predictions.sigmas)
        rated = np.flatnonzero(of_people & of_model)
        if rated.size:
            yield _opinion(run, place, predictions.take(rated), rated, unrated=int((of_people & ~of_model).sum()))


def _aggregated(run: Run, place: int, cell: Cell) -> Predictions:
    """Aggregated simulated ratings, nan if an item has none; otherwise the system's own predictions."""
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


def _opinion(run: Run, place: int, predictions: Predictions, rated: NDArray[np.intp], unrated: int) -> Opinion:
    gold = run.benchmark.gold.take(rated)
    comparison = Comparison.of(gold, [predictions], [run.mappings[place]])
    sigmas, human = comparison.predicted_sigma, comparison.gold_sigma
    assert sigmas is not None  # the caller has checked this
    assert human is not None
    assert comparison.scale is not None
    least = ZERO_VARIANCE_FLOOR * comparison.scale.width
    raised = replace(comparison, predicted_sigma=np.where(sigmas > 0, sigmas, least))
    return Opinion(
        cell=place,
        items=rated.size,
        unrated=unrated,
        agreed=int((sigmas == 0).sum()),
        kl=KlDivergence()(raised)[0].value,
        sigma_rho=SigmaSpearman()(comparison)[0].value,
        sigma=float(sigmas.mean()),
        human_sigma=float(human.mean()),
    )
