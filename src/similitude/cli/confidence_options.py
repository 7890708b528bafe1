"""How commands compute intervals and tests, and what systems are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

__all__ = ["ConfidenceOptions", "DecisionOptions", "IntervalOptions", "JudgementIntervalOptions"]


@dataclass(frozen=True, kw_only=True)
class IntervalOptions:
    """How intervals are computed.

    Attributes:
        resamples: resamples for bootstrap intervals and tests; 0 for no intervals. By default only where needed.
        level: the level of intervals and tests.
    """

    resamples: Annotated[int | None, Parameter(validator=Number(gte=0))] = None
    level: Annotated[float, Parameter(validator=Number(gte=0.5, lte=0.999))] = 0.95

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `run`."""
        return {"resamples": self.resamples, "level": self.level}


@dataclass(frozen=True, kw_only=True)
class JudgementIntervalOptions:
    """How intervals around figures on judgements are computed.

    Attributes:
        resamples: resamples for intervals; 0 for none.
        level: the level of intervals.
    """

    resamples: Annotated[int, Parameter(validator=Number(gte=0))] = 1000
    level: Annotated[float, Parameter(validator=Number(gte=0.5, lte=0.999))] = 0.95


@dataclass(frozen=True, kw_only=True)
class DecisionOptions(IntervalOptions):
    """What systems are compared with.

    Attributes:
        against: compare the other systems with this one instead of each with each.
        margin: a difference of less counts as none: to --against, or without it to the best system.
    """

    against: Annotated[str | None, Parameter(metavar="SYSTEM")] = None
    margin: Annotated[float | None, Parameter(metavar="DIFFERENCE", validator=Number(gt=0))] = None

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `run`."""
        return {**super().arguments(), "against": self.against, "margin": self.margin}


@dataclass(frozen=True, kw_only=True)
class ConfidenceOptions(DecisionOptions):
    """How intervals and tests are computed.

    Attributes:
        interval: how intervals are computed.
        test: which test tells two systems apart.
    """

    interval: Literal["auto", "jackknife", "bca", "percentile"] = "auto"
    test: Literal["auto", "bootstrap", "permutation", "williams", "steiger"] = "auto"

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `run`."""
        return {**super().arguments(), "interval": self.interval, "test": self.test}
