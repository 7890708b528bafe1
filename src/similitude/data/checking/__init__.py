"""The linter behind ``similitude data check``: what could make figures on a benchmark wrong."""

from similitude.data.checking import (
    completeness,
    duplicates,
    encoding,
    judgements,
    leaks,
    length,
    ratings,
    row_order,
    scores,
    texts,
)
from similitude.data.checking.finding import SEVERITIES, Finding, Report, Severity
from similitude.data.checking.names import CHECKS, check

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
