"""Calibration: the scores of each system brought onto the gold scale by a mapping that was fitted on other items.

*Out of fold*: items are divided into folds, groups undivided, and the items of each fold are mapped by what was fitted
on the others. Every item gets a score on the gold scale, and no mapping has seen its gold. *On a split*: one mapping,
fitted on other items altogether.

The default is out of fold, by quantiles, and for measures that cut scores at borders of the gold scale.
``python benchmarks/calibration.py`` compares the kinds of mappings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from similitude.data.plural import counted
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.evaluate.comparison import Calibrated
from similitude.evaluate.measures.measure import Level, Measure, parts_of
from similitude.evaluate.operating_points import DeployedBorder
from similitude.evaluate.rescaling import FitMethod, Rescaling, SortedPairs, fit_mapping
from similitude.stats.arrays import Array, Integers

__all__ = ["USUAL", "Asked", "Calibration", "calibration_on_split", "calibration_out_of_fold", "no_calibration"]

Asked = Literal["auto", "none", "linear", "isotonic", "quantile"]
"""What a user can ask for. "auto" calibrates for borders on the scale alone, the methods by name for errors too."""

USUAL: FitMethod = "quantile"
MOST_KNOTS = 101
"""A mapping that is fitted on all items is recorded with at most as many knots."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Calibration:
    """How the scores of all systems were calibrated.

    Attributes:
        method: how mappings were fitted; "none" if they were not.
        split: the split that they were fitted on; None if it was the other folds.
        folds: number of folds; 0 without folds.
        units: number of groups, or of items, that were dealt to the folds.
        is_grouped: whether the units are groups.
        covers_errors: whether errors are measured on calibrated scores too.
        mappings: of each system, fitted on all items or on the split: the one to deploy. Empty without a method.
        why_none: why nothing was fitted; empty if something was.
    """

    method: FitMethod | Literal["none"]
    split: str | None = None
    folds: int = 0
    units: int = 0
    is_grouped: bool = False
    covers_errors: bool = False
    mappings: tuple[Rescaling, ...] = ()
    why_none: str = ""

    @property
    def words(self) -> str:
        """What was done, in a clause.

        >>> Calibration(method="quantile", folds=5, units=60).words
        'calibrated out of fold (quantile, 5 folds of 60 items)'
        """
        if self.method == "none":
            return f"uncalibrated ({self.why_none})"
        if self.split is not None:
            return f"calibrated on split '{self.split}' ({self.method}, {counted(self.units, 'item')})"
        units = counted(self.units, "group" if self.is_grouped else "item")
        return f"calibrated out of fold ({self.method}, {counted(self.folds, 'fold')} of {units})"

    @property
    def manner(self) -> str:
        """The same without numbers, for several benchmarks.

        >>> Calibration(method="quantile", folds=5, units=60).manner
        'calibrated out of fold (quantile)'
        """
        if self.method == "none":
            return self.words
        where = "out of fold" if self.split is None else f"on split '{self.split}'"
        return f"calibrated {where} ({self.method})"

    def notes(self, names: Sequence[str]) -> Iterator[str]:
        """What is odd about the scores of a system."""
        for name, mapping in zip(names, self.mappings, strict=False):
            if mapping.note is not None:
                yield f"{name}: {mapping.note}"

    def apply(self, predictions: Sequence[Predictions], gold: Array, folds: Integers) -> Calibrated | None:
        """The calibrated scores; None if there is no calibration.

        Args:
            predictions: of every system.
            gold: gold scores.
            folds: the fold of each item.
        """
        if self.method == "none":
            return None
        if self.split is not None:
            made = [mapping.apply(each) for mapping, each in zip(self.mappings, predictions, strict=True)]
        else:
            order = np.argsort(gold, kind="stable")
            made = [_out_of_fold(self.method, each, gold, order, folds) for each in predictions]
        return Calibrated(np.stack([each.scores for each in made]), _sigmas(made), self.covers_errors)

    def deployed(self, row: int, measure: Measure, scale: Scale) -> tuple[DeployedBorder, ...]:
        """The borders of a measure and its parts in the units of one system; none without a mapping."""
        borders = _borders(measure, scale) if self.mappings else {}
        sides: dict[Level, Literal["left", "right"]] = {"low": "left", "high": "right"}
        return tuple(
            DeployedBorder(level, border, self.mappings[row].output_at(border, sides[level]))
            for level, border in borders
        )

    @property
    def flags(self) -> tuple[str, ...]:
        """The options of the command line that repeat it."""
        asked = () if self.method != "none" and not self.covers_errors else ("--calibrate", self.method)
        return (*asked, *(() if self.split is None else ("--calibrate-on", self.split)))

    def record(self) -> dict[str, Any]:
        """Ready for JSON. Out-of-fold scores are computed again from predictions, gold and folds."""
        return {
            "method": self.method,
            "split": self.split,
            "folds": self.folds,
            "units": self.units,
            "is_grouped": self.is_grouped,
            "covers_errors": self.covers_errors,
            "words": self.words,
            "why_none": self.why_none,
            "mappings": [mapping.record() for mapping in self.mappings],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Calibration:
        """Rebuild from `record`."""
        kept = {name: value for name, value in record.items() if name not in ("words", "mappings")}
        return cls(**kept, mappings=tuple(map(Rescaling.from_record, record["mappings"])))


def no_calibration(why: str) -> Calibration:
    """No calibration, and why."""
    return Calibration(method="none", why_none=why)


def calibration_out_of_fold(
    asked: Asked, predictions: Sequence[Predictions], gold: Array, folds: Integers, groups: Integers | None
) -> Calibration:
    """Mappings fitted on the other folds; no calibration if there is one fold.

    Args:
        asked: "auto" or a method.
        predictions: of every system.
        gold: gold scores.
        folds: the fold of each item, groups undivided.
        groups: the group of each item; None if no two items share one.

    >>> two = [Predictions(np.array([0.0, 1.0, 2.0, 3.0]))]
    >>> gold, folds = np.array([1.0, 2.0, 4.0, 5.0]), np.array([0, 1, 1, 0])
    >>> made = calibration_out_of_fold("auto", two, gold, folds, None)
    >>> made.apply(two, gold, folds).scores
    array([[2.        , 2.33333333, 3.66666667, 4.        ]])
    """
    units = gold.size if groups is None else np.unique(groups).size
    number = np.unique(folds).size
    if number < 2:
        only = f"1 {'item' if groups is None else 'group'}"
        return no_calibration(f"{only}: there is nothing else to fit a mapping on; scores are on the declared range")
    method = _method(asked)
    order = np.argsort(gold, kind="stable")
    description = f"{method} mapping fitted on all {gold.size:,} items"
    mappings = (
        fit_mapping(method, SortedPairs.of(each.scores, gold, order), description).thinned(MOST_KNOTS)
        for each in predictions
    )
    return Calibration(
        method=method,
        folds=number,
        units=units,
        is_grouped=groups is not None,
        covers_errors=asked != "auto",
        mappings=tuple(mappings),
    )


def calibration_on_split(asked: Asked, predictions: Sequence[Predictions], gold: Array, split: str) -> Calibration:
    """Mappings fitted on a split, which must not be the one that is measured.

    Args:
        asked: "auto" or a method.
        predictions: of every system for the items of the split.
        gold: of the split.
        split: its name.
    """
    method = _method(asked)
    description = f"{method} mapping fitted on split '{split}' ({gold.size} items)"
    mappings = (fit_mapping(method, SortedPairs.of(each.scores, gold), description) for each in predictions)
    return Calibration(
        method=method, split=split, units=gold.size, covers_errors=asked != "auto", mappings=tuple(mappings)
    )


def _method(asked: Asked) -> FitMethod:
    return USUAL if asked == "auto" or asked == "none" else asked


def _borders(measure: Measure, scale: Scale) -> dict[tuple[Level, float], None]:
    """The different borders of a measure and its parts, in order."""
    own = dict.fromkeys(measure.borders(scale).items())
    return own | {found: None for part in parts_of(measure) for found in _borders(part, scale)}


def _out_of_fold(
    method: FitMethod, predictions: Predictions, gold: Array, gold_order: Integers, folds: Integers
) -> Predictions:
    """The predictions of each fold, mapped by what was fitted on the others."""
    pairs = SortedPairs.of(predictions.scores, gold, gold_order)
    scores, sigmas = np.empty(gold.size), np.full(gold.size, np.nan)
    for fold in np.unique(folds):
        held_out = np.flatnonzero(folds == fold)
        mapped = fit_mapping(method, pairs.only(folds != fold), "").apply(predictions.take(held_out))
        scores[held_out] = mapped.scores
        if mapped.sigmas is not None:
            sigmas[held_out] = mapped.sigmas
    return Predictions(scores, None if np.isnan(sigmas).all() else sigmas)


def _sigmas(predictions: Sequence[Predictions]) -> Array | None:
    if all(each.sigmas is None for each in predictions):
        return None
    unknown = np.full(len(predictions[0]), np.nan)
    return np.stack([unknown if each.sigmas is None else each.sigmas for each in predictions])
