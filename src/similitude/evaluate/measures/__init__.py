"""Measures as values: gold x predictions -> figures."""

from similitude.evaluate.measures import combination, correlation, distribution, error, grouped, low_high, ranking
from similitude.evaluate.measures.measure import Figure, Measure
from similitude.evaluate.measures.names import (
    DEFAULT_MEASURES,
    DISTRIBUTION_MEASURES,
    MEASURES,
    catalogue,
    make_measure,
)

__all__ = [
    "DEFAULT_MEASURES",
    "DISTRIBUTION_MEASURES",
    "MEASURES",
    "Figure",
    "Measure",
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
