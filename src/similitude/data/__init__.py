"""The nouns of the field, and how they are read and written."""

from similitude.data.benchmark import BENCHMARK_SCHEMA, Benchmark
from similitude.data.gold import Gold, GoldColumns
from similitude.data.item import Item, Items
from similitude.data.judgement import BestWorst, Judgement, Rating, Verification, WrittenConditions
from similitude.data.prediction import Prediction, Predictions
from similitude.data.protocols import FitsTexts, System
from similitude.data.provenance import Provenance, Skipped
from similitude.data.scale import Scale

__all__ = [
    "BENCHMARK_SCHEMA",
    "Benchmark",
    "BestWorst",
    "FitsTexts",
    "Gold",
    "GoldColumns",
    "Item",
    "Items",
    "Judgement",
    "Prediction",
    "Predictions",
    "Provenance",
    "Rating",
    "Scale",
    "Skipped",
    "System",
    "Verification",
    "WrittenConditions",
]
