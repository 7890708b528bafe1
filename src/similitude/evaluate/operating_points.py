"""Operating points: what a system does at a threshold, the threshold to deploy with its interval, and the curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from similitude.evaluate.measures.measure import Level
from similitude.stats import Interval
from similitude.stats.finite import finite_or_none

__all__ = ["DeployedBorder", "DeployedThreshold", "OperatingPoint", "SystemThresholds"]


class OperatingPoint(NamedTuple):
    """What a system does at one threshold: yes to scores above it.

    Attributes:
        threshold: in the system's own units; infinite if it says yes never, minus infinite if always.
        precision: share of positive items among those above; nan if none is above.
        recall: share of the positive items that are above.
        f1: of the positive label.
        accuracy: share of right answers.
        mcc: Matthews' correlation.
    """

    threshold: float
    precision: float
    recall: float
    f1: float
    accuracy: float
    mcc: float

    def record(self) -> dict[str, Any]:
        """Ready for JSON; an infinite threshold is null."""
        return {name: finite_or_none(value) for name, value in self._asdict().items()}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> OperatingPoint:
        """Rebuild from `record`; an infinite threshold is known by the recall."""
        values = {name: math.nan if record[name] is None else float(record[name]) for name in cls._fields}
        if math.isnan(values["threshold"]):
            values["threshold"] = -math.inf if values["recall"] == 1.0 else math.inf
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedThreshold:
    """The threshold of one system under one measure.

    Attributes:
        measure: by which it is the best.
        point: the threshold learned on all items, and what it does on the items of each fold when it is learned on the
            other folds.
        interval: of the threshold; ends may be infinite.
        folds: the thresholds that were learned without each fold; nan for a fold without items.
    """

    measure: str
    point: OperatingPoint
    interval: Interval | None
    folds: tuple[float, ...]

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        interval = self.interval
        return {
            "measure": self.measure,
            **self.point.record(),
            "says": _says(self.point.threshold),
            "low": None if interval is None else _end(interval.low),
            "high": None if interval is None else _end(interval.high),
            "folds": [_end(each) for each in self.folds],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> DeployedThreshold:
        """Rebuild from `record`."""
        known = {"never": math.inf, "always": -math.inf}
        point = OperatingPoint.from_record(record)._replace(
            threshold=known.get(record["says"], math.nan if record["threshold"] is None else record["threshold"])
        )
        interval = None if record["low"] is None else Interval(float(record["low"]), float(record["high"]))
        folds = tuple(math.nan if each is None else float(each) for each in record["folds"])
        return cls(measure=record["measure"], point=point, interval=interval, folds=folds)


class DeployedBorder(NamedTuple):
    """A border of the gold scale in the units of a system, by the mapping that was fitted on all items.

    Attributes:
        level: "low" if scores below it are low, "high" if scores above it are high.
        border: on the gold scale.
        output: in the system's own units; infinite if all or none of its scores are beyond the border.
    """

    level: Level
    border: float
    output: float

    def record(self) -> dict[str, Any]:
        """Ready for JSON; an infinite output is "inf" or "-inf"."""
        return {"level": self.level, "border": self.border, "threshold": _end(self.output)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemThresholds:
    """The thresholds of one system, and its curve.

    Attributes:
        thresholds: one per measure at a learned threshold.
        curve: what the system does on all items at thresholds from the highest to the lowest.
        figures: the figures of each measure on all items at these thresholds: measures x points.
    """

    thresholds: tuple[DeployedThreshold, ...]
    curve: tuple[OperatingPoint, ...]
    figures: tuple[tuple[float, ...], ...]

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "thresholds": [each.record() for each in self.thresholds],
            "curve": [
                {**point.record(), "figures": dict(zip(self._names, map(finite_or_none, figures), strict=True))}
                for point, *figures in zip(self.curve, *self.figures, strict=True)
            ],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SystemThresholds:
        """Rebuild from `record`."""
        thresholds = tuple(map(DeployedThreshold.from_record, record["thresholds"]))
        by_point = [point["figures"] for point in record["curve"]]
        return cls(
            thresholds=thresholds,
            curve=tuple(map(OperatingPoint.from_record, record["curve"])),
            figures=tuple(
                tuple(math.nan if each[one.measure] is None else float(each[one.measure]) for each in by_point)
                for one in thresholds
            ),
        )

    @property
    def _names(self) -> list[str]:
        return [each.measure for each in self.thresholds]


def threshold_text(value: float) -> str:
    """Four digits, or what an infinite threshold says of every item.

    >>> threshold_text(0.82513), threshold_text(-math.inf), threshold_text(math.inf)
    ('0.8251', 'always yes', 'always no')
    """
    if math.isinf(value):
        return "always no" if value > 0 else "always yes"
    return "–" if math.isnan(value) else f"{value:.4g}"


def _says(threshold: float) -> str | None:
    """What an infinite threshold says of every item."""
    return {math.inf: "never", -math.inf: "always"}.get(threshold)


def _end(value: float) -> float | str | None:
    """A threshold for JSON: a number, "inf", "-inf", or null."""
    return str(value) if math.isinf(value) else finite_or_none(value)
