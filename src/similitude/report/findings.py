"""What the linter found, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from similitude.inspect.checks import Finding, Report

__all__ = ["findings_list"]

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def findings_list(report: Report) -> RenderableType:
    """Every finding with its examples and remedy, then how many there are of each kind."""
    found = [line for finding in report.findings for line in _lines(finding)]
    counts = ", ".join(f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in report.counts.items())
    total = Text(f"{report.benchmark}: {report.items:,} items, {len(report.checks)} checks: {counts}", style="bold")
    return Group(*found, total)


def _lines(finding: Finding) -> list[Text]:
    head = Text.from_markup(f"[{_STYLES[finding.severity]}]{finding.severity}[/] [dim]{escape(finding.code)}[/] ")
    lines = [head.append(finding.message)]
    lines += [Text(f"    {example}", style="dim") for example in finding.examples]
    return [*lines, Text(f"    remedy: {finding.remedy}")]
