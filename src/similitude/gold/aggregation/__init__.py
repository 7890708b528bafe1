"""Aggregation: methods that turn judgements into gold scores."""

from similitude.gold.aggregation.aggregation import (
    AGGREGATIONS,
    DEFAULT_AGGREGATIONS,
    Aggregated,
    Aggregation,
    make_aggregation,
    names_for,
)
from similitude.gold.aggregation.annotator_aware import AnnotatorAware
from similitude.gold.aggregation.annotator_plackett_luce import AnnotatorPlackettLuce
from similitude.gold.aggregation.benchmark import aggregate_judgements, make_gold
from similitude.gold.aggregation.counting import Counting, count_best_worst
from similitude.gold.aggregation.dawid_skene import DawidSkene
from similitude.gold.aggregation.effective_components import EffectiveComponents, effective_components
from similitude.gold.aggregation.majority import Majority
from similitude.gold.aggregation.mixture import Mixture
from similitude.gold.aggregation.moments import Gaussian, Mean
from similitude.gold.aggregation.plackett_luce import PlackettLuce
from similitude.gold.aggregation.rejections import Acceptance, accept_items
from similitude.gold.aggregation.robust import Median, TrimmedMean

__all__ = [
    "AGGREGATIONS",
    "DEFAULT_AGGREGATIONS",
    "Acceptance",
    "Aggregated",
    "Aggregation",
    "AnnotatorAware",
    "AnnotatorPlackettLuce",
    "Counting",
    "DawidSkene",
    "EffectiveComponents",
    "Gaussian",
    "Majority",
    "Mean",
    "Median",
    "Mixture",
    "PlackettLuce",
    "TrimmedMean",
    "accept_items",
    "aggregate_judgements",
    "count_best_worst",
    "effective_components",
    "make_aggregation",
    "make_gold",
    "names_for",
]
