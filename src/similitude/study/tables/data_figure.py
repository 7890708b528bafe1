"""What a figure of data is: its name, its meaning, and the function that computes it.

A figure is a function from a part of the data to values. Each value stands at coordinates of its own, such as ``of``
("left", "right") or ``raters`` ("4"), beside the figure's name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from similitude.gold.reliability.estimate import Estimate
from similitude.study.tables.data_options import DataOptions
from similitude.study.tables.data_part import DataPart

__all__ = ["DATA_FIGURES", "DataFigure", "DataValue", "data_figure"]


class DataValue(NamedTuple):
    """A value and where it stands."""

    estimate: Estimate
    at: Mapping[str, str] = {}

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Of its interval; None without one."""
        low, high = self.estimate.low, self.estimate.high
        return (None, None) if math.isnan(low) or math.isnan(high) else (float(low), float(high))


Compute = Callable[[DataPart, DataOptions], Iterator[DataValue]]


@dataclass(frozen=True)
class DataFigure:
    """A figure of data.

    Attributes:
        name: as a plan writes it.
        meaning: in one line.
        compute: its values for a part of the data.
        at: the coordinates of its values.
    """

    name: str
    meaning: str
    compute: Compute
    at: tuple[str, ...] = field(default=())


DATA_FIGURES: dict[str, DataFigure] = {}
"""By name."""


def data_figure(name: str, meaning: str, *at: str) -> Callable[[Compute], Compute]:
    """Register a function as a figure of data."""

    def registered(compute: Compute) -> Compute:
        DATA_FIGURES[name] = DataFigure(name, meaning, compute, at)
        return compute

    return registered
