"""A comparison of gold with the predictions of several systems; sorting that measures share is done once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from similitude.data.gold import GoldColumns
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.evaluate.rescaling import Rescaling
from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.cuts import Cuts, FoldedCuts
from similitude.stats.folds import grouped_folds, scattered
from similitude.stats.ranks import Ordering

__all__ = ["FOLDS", "Calibrated", "Comparison", "Redraws", "Sources"]

FOLDS = 5
"""Thresholds are learned on all folds but one, and measured on that one."""


class Sources(NamedTuple):
    """The sources of the items.

    Attributes:
        numbers: of each item, the position of its source in ``names``.
        names: the sources; None for items without one.
    """

    numbers: Integers
    names: tuple[str | None, ...]


class Redraws(NamedTuple):
    """Scores that were drawn at random in place of answers without one.

    Attributes:
        where: systems x items, whether a score was drawn.
        low: the lower end of the draws of each system, in the units of its predictions; nan if it has none.
        high: the upper end.
    """

    where: Booleans
    low: Array
    high: Array

    @classmethod
    def of(cls, predictions: Sequence[Predictions]) -> Redraws | None:
        """The draws of some predictions; None if there are none."""
        where = np.stack([each.drawn for each in predictions])
        if not where.any():
            return None
        ends = np.array([each.drawn_from or (np.nan, np.nan) for each in predictions])
        return cls(where, ends[:, 0], ends[:, 1])

    def take(self, items: Integers) -> Redraws:
        """Those of these items."""
        return self._replace(where=self.where[:, items])

    def of_systems(self, rows: Integers) -> Redraws:
        """Those of these systems."""
        return Redraws(self.where[rows], self.low[rows], self.high[rows])


class Calibrated(NamedTuple):
    """Scores on the gold scale by fitted mappings, none of which has seen the gold of the item that it maps.

    Attributes:
        scores: systems x items.
        sigmas: systems x items, nan for a system that gives none; None if no mapping has a slope.
        covers_errors: whether errors are measured on these scores too, not only borders on the scale.
    """

    scores: Array
    sigmas: Array | None
    covers_errors: bool

    def take(self, items: Integers) -> Calibrated:
        """The scores of these items."""
        sigmas = None if self.sigmas is None else self.sigmas[:, items]
        return self._replace(scores=self.scores[:, items], sigmas=sigmas)

    def of_systems(self, rows: Integers) -> Calibrated:
        """The scores of these systems."""
        return self._replace(scores=self.scores[rows], sigmas=None if self.sigmas is None else self.sigmas[rows])


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """The input of a measure.

    Attributes:
        gold: gold scores.
        predicted: systems x items, on the gold scale where ``is_on_scale``.
        is_on_scale: for each system, whether its output could be mapped to the gold scale.
        scale: the gold scale.
        gold_sigma: human standard deviation of each item (nan where unknown), or None.
        predicted_sigma: systems x items; nan for a system that gives none.
        ratings: all individual ratings and the item of each, or None.
        groups: the group number of each item (a dialogue, or a sentence pair under two conditions); None if no two
            items share a group.
        are_groups_named: whether the data names them. Groups that were found by the texts say which items are not
            independent, but are no lists to rank within.
        sources: where each item is from; None if the items name no source.
        folds: the fold of each item, from 0, for what is learned on the other folds, or a function that deals them when
            they are needed; None to deal the items or groups by their numbers. See `fold_of_item`.
        calibrated: the scores by fitted mappings; None if nothing was fitted. Correlations and ranks never see them.
        redraws: the scores that resamples draw anew; None if there are none.
        constants: what each row says of every item, if it is no system (`similitude.evaluate.trivial_baselines`), else
            None; empty if all are systems.
    """

    gold: Array
    predicted: Array
    is_on_scale: Booleans
    scale: Scale | None
    gold_sigma: Array | None = None
    predicted_sigma: Array | None = None
    ratings: tuple[Array, Integers] | None = None
    groups: Integers | None = None
    are_groups_named: bool = True
    sources: Sources | None = None
    folds: Integers | Callable[[], Integers] | None = None
    calibrated: Calibrated | None = None
    redraws: Redraws | None = None
    constants: tuple[str | None, ...] = ()

    @classmethod
    def of(
        cls,
        gold: GoldColumns,
        predictions: Sequence[Predictions],
        mappings: Sequence[Rescaling],
        groups: Integers | None = None,
        sources: Sources | None = None,
        folds: Integers | Callable[[], Integers] | None = None,
    ) -> Comparison:
        """Compare predictions, each mapped to the gold scale, with gold."""
        scores, sigmas, ratings = gold.scores, gold.sigmas, gold.ratings
        mapped = [mapping.apply(prediction) for prediction, mapping in zip(predictions, mappings, strict=True)]
        return cls(
            gold=scores,
            predicted=np.stack([prediction.scores for prediction in mapped]),
            is_on_scale=np.array([mapping.reaches_scale for mapping in mappings]),
            scale=gold.scale,
            gold_sigma=sigmas,
            predicted_sigma=_stack_sigmas(mapped),
            ratings=ratings,
            groups=groups,
            sources=sources,
            folds=folds,
            redraws=Redraws.of(mapped),
        )

    @classmethod
    def of_scores(
        cls,
        gold: Array,
        predicted: Array,
        scale: Scale | None = None,
        groups: Integers | None = None,
        sources: Sources | None = None,
    ) -> Comparison:
        """Compare plain arrays: gold, and one row of predictions per system, on the gold scale."""
        rows = np.atleast_2d(np.asarray(predicted, dtype=np.float64))
        return cls(
            gold=np.asarray(gold, dtype=np.float64),
            predicted=rows,
            scale=scale,
            is_on_scale=np.ones(len(rows), dtype=np.bool_),
            groups=groups,
            sources=sources,
        )

    @cached_property
    def has_labels(self) -> bool:
        """Whether gold takes no other scores than the two ends of the scale, or 0 and 1 if the scale is unknown."""
        low, high = (0.0, 1.0) if self.scale is None else (self.scale.low, self.scale.high)
        return bool(((self.gold == low) | (self.gold == high)).all())

    def of_systems(self, rows: Sequence[int] | Integers) -> Comparison:
        """The comparison of these systems alone."""
        chosen, sigma = np.asarray(rows, dtype=np.intp), self.predicted_sigma
        return replace(
            self,
            predicted=self.predicted[chosen],
            is_on_scale=self.is_on_scale[chosen],
            predicted_sigma=None if sigma is None else sigma[chosen],
            calibrated=None if self.calibrated is None else self.calibrated.of_systems(chosen),
            redraws=None if self.redraws is None else self.redraws.of_systems(chosen),
            constants=tuple(self.constants[row] for row in chosen) if self.constants else (),
        )

    def with_constants(self, names: tuple[str, ...], rows: Array) -> Comparison:
        """The comparison with rows below the systems that are no systems.

        Args:
            names: what they say.
            rows: their scores, on the gold scale.
        """
        unknown, calibrated, redraws = np.full(rows.shape, np.nan), self.calibrated, self.redraws
        if calibrated is not None:
            sigmas = None if calibrated.sigmas is None else np.vstack([calibrated.sigmas, unknown])
            calibrated = calibrated._replace(scores=np.vstack([calibrated.scores, rows]), sigmas=sigmas)
        if redraws is not None:
            ends = np.full(len(rows), np.nan)
            redraws = Redraws(
                np.vstack([redraws.where, np.zeros(rows.shape, dtype=np.bool_)]),
                np.append(redraws.low, ends),
                np.append(redraws.high, ends),
            )
        return replace(
            self,
            predicted=np.vstack([self.predicted, rows]),
            is_on_scale=np.append(self.is_on_scale, np.ones(len(rows), dtype=np.bool_)),
            predicted_sigma=None if self.predicted_sigma is None else np.vstack([self.predicted_sigma, unknown]),
            calibrated=calibrated,
            redraws=redraws,
            constants=(*(None,) * self.systems, *names),
        )

    def constant(self, row: int) -> str | None:
        """What a row says of every item; None for a system."""
        return self.constants[row] if self.constants else None

    @cached_property
    def for_borders(self) -> Comparison:
        """The comparison as measures see it that cut scores at borders of the gold scale: calibrated, if it can be."""
        return self if self.calibrated is None else self._with(self.calibrated)

    @cached_property
    def for_errors(self) -> Comparison:
        """The comparison as measures see it that look at the distance from gold."""
        found = self.calibrated
        return self if found is None or not found.covers_errors else self._with(found)

    def _with(self, found: Calibrated) -> Comparison:
        known = np.ones(len(found.scores), dtype=np.bool_)
        sigma = found.sigmas
        return replace(self, predicted=found.scores, predicted_sigma=sigma, is_on_scale=known, calibrated=None)

    @property
    def systems(self) -> int:
        """Number of systems."""
        return len(self.predicted)

    @cached_property
    def ordering(self) -> Ordering:
        """The predictions of every system, sorted."""
        return Ordering(self.predicted)

    @cached_property
    def cuts(self) -> list[Cuts]:
        """Where the scores of every system can be cut into two."""
        return [Cuts.of(row) for row in self.predicted]

    def folded_cuts(self, row: int, is_positive: Booleans) -> FoldedCuts:
        """The cuts of one system with labels and folds; made once for each system and way to label the items."""
        key = row, is_positive.tobytes()
        if key not in self._folded:
            self._folded[key] = FoldedCuts(self.cuts[row], is_positive, self.fold_of_item)
        return self._folded[key]

    @cached_property
    def _folded(self) -> dict[tuple[int, bytes], FoldedCuts]:
        return {}

    @cached_property
    def fold_of_item(self) -> Integers:
        """The fold of each item; groups are never divided, and each fold holds the whole range of gold."""
        if self.folds is not None:
            return self.folds() if callable(self.folds) else self.folds
        groups = np.arange(self.gold.size) if self.groups is None else self.groups
        return grouped_folds(self.gold, groups, scattered(groups), FOLDS)

    @cached_property
    def gold_ordering(self) -> Ordering:
        """Gold, sorted."""
        return Ordering(self.gold)


def _stack_sigmas(predictions: Sequence[Predictions]) -> Array | None:
    if all(prediction.sigmas is None for prediction in predictions):
        return None
    unknown = np.full(len(predictions[0]), np.nan)
    return np.stack([unknown if prediction.sigmas is None else prediction.sigmas for prediction in predictions])
