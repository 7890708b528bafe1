"""Objects as HTML in notebooks. They are made of the same blocks as pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from markupsafe import escape

from similitude.report.notebook.fragment import fragment
from similitude.report.page.sheet import Block

__all__ = ["html_of"]

HOMES: Mapping[str, str] = {
    "Assessment": "data_blocks:assessment_blocks",
    "Benchmark": "data_blocks:benchmark_blocks",
    "CandidatesRun": "candidate_blocks:candidate_blocks",
    "Choice": "result_blocks:choice_blocks",
    "Design": "data_blocks:design_blocks",
    "Disagreements": "result_blocks:disagreement_blocks",
    "Judgements": "data_blocks:judgements_blocks",
    "Model": "model_blocks:model_blocks",
    "PairedComparison": "result_blocks:comparison_blocks",
    "Plot": "result_blocks:plot_blocks",
    "Report": "data_blocks:check_blocks",
    "Run": "result_blocks:run_blocks",
    "SuiteRun": "suite_blocks:suite_blocks",
    "Suspects": "suspect_blocks:suspect_blocks",
    "TaskRun": "result_blocks:task_blocks",
}
"""Which function shows which class. Modules are imported when they are needed: a benchmark needs no runs."""


def html_of(shown: object) -> str:
    """The HTML of an object: a fragment with its own scoped style, which needs no other file and no script."""
    for each in type(shown).__mro__:
        if each.__module__.startswith("similitude.") and each.__name__ in HOMES:
            return fragment(_blocks(HOMES[each.__name__])(shown))
    return f"<pre>{escape(repr(shown))}</pre>"


def _blocks(home: str) -> Callable[[Any], Iterable[Block]]:
    module, _, name = home.partition(":")
    found: Callable[[Any], Iterable[Block]] = getattr(import_module(f"{__name__}.{module}"), name)
    return found
