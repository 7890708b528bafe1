"""Studies: plans, their execution, and the runs that result. Names load when they are first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from similitude.lazy_names import lazy_names

if TYPE_CHECKING:
    from similitude.study.choice import Choice, choice_of, choose
    from similitude.study.execution import run
    from similitude.study.folder import default_folder
    from similitude.study.runs import Run
    from similitude.study.suite.execution import run_suite
    from similitude.study.suite.suite_folder import load_run
    from similitude.study.suite.suite_run import SuiteRun

__all__ = [
    "Choice",
    "Run",
    "SuiteRun",
    "choice_of",
    "choose",
    "default_folder",
    "load_run",
    "run",
    "run_suite",
]

_HOMES = {
    "Choice": ".choice:",
    "Run": ".runs:",
    "SuiteRun": ".suite.suite_run:",
    "choice_of": ".choice:",
    "choose": ".choice:",
    "default_folder": ".folder:",
    "load_run": ".suite.suite_folder:",
    "run": ".execution:",
    "run_suite": ".suite.execution:",
}


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
