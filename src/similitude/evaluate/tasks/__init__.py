"""Which measure, and which system, for my task."""

from similitude.evaluate.tasks.requirements import (
    PLAUSIBLE,
    Cardinality,
    Information,
    Interest,
    Requirements,
    plausible_requirements,
    requirements_of_kind,
    why_implausible,
)

__all__ = [
    "PLAUSIBLE",
    "Cardinality",
    "Information",
    "Interest",
    "Requirements",
    "plausible_requirements",
    "requirements_of_kind",
    "why_implausible",
]
