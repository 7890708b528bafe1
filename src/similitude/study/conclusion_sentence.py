"""The words of a conclusion: one sentence, without a full stop."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from similitude.evaluate.significance import Decision
from similitude.stats import Interval

__all__ = ["Standing", "others_in_words"]

MOST_NAMED = 5
"""Of longer lists of systems the first are named."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Systems with their figures, about which something is to be said.

    Attributes:
        names: of the systems.
        values: their figures; nan where undefined.
        by: what the figures are, such as "spearman" or "the average of 12 benchmarks".
        units: what the figures rest on: "items" or "groups".
        higher_is_better: whether a high figure is a good one.
        systems: how many of the rows are systems, if trivial baselines stand below them; None if all are.
    """

    names: Sequence[str]
    values: Sequence[float]
    by: str
    units: str = "items"
    higher_is_better: bool = True
    systems: int | None = None

    @property
    def known(self) -> list[int]:
        """The systems with a figure, best first."""
        rows = [row for row, value in enumerate(self.values) if not math.isnan(value)]
        return sorted(rows, key=lambda row: -self.values[row] if self.higher_is_better else self.values[row])

    def of_one(self, interval: Interval | None) -> str:
        """The sentence about the only system that has a figure."""
        (row,) = self.known
        ends = interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high)
        shown = f" [{interval.low:.2f}, {interval.high:.2f}]" if ends and interval is not None else ""
        return f"{self.names[row]} has {self.by} {self.values[row]:.3f}{shown}"

    def untested(self) -> str:
        """The sentence if nothing was tested."""
        first, *others = self.known
        equal = [row for row in others if self.values[row] == self.values[first]]
        if equal:
            names = ", ".join(self.names[row] for row in (first, *equal))
            return f"{names} are equally good by {self.by} ({self.values[first]:.3f}); nothing was tested"
        said = f"{self._named(first)} is best by {self.by}, {self._named(others[0])} follows"
        return f"{said}; whether the difference is more than chance was not tested"

    def decided(self, decision: Decision) -> str:
        """The sentence about two systems or more."""
        parts = self._against(decision) if decision.baseline is not None else self._best(decision)
        return "; ".join(parts)

    def _best(self, decision: Decision) -> Iterator[str]:
        """Which systems are not significantly worse than the best, and what would decide."""
        best, number = decision.may_be_best, len(self.known)
        if len(best) == 1:
            rest = others_in_words([self.names[row] for row in self.known if row != best[0]])
            first = f"{self.names[best[0]]} is best by {self.by} ({self.values[best[0]]:.3f})"
            yield f"{first}, significantly better than {rest}"
        else:
            part = _part(len(best), number, [self.names[row] for row in sorted(self.known) if self._is_trivial(row)])
            yield f"{part} by {self.by} at {100 * decision.level:g} %: {self._listed(best)}"
        if decision.more_units is not None:
            shown = "a difference" if len(best) == 2 else "that the first is better than the others"
            yield f"about {decision.more_units:,} more {self.units} would show {shown}"
        if decision.margin is not None:
            near = self._listed(decision.near_best) if decision.near_best else "none is sure to be"
            yield f"within {decision.margin:g} of the best: {near}"

    def _against(self, decision: Decision) -> Iterator[str]:
        """How systems compare with the baseline."""
        assert decision.baseline is not None
        baseline = self.names[decision.baseline]
        contrasts = tuple(one for one in decision.contrasts if not self._is_trivial(one.system))
        decision, number = replace(decision, contrasts=contrasts), len(contrasts)
        if number == 0:
            yield f"{baseline} cannot be compared with other systems by {self.by}"
            return
        yield self._one_against(decision) if number == 1 else self._all_against(decision)
        if number == 1 and decision.contrasts[0].more_units is not None:
            yield f"about {decision.contrasts[0].more_units:,} more {self.units} would decide"
        if decision.margin is not None:
            sure = [one for one in decision.contrasts if one.is_not_worse(decision.level)]
            equal = sum(bool(one.is_equivalent(decision.level)) for one in sure)
            also = f", {equal} of them equivalent" if equal else ""
            verb = "are" if len(sure) > 1 else "is"
            yield f"{_number(len(sure))} {verb} surely not worse by more than {decision.margin:g}{also}"

    def _one_against(self, decision: Decision) -> str:
        (one,) = decision.contrasts
        words = {"better": "better than", "worse": "worse than"}
        verdict = f"significantly {words[one.verdict]}" if one.verdict in words else "not significantly different from"
        return f"{self._named(one.system)} is {verdict} {self._named(decision.baseline or 0)} by {self.by}"

    def _all_against(self, decision: Decision) -> str:
        verdicts = [one.verdict for one in decision.contrasts]
        better, baseline = verdicts.count("better"), self.names[decision.baseline or 0]
        verb = "are" if better > 1 else "is"
        said = f"{_number(better)} of {len(verdicts)} systems {verb} significantly better than {baseline} by {self.by}"
        rest = (f"{count} {word}" for word in ("worse", "undecided") if (count := verdicts.count(word)))
        return ", ".join((said, *rest))

    def _is_trivial(self, row: int) -> bool:
        return self.systems is not None and row >= self.systems

    def _named(self, row: int) -> str:
        return f"{self.names[row]} ({self.values[row]:.3f})"

    def _listed(self, rows: Sequence[int]) -> str:
        named = [self._named(row) for row in rows[:MOST_NAMED]]
        more = len(rows) - len(named)
        return ", ".join(named) + (f" and {more} more" if more else "")


def others_in_words(names: Sequence[str]) -> str:
    """The systems that another one is better than: one by its name, more by their number.

    >>> others_in_words(["jaro"]), others_in_words(["jaro", "damerau"]), others_in_words(["jaro", "damerau", "use"])
    ('jaro', 'both others', 'all 3 others')
    """
    if len(names) == 1:
        return names[0]
    return "both others" if len(names) == 2 else f"all {len(names)} others"


def _part(some: int, all_: int, trivial: Sequence[str] = ()) -> str:
    """How many of all are not significantly worse than the best.

    >>> _part(2, 21)
    '2 of 21 systems are not significantly worse than the best'
    >>> _part(2, 4, ["always yes", "always no"])
    '2 of 4, with always yes and always no, are not significantly worse than the best'
    >>> _part(3, 3), _part(2, 2)
    ('none of 3 systems is significantly worse than the best', 'neither system is significantly better')
    """
    if trivial:
        return f"{some} of {all_}, with {' and '.join(trivial)}, are not significantly worse than the best"
    if some < all_:
        return f"{some} of {all_} systems are not significantly worse than the best"
    if all_ == 2:
        return "neither system is significantly better"
    return f"none of {all_} systems is significantly worse than the best"


def _number(number: int) -> str:
    return f"{number}" if number else "none"
