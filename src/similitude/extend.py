"""What your own extensions are made of: base classes and records.

For systems, measures, features, formats, checks, aggregations, objectives, heads, annotation tasks and language models.
CONTRIBUTING.md has a complete example of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from similitude.lazy_names import lazy_names

if TYPE_CHECKING:
    from similitude.collect.annotation.rating_scale import RatingScale
    from similitude.collect.annotation.records import Problem, Shown
    from similitude.collect.annotation.tasks import Answer, InterfaceTexts, PairTask, Read
    from similitude.collect.candidates.features import DescribedPairs, Feature, TextProperty
    from similitude.data.protocols import Listener, ModelKey, System
    from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
    from similitude.data.reading.tables import RawTable, numbered
    from similitude.evaluate.comparison import Comparison
    from similitude.evaluate.measures.additive import MeanLoss
    from similitude.evaluate.measures.measure import Measure, Need
    from similitude.gold.aggregation.aggregation import Aggregation
    from similitude.inspect.checks import Finding
    from similitude.models.language.protocol import LanguageModel, ModelAnswer
    from similitude.registry import Spec
    from similitude.systems.uncertain.heads import Camps, Head, Shape, make_head, moments_of
    from similitude.training.objectives import Objective
    from similitude.training.uncertain.objectives import OpinionLoss, PredictedOpinions, make_loss

__all__ = [
    "GENERAL",
    "Aggregation",
    "Answer",
    "BenchmarkSource",
    "Camps",
    "Comparison",
    "DescribedPairs",
    "Feature",
    "Finding",
    "Format",
    "Head",
    "InterfaceTexts",
    "LanguageModel",
    "Listener",
    "MeanLoss",
    "Measure",
    "ModelAnswer",
    "ModelKey",
    "Need",
    "Objective",
    "OpinionLoss",
    "PairTask",
    "PredictedOpinions",
    "Problem",
    "RatingScale",
    "RawTable",
    "Read",
    "Shape",
    "Shown",
    "Spec",
    "System",
    "TextProperty",
    "make_head",
    "make_loss",
    "moments_of",
    "numbered",
]

_HOMES = {
    "Aggregation": "similitude.gold.aggregation.aggregation:",
    "Answer": "similitude.collect.annotation.tasks:",
    "BenchmarkSource": "similitude.data.reading.format:",
    "Camps": "similitude.systems.uncertain.heads:",
    "Comparison": "similitude.evaluate.comparison:",
    "DescribedPairs": "similitude.collect.candidates.features:",
    "Feature": "similitude.collect.candidates.features:",
    "Finding": "similitude.inspect.checks:",
    "Format": "similitude.data.reading.format:",
    "GENERAL": "similitude.data.reading.format:",
    "Head": "similitude.systems.uncertain.heads:",
    "InterfaceTexts": "similitude.collect.annotation.tasks:",
    "LanguageModel": "similitude.models.language.protocol:",
    "Listener": "similitude.data.protocols:",
    "MeanLoss": "similitude.evaluate.measures.additive:",
    "Measure": "similitude.evaluate.measures.measure:",
    "ModelAnswer": "similitude.models.language.protocol:",
    "ModelKey": "similitude.data.protocols:",
    "Need": "similitude.evaluate.measures.measure:",
    "Objective": "similitude.training.objectives:",
    "OpinionLoss": "similitude.training.uncertain.objectives:",
    "PairTask": "similitude.collect.annotation.tasks:",
    "PredictedOpinions": "similitude.training.uncertain.objectives:",
    "Problem": "similitude.collect.annotation.records:",
    "RatingScale": "similitude.collect.annotation.rating_scale:",
    "RawTable": "similitude.data.reading.tables:",
    "Read": "similitude.collect.annotation.tasks:",
    "Shape": "similitude.systems.uncertain.heads:",
    "Shown": "similitude.collect.annotation.records:",
    "Spec": "similitude.registry:",
    "System": "similitude.data.protocols:",
    "TextProperty": "similitude.collect.candidates.features:",
    "make_head": "similitude.systems.uncertain.heads:",
    "make_loss": "similitude.training.uncertain.objectives:",
    "moments_of": "similitude.systems.uncertain.heads:",
    "numbered": "similitude.data.reading.tables:",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
