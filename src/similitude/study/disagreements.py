"""The items of a run on which predictions are farthest from gold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from similitude.data.frames import Tabular
from similitude.data.shown import Shown
from similitude.errors import ArgumentError
from similitude.evaluate.diagnostics import Disagreement, SharedDisagreement, shared_disagreements, worst_disagreements
from similitude.stats.finite import finite_or_none
from similitude.study.run_results import RunResults

__all__ = ["Disagreements", "disagreements_of"]

SHOWN = 3
"""How many items the short form names."""
LONGEST = 40


@dataclass(frozen=True, kw_only=True, repr=False)
class Disagreements(Shown, Tabular):
    """Items on which a system, or most systems, are farthest from gold; farthest first.

    Attributes:
        run: the run.
        system: the position of the system; None for those on which most systems are wrong.
        found: the items, with gold and predictions on the gold scale.
    """

    run: RunResults
    system: int | None
    found: tuple[Disagreement | SharedDisagreement, ...]

    def __len__(self) -> int:
        return len(self.found)

    @property
    def who(self) -> str:
        """Whose predictions: the name of a system, or "most systems"."""
        return "most systems" if self.system is None else self.run.systems[self.system].label

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per item: texts, gold and predictions on the gold scale, and the distance."""
        for rank, one in enumerate(self.found, start=1):
            item = self.run.benchmark.items[one.position]
            texts = {"id": item.id, "left": item.left, "right": item.right, "condition": item.condition}
            yield {"rank": rank, **texts, "gold": one.gold, **self._predicted(one)}

    def _predicted(self, one: Disagreement | SharedDisagreement) -> dict[str, Any]:
        if isinstance(one, Disagreement):
            return {"predicted": one.predicted, "gap": one.gap}
        names = (record.label for record in self.run.systems)
        each = {name: finite_or_none(value) for name, value in zip(names, one.predicted, strict=True)}
        return {"median_gap": one.median_gap, "too_high": one.too_high, "too_low": one.too_low, **each}

    def to_dict(self) -> dict[str, Any]:
        """The items, ready for JSON."""
        return {"data": self.run.data.name, "system": self.who, "items": list(self.rows())}

    def __repr__(self) -> str:
        title = f"<{len(self)} items of '{self.run.data.name}' on which {self.who} and people disagree most"
        lines = [_line(row) for row in self.rows()][:SHOWN]
        more = [f" and {len(self) - SHOWN} more"] if len(self) > SHOWN else []
        return "\n".join((title, *lines, *more)) + ">"


def _line(row: dict[str, Any]) -> str:
    said = f"predicted {row['predicted']:.2f}" if "predicted" in row else f"off by {row['median_gap']:.2f} or more"
    return f" {row['id']}: gold {row['gold']:.2f}, {said}: {_cut(row['left'])} | {_cut(row['right'])}"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def disagreements_of(run: RunResults, top: int, system: int | None) -> Disagreements:
    """The items that a system, or most systems, get most wrong.

    Args:
        run: the run.
        top: how many.
        system: the position of a system; None for items that most systems get wrong, or the only one.

    Raises:
        ArgumentError: predictions could not be brought onto the gold scale, or ``top`` is no number of items.
    """
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise ArgumentError(f"{top!r} is no number of items", remedy="give 1 or more, such as disagreements(10)")
    comparison = run.comparison.for_errors
    chosen = 0 if system is None and len(run.systems) == 1 else system
    usable = comparison.is_on_scale if chosen is None else comparison.is_on_scale[[chosen]]
    if not usable.any():
        name = "any system" if chosen is None else run.systems[chosen].label
        what = f"how far predictions of {name} are from gold is not known: {run.mappings[chosen or 0].description}"
        raise ArgumentError(what, remedy='bring them onto the gold scale: calibrate="linear"')
    found = shared_disagreements(comparison, top) if chosen is None else worst_disagreements(comparison, top)[chosen]
    return Disagreements(run=run, system=chosen, found=tuple(found))
