"""Measures: gold x predictions -> figures."""

from similitude.evaluate.measures import (
    binary_labels,
    classification,
    combination,
    correlation,
    cumulative_gain,
    distribution,
    error,
    grouped,
    over_sources,
    threshold,
    threshold_target,
)
from similitude.evaluate.measures.binary_labels import has_two_labels
from similitude.evaluate.measures.catalogue import (
    BINARY_MEASURES,
    DEFAULT_MEASURES,
    DISTRIBUTION_MEASURES,
    MEASURES,
    catalogue,
    make_measure,
    make_measures,
)
from similitude.evaluate.measures.grouped import ranks_one_list, within_groups
from similitude.evaluate.measures.measure import Figure, Measure, Need
from similitude.evaluate.measures.threshold import for_two_labels

__all__ = [
    "BINARY_MEASURES",
    "DEFAULT_MEASURES",
    "DISTRIBUTION_MEASURES",
    "MEASURES",
    "Figure",
    "Measure",
    "Need",
    "binary_labels",
    "catalogue",
    "classification",
    "combination",
    "correlation",
    "cumulative_gain",
    "distribution",
    "error",
    "for_two_labels",
    "grouped",
    "has_two_labels",
    "make_measure",
    "make_measures",
    "over_sources",
    "ranks_one_list",
    "threshold",
    "threshold_target",
    "within_groups",
]
