"""Similitude: semantic textual similarity, from raw texts to a well-founded choice of system.

>>> import similitude as sim
>>> benchmark = sim.read("sample:opinions")
>>> print(sim.run(benchmark, ["levenshtein", "char-ngram-cosine(n=3)"], ["pearson", "spearman"]))
both systems may be best by pearson at 95 %: char-ngram-cosine (0.276), levenshtein (0.265); about ...
sample:opinions: 60 items (simulated judgements)
                     pearson   spearman
levenshtein            0.265      0.260
char-ngram-cosine      0.276      0.237

``import similitude`` is cheap: modules load when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from similitude._version import __version__

if TYPE_CHECKING:
    from similitude.collect.design import Design
    from similitude.collect.design.requested_design import design
    from similitude.data.addresses import open_benchmark as read
    from similitude.data.addresses import open_judgements as read_judgements
    from similitude.data.benchmark import Benchmark
    from similitude.data.item import Item, Items
    from similitude.data.judgements import Judgements
    from similitude.data.prediction import Predictions
    from similitude.data.protocols import System
    from similitude.data.scale import Scale
    from similitude.data.writing.benchmark import write
    from similitude.errors import SimilitudeError
    from similitude.evaluate.measured_figure import MeasuredFigure
    from similitude.evaluate.measures import Measure, make_measure
    from similitude.evaluate.tasks import Requirements
    from similitude.gold.aggregation import Aggregated, make_gold
    from similitude.gold.aggregation import aggregate_judgements as aggregate
    from similitude.gold.reliability.assessment import Assessment, assess
    from similitude.gold.reliability.assessment import assess as reliability
    from similitude.inspect.checks import Report, check
    from similitude.study import Choice, Run, SuiteRun, choose, load_run, run, run_suite
    from similitude.study.disagreement_ranking import expect_disagreement as contentious
    from similitude.study.measured_arrays import measure
    from similitude.study.task_run import run_task as task
    from similitude.systems.catalogue import make_system

__all__ = [
    "Aggregated",
    "Assessment",
    "Benchmark",
    "Choice",
    "Design",
    "Item",
    "Items",
    "Judgements",
    "Measure",
    "MeasuredFigure",
    "Predictions",
    "Report",
    "Requirements",
    "Run",
    "Scale",
    "SimilitudeError",
    "SuiteRun",
    "System",
    "__version__",
    "aggregate",
    "assess",
    "check",
    "choose",
    "contentious",
    "design",
    "load_run",
    "make_gold",
    "make_measure",
    "make_system",
    "measure",
    "read",
    "read_judgements",
    "reliability",
    "run",
    "run_suite",
    "task",
    "write",
]

_HOMES = {
    "Aggregated": "similitude.gold.aggregation:Aggregated",
    "Assessment": "similitude.gold.reliability.assessment:Assessment",
    "Choice": "similitude.study:Choice",
    "Design": "similitude.collect.design:Design",
    "MeasuredFigure": "similitude.evaluate.measured_figure:MeasuredFigure",
    "Report": "similitude.inspect.checks:Report",
    "aggregate": "similitude.gold.aggregation:aggregate_judgements",
    "contentious": "similitude.study.disagreement_ranking:expect_disagreement",
    "design": "similitude.collect.design.requested_design:design",
    "measure": "similitude.study.measured_arrays:measure",
    "reliability": "similitude.gold.reliability.assessment:assess",
    "Benchmark": "similitude.data.benchmark:Benchmark",
    "Item": "similitude.data.item:Item",
    "Items": "similitude.data.item:Items",
    "Judgements": "similitude.data.judgements:Judgements",
    "Measure": "similitude.evaluate.measures:Measure",
    "Predictions": "similitude.data.prediction:Predictions",
    "Requirements": "similitude.evaluate.tasks:Requirements",
    "Run": "similitude.study:Run",
    "Scale": "similitude.data.scale:Scale",
    "SimilitudeError": "similitude.errors:SimilitudeError",
    "SuiteRun": "similitude.study:SuiteRun",
    "System": "similitude.data.protocols:System",
    "assess": "similitude.gold.reliability.assessment:assess",
    "check": "similitude.inspect.checks:check",
    "choose": "similitude.study:choose",
    "load_run": "similitude.study:load_run",
    "make_gold": "similitude.gold.aggregation:make_gold",
    "make_measure": "similitude.evaluate.measures:make_measure",
    "make_system": "similitude.systems:make_system",
    "read": "similitude.data.addresses:open_benchmark",
    "read_judgements": "similitude.data.addresses:open_judgements",
    "run": "similitude.study:run",
    "run_suite": "similitude.study:run_suite",
    "task": "similitude.study.task_run:run_task",
    "write": "similitude.data.writing.benchmark:write",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'similitude' has no attribute '{name}'")
    module, _, attribute = _HOMES[name].partition(":")
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
