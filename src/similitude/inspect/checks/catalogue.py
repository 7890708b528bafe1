"""The registry of checks, and `check`, which runs them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.counted_work import counted_work
from similitude.data.keywords import as_names
from similitude.data.protocols import Listener
from similitude.errors import ExtensionError, SimilitudeError
from similitude.inspect.checks.findings import SEVERITIES, Finding, Report
from similitude.registry import Maker, Registry

__all__ = ["CHECKS", "check"]


def _lacks(name: str, maker: Maker) -> Iterator[str]:
    """What a check must have and has not."""
    if not inspect.getdoc(maker):
        yield "has no docstring, which says what it finds, why that matters and from where on"
    try:
        inspect.signature(maker).bind(None)
    except (TypeError, ValueError):
        yield "cannot be called with a benchmark alone"


CHECKS: Registry[Iterable[Finding]] = Registry("check", "similitude.checks", contract=_lacks)
"""A name to a function that takes a `Benchmark` and yields findings. Its docstring says what, why and from where on.

Other packages add theirs by an entry point in the group ``similitude.checks``::

    [project.entry-points."similitude.checks"]
    profanity = "my_package.checks:profanity"
"""


def check(data: BenchmarkData, only: str | Sequence[str] | None = None, *, listener: Listener | None = None) -> Report:
    """Check a benchmark for properties that make results on it wrong.

    Args:
        data: a benchmark, which is not changed, or what `similitude.read` takes. Rows that cannot be read are left out,
            and a finding says so.
        only: the names of the checks to run; by default all.
        listener: is told the progress.

    Raises:
        UnknownNameError: ``only`` names a check that does not exist.

    >>> same = Benchmark.from_columns(left=["one", "two"], right=["eins", "zwei"], score=[3, 3], scale="0..5")
    >>> report = check(same)
    >>> report.worst, report.findings[0].code, report.findings[0].message
    ('error', 'constant-scores', 'all 2 scores are 3')
    """
    names = tuple(CHECKS.names()) if only is None else as_names("only", only)
    benchmark = data if isinstance(data, Benchmark) else open_benchmark(data, on_error="skip")
    counted = counted_work(names, listener, "checks", len(names))
    found = [finding for name in counted for finding in _findings(name, benchmark)]
    found.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return Report(benchmark=benchmark.name, items=len(benchmark), checks=names, findings=tuple(found))


def _findings(name: str, benchmark: Benchmark) -> list[Finding]:
    """What one check finds.

    Raises:
        ExtensionError: a check of another package fails, or yields something else.
    """
    maker = CHECKS.maker(name)
    if maker.__module__.startswith("similitude."):
        return list(maker(benchmark))
    where, remedy = f"check '{name}'", f"mend its package ({maker.__module__}), or name other checks with --only"
    try:
        found = list(maker(benchmark))
    except SimilitudeError:
        raise
    except Exception as error:
        raise ExtensionError(f"it raised {type(error).__name__}: {error}", where=where, remedy=remedy) from error
    if strange := [each for each in found if not isinstance(each, Finding)]:
        what = f"it yields {type(strange[0]).__name__}, not a Finding"
        raise ExtensionError(what, where=where, remedy=remedy)
    return found
