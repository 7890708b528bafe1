"""Similitude: semantic textual similarity, from raw texts to a well-founded choice of system.

>>> import similitude as sim
>>> benchmark = sim.read("sample:opinions")
>>> print(sim.run(benchmark, ["levenshtein", "char-ngram-cosine(n=3)"], ["pearson", "spearman"]))
neither system is significantly better by pearson at 95 %: char-ngram-cosine (0.276), levenshtein (0.265); about ...
sample:opinions: 60 items (simulated judgements)
                     pearson   spearman
levenshtein            0.265      0.260
char-ngram-cosine      0.276      0.237

`docs/python.md` lists every public name. ``import similitude`` is cheap: modules load when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from similitude._version import __version__
from similitude.lazy_names import lazy_names

if TYPE_CHECKING:
    from similitude import agreement, errors, extend, testing, train, words
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
    from similitude.data.writing.file import write
    from similitude.errors import SimilitudeError
    from similitude.evaluate.measured_figure import MeasuredFigure
    from similitude.evaluate.measures import Measure, make_measure
    from similitude.evaluate.tasks import Requirements
    from similitude.evaluate.tasks.reading import open_task as read_task
    from similitude.gold.aggregation import Aggregated
    from similitude.gold.aggregation import aggregate_judgements as aggregate
    from similitude.gold.aggregation import make_gold as gold
    from similitude.gold.reliability.assessment import Assessment
    from similitude.gold.reliability.assessment import assess as reliability
    from similitude.inspect.checks import Report, check
    from similitude.publication.publish import publish
    from similitude.publication.published import Published
    from similitude.study.candidates.candidates_run import CandidatesRun
    from similitude.study.candidates.execution import candidates
    from similitude.study.choice import Choice, choose
    from similitude.study.disagreement_ranking import expect_disagreement as contentious
    from similitude.study.engines.opened_engine import open_engine
    from similitude.study.execution import run
    from similitude.study.measured_arrays import measure
    from similitude.study.pair_conditions import conditions
    from similitude.study.runs import Run
    from similitude.study.study_run import load_study, run_study
    from similitude.study.suite.execution import run_suite
    from similitude.study.suite.suite_folder import load_run
    from similitude.study.suite.suite_run import SuiteRun
    from similitude.study.suspects.search import find_suspects as suspects
    from similitude.study.suspects.suspects import Suspects
    from similitude.study.task_run import TaskRun
    from similitude.study.task_run import run_task as task
    from similitude.systems.objects import system

__all__ = [
    "Aggregated",
    "Assessment",
    "Benchmark",
    "CandidatesRun",
    "Choice",
    "Design",
    "Item",
    "Items",
    "Judgements",
    "Measure",
    "MeasuredFigure",
    "Predictions",
    "Published",
    "Report",
    "Requirements",
    "Run",
    "Scale",
    "SimilitudeError",
    "SuiteRun",
    "Suspects",
    "System",
    "TaskRun",
    "__version__",
    "aggregate",
    "agreement",
    "candidates",
    "check",
    "choose",
    "conditions",
    "contentious",
    "design",
    "errors",
    "extend",
    "gold",
    "load_run",
    "load_study",
    "make_measure",
    "measure",
    "open_engine",
    "publish",
    "read",
    "read_judgements",
    "read_task",
    "reliability",
    "run",
    "run_study",
    "run_suite",
    "suspects",
    "system",
    "task",
    "testing",
    "train",
    "words",
    "write",
]

_HOMES = {
    "Aggregated": "similitude.gold.aggregation:",
    "Assessment": "similitude.gold.reliability.assessment:",
    "Benchmark": "similitude.data.benchmark:",
    "CandidatesRun": "similitude.study.candidates.candidates_run:",
    "Choice": "similitude.study.choice:",
    "Design": "similitude.collect.design:",
    "Item": "similitude.data.item:",
    "Items": "similitude.data.item:",
    "Judgements": "similitude.data.judgements:",
    "Measure": "similitude.evaluate.measures:",
    "MeasuredFigure": "similitude.evaluate.measured_figure:",
    "Predictions": "similitude.data.prediction:",
    "Published": "similitude.publication.published:",
    "Report": "similitude.inspect.checks:",
    "Requirements": "similitude.evaluate.tasks:",
    "Run": "similitude.study.runs:",
    "Scale": "similitude.data.scale:",
    "SimilitudeError": "similitude.errors:",
    "SuiteRun": "similitude.study.suite.suite_run:",
    "Suspects": "similitude.study.suspects.suspects:",
    "System": "similitude.data.protocols:",
    "TaskRun": "similitude.study.task_run:",
    "aggregate": "similitude.gold.aggregation:aggregate_judgements",
    "agreement": "similitude.agreement",
    "candidates": "similitude.study.candidates.execution:",
    "check": "similitude.inspect.checks:",
    "choose": "similitude.study.choice:",
    "conditions": "similitude.study.pair_conditions:",
    "contentious": "similitude.study.disagreement_ranking:expect_disagreement",
    "design": "similitude.collect.design.requested_design:",
    "errors": "similitude.errors",
    "extend": "similitude.extend",
    "gold": "similitude.gold",
    "load_run": "similitude.study.suite.suite_folder:",
    "load_study": "similitude.study.study_run:",
    "make_measure": "similitude.evaluate.measures:",
    "measure": "similitude.study.measured_arrays:",
    "open_engine": "similitude.study.engines.opened_engine:",
    "publish": "similitude.publication.publish:",
    "read": "similitude.data.addresses:open_benchmark",
    "read_judgements": "similitude.data.addresses:open_judgements",
    "read_task": "similitude.evaluate.tasks.reading:open_task",
    "reliability": "similitude.gold.reliability.assessment:assess",
    "run": "similitude.study.execution:",
    "run_study": "similitude.study.study_run:",
    "run_suite": "similitude.study.suite.execution:",
    "suspects": "similitude.study.suspects.search:find_suspects",
    "system": "similitude.systems.objects:",
    "task": "similitude.study.task_run:run_task",
    "testing": "similitude.testing",
    "train": "similitude.train",
    "words": "similitude.words",
    "write": "similitude.data.writing.file:",
}

_FIGURE = 'similitude.measure(gold, scores, "{}")'
_READ = "similitude.read(data)"
_SCORE = 'similitude.system("use-multilingual")(left, right)'

_CALLS = {
    "compare": "similitude.run(data, [one, other]).compare(one, other)",
    "evaluate": "similitude.run(data, systems, measures)",
    "kendall": _FIGURE.format("kendall"),
    "load": _READ,
    "load_dataset": _READ,
    "pearson": _FIGURE.format("pearson"),
    "read_csv": _READ,
    "report": 'similitude.run(data, systems).report("page.html")',
    "score": _SCORE,
    "similarity": _SCORE,
    "spearman": _FIGURE.format("spearman"),
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES, then="similitude.python_words:speaking_python", calls=_CALLS)
