"""The contracts of a check of benchmarks."""

from __future__ import annotations

import inspect

from similitude.data.benchmark import Benchmark
from similitude.inspect.checks import CHECKS, Finding, check
from similitude.testing.contract import check_contracts, require
from similitude.testing.unchecked_benchmark import unchecked_benchmark

__all__ = ["CHECK_CONTRACTS", "check_check"]


def check_check(name: str) -> None:
    """Check that a check of benchmarks keeps every contract; `CHECK_CONTRACTS` lists them.

    Args:
        name: as registered.

    Raises:
        AssertionError: a contract is broken; the message says which, and what was seen.

    >>> check_check("off-scale")
    """
    check_contracts(f"check '{name}'", CHECK_CONTRACTS, name)


def says_what_it_finds(name: str) -> None:
    """Its docstring says what it finds."""
    require(bool(inspect.getdoc(CHECKS.maker(name))), "it has no docstring")


def yields_findings(name: str) -> None:
    """It yields findings that begin with its name, each with a message and a remedy."""
    for benchmark in _odd_benchmarks():
        for found in CHECKS.maker(name)(benchmark):
            require(isinstance(found, Finding), f"it yields {type(found).__name__}")
            require(bool(found.message) and bool(found.remedy), f"'{found.code}' has no message or no remedy")


def works_in_a_report(name: str) -> None:
    """It runs by its name, as `data check --only` has it."""
    report = check(_odd_benchmarks()[0], only=[name])
    require(report.checks == (name,), f"the report names {report.checks}")


def leaves_the_benchmark_alone(name: str) -> None:
    """It does not change the benchmark."""
    for benchmark in _odd_benchmarks():
        before = benchmark.fingerprint
        list(CHECKS.maker(name)(benchmark))
        require(benchmark.fingerprint == before, "the benchmark was changed")


CHECK_CONTRACTS = (says_what_it_finds, yields_findings, works_in_a_report, leaves_the_benchmark_alone)
"""What every check must keep."""


def _odd_benchmarks() -> list[Benchmark]:
    """Usual pairs; one item without gold; texts that are not there; the same text and the same score throughout."""
    return [
        unchecked_benchmark(
            left=["A man plays.", "A dog runs.", "Ja"],
            right=["He plays.", "A cat.", "一"],
            score=[4, 1, 2],
            scale="0..5",
        ),
        unchecked_benchmark(left=["a"], right=["b"]),
        unchecked_benchmark(left=["a", None], right=[None, "b"], score=[1, 9], scale="0..5"),
        unchecked_benchmark(left=["a"] * 30, right=["a"] * 30, score=[3] * 30, scale="0..5"),
    ]
