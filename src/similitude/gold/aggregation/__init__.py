"""How judgements add up to scores."""

from similitude.gold.aggregation.counting import count_best_worst
from similitude.gold.aggregation.moments import mean_and_spread

__all__ = ["count_best_worst", "mean_and_spread"]
