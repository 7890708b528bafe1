"""Findings of checks, and the report of all findings."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, fields
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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report(Shown, Tabular):
    """The findings in one benchmark.

    Attributes:
        benchmark: its name.
        items: its number of items.
        checks: the names of the checks that ran.
        findings: all findings, worst first.
    """

    benchmark: str
    items: int
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        found = ", ".join(counted(count, severity) for severity, count in self.counts.items())
        lines = [f" {one.severity}: {one.message}" for one in self.findings]
        title = f"<Report on '{self.benchmark}': {self.items:,} items, {len(self.checks)} checks: {found}"
        return "\n".join([title, *lines]) + ">"

    def to_polars(self) -> pl.DataFrame:
        """One row per finding, worst first."""
        names = [field.name for field in fields(Finding)]
        schema = dict.fromkeys(names, pl.String) | {"count": pl.Int64, "examples": pl.List(pl.String)}
        return pl.DataFrame([asdict(one) | {"examples": list(one.examples)} for one in self.findings], schema=schema)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain dicts and lists, ready for JSON."""
        return self.record()

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
