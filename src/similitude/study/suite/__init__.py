"""Suites: several benchmarks measured together, with averages over them."""

from similitude.study.suite.averages import Average, RankAverages
from similitude.study.suite.entries import Suite, open_entries, open_suite
from similitude.study.suite.execution import run_suite
from similitude.study.suite.library import SUITE_PREFIX, is_suite, shipped_suites, suite_text
from similitude.study.suite.suite_folder import default_suite_folder, is_suite_folder, load_run, load_suite
from similitude.study.suite.suite_run import MeasuredBenchmark, SuiteRun

__all__ = [
    "SUITE_PREFIX",
    "Average",
    "MeasuredBenchmark",
    "RankAverages",
    "Suite",
    "SuiteRun",
    "default_suite_folder",
    "is_suite",
    "is_suite_folder",
    "load_run",
    "load_suite",
    "open_entries",
    "open_suite",
    "run_suite",
    "shipped_suites",
    "suite_text",
]
