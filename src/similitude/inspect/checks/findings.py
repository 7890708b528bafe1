"""Findings of checks, and the report of all findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import polars as pl

from similitude.data.frames import Tabular
from similitude.data.plural import counted
from similitude.data.shown import Shown
from similitude.errors import ArgumentError

__all__ = ["MOST_EXAMPLES", "SEVERITIES", "Finding", "Report", "Severity"]

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""Worst first. An error makes results wrong, a warning makes them doubtful, a note is worth knowing."""

MOST_EXAMPLES = 5

FINDING_SCHEMA = pl.Schema(
    {
        "code": pl.String(),
        "severity": pl.String(),
        "message": pl.String(),
        "count": pl.Int64(),
        "remedy": pl.String(),
        "examples": pl.List(pl.String()),
    }
)
"""The columns of a table of findings."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, or worth knowing, about a benchmark.

    Attributes:
        code: the name of the check, with a suffix if it has several findings: "split-leaks-pairs".
        severity: "error", "warning" or "note".
        message: one sentence with the numbers.
        count: the number of rows, pairs or texts concerned; the message says which.
        remedy: what to do about it.
        examples: the first five of them.
    """

    code: str
    severity: Severity
    message: str
    count: int
    remedy: str
    examples: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.severity not in SEVERITIES:
            raise ArgumentError(
                f"finding '{self.code}' has the severity '{self.severity}'", remedy=f"known: {', '.join(SEVERITIES)}"
            )
        object.__setattr__(self, "examples", tuple(self.examples[:MOST_EXAMPLES]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Shown, Tabular):
    """The findings in one benchmark. Iterating gives the findings, worst first.

    Attributes:
        benchmark: its name.
        items: its number of items.
        checks: the names of the checks that ran.
        findings: all findings, worst first.

    >>> import similitude as sim
    >>> found = sim.check([("a cat", "one cat", 3), ("a cat", "one cat", 3), ("a dog", "rain", 0)])
    >>> [finding.code for finding in found]
    ['exact-duplicates', 'too-few-items', 'scale-inferred']
    """

    benchmark: str
    items: int
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        found = ", ".join(counted(number, severity) for severity, number in self.counts.items() if number)
        return f"<Report on '{self.benchmark}': {found or 'nothing found'} in {counted(self.items, 'item')}>"

    def __str__(self) -> str:
        return "\n".join([repr(self), *(f"{each.severity} {each.code}: {each.message}" for each in self.findings)])

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return True  # a report without findings is one, too

    def to_polars(self) -> pl.DataFrame:
        """One row per finding: code, severity, message, count, remedy, examples."""
        rows = [{**asdict(finding), "examples": list(finding.examples)} for finding in self.findings]
        return pl.DataFrame(rows, schema=FINDING_SCHEMA)

    @property
    def worst(self) -> Severity | None:
        """The worst severity among the findings; None if there are none."""
        return min((finding.severity for finding in self.findings), key=SEVERITIES.index, default=None)

    @property
    def counts(self) -> dict[Severity, int]:
        """The number of findings of each severity, worst first, zeros included."""
        found = Counter(finding.severity for finding in self.findings)
        return {severity: found[severity] for severity in SEVERITIES}

    def record(self) -> dict[str, Any]:
        """The report as plain dicts and lists, ready for JSON."""
        return {
            "benchmark": self.benchmark,
            "items": self.items,
            "worst": self.worst,
            "counts": dict(self.counts),
            "checks": list(self.checks),
            "findings": [{**asdict(finding), "examples": list(finding.examples)} for finding in self.findings],
        }
