"""Filters: which pairs are kept, written as ``0.1 <= cosine <= 0.7 and not same(document)``."""

from similitude.collect.candidates.filters.application import (
    Filtered,
    described,
    filter_step,
    filter_steps,
    filtered,
)
from similitude.collect.candidates.filters.filter import Filter, Needs, make_features, make_filters, needs
from similitude.collect.candidates.filters.names import Names
from similitude.collect.candidates.filters.tally import FilterTally, sum_tallies

__all__ = [
    "Filter",
    "FilterTally",
    "Filtered",
    "Names",
    "Needs",
    "described",
    "filter_step",
    "filter_steps",
    "filtered",
    "make_features",
    "make_filters",
    "needs",
    "sum_tallies",
]
