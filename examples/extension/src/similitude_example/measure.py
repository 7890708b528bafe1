"""A measure: the median of absolute errors."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.extend import Comparison, Measure, Need


@dataclass(frozen=True, repr=False)
class MedianError(Measure):
    """Median over items of |prediction - gold|, on the gold scale; 0 is best. Ties do not matter."""

    name: ClassVar[str] = "median_error"
    meaning: ClassVar[str] = "median of absolute errors, on the gold scale"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = float("inf")
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"scale"})

    def values(self, comparison: Comparison) -> NDArray[np.float64]:
        return np.median(np.abs(comparison.predicted - comparison.gold), axis=1)
