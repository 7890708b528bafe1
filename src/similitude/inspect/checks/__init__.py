"""The checks behind ``similitude data check``: properties of a benchmark that make results on it wrong."""

from similitude.inspect.checks import completeness, duplicates, judgements, leaks, ratings, row_order, scores, texts
from similitude.inspect.checks import damaged_text as encoding
from similitude.inspect.checks import length_bias as length
from similitude.inspect.checks.catalogue import CHECKS, check
from similitude.inspect.checks.findings import SEVERITIES, Finding, Report, Severity

__all__ = [
    "CHECKS",
    "SEVERITIES",
    "Finding",
    "Report",
    "Severity",
    "check",
    "completeness",
    "duplicates",
    "encoding",
    "judgements",
    "leaks",
    "length",
    "ratings",
    "row_order",
    "scores",
    "texts",
]
