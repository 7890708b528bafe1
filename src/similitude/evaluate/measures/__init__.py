"""Measures as values: gold x predictions -> figures."""

from similitude.evaluate.measures import combination, correlation, distribution, error, grouped, low_high
from similitude.evaluate.measures import cumulative_gain as ranking
from similitude.evaluate.measures.catalogue import (
    DEFAULT_MEASURES,
    DISTRIBUTION_MEASURES,
    MEASURES,
    catalogue,
    make_measure,
)
from similitude.evaluate.measures.measure import Figure, Measure, Need

__all__ = [
    "DEFAULT_MEASURES",
    "DISTRIBUTION_MEASURES",
    "MEASURES",
    "Figure",
    "Measure",
    "Need",
    "catalogue",
    "combination",
    "correlation",
    "distribution",
    "error",
    "grouped",
    "low_high",
    "make_measure",
    "ranking",
]
