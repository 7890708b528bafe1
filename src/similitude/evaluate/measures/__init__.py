"""Measures: gold x predictions -> figures."""

from similitude.evaluate.measures import (
    classification,
    combination,
    correlation,
    cumulative_gain,
    distribution,
    error,
    grouped,
    over_sources,
)
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
    "classification",
    "combination",
    "correlation",
    "cumulative_gain",
    "distribution",
    "error",
    "grouped",
    "make_measure",
    "over_sources",
]
