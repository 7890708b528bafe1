"""An aggregation: the middle between the lowest and the highest rating."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude import Aggregated, Judgements
from similitude.extend import Aggregation


@dataclass(frozen=True, repr=False)
class Midrange(Aggregation):
    """The mean of the lowest and the highest rating of each item."""

    name: ClassVar[str] = "midrange"
    summary: ClassVar[str] = "middle between the lowest and the highest rating"
    kind: ClassVar = "rating"

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        self.require_kind(judgements)
        middle = (pl.col("value").min() + pl.col("value").max()) / 2
        items = judgements.frame.group_by(id="item", maintain_order=True).agg(score=middle, answers=pl.len())
        return Aggregated(frame=items, scale=judgements.scale, how=f"{self}: {self.summary}")
