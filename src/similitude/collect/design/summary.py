"""A plan at a glance: what holds of its tuples and batches, and what it asks of people."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from similitude.collect.design.design import Design, Task
from similitude.collect.design.effort import Effort, effort_of
from similitude.collect.design.guarantees import Guarantees
from similitude.collect.design.layout import BatchLayout, check_layout

__all__ = ["Summary", "summarise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What there is to know about a plan.

    Attributes:
        task: what is asked.
        seed: what it was made from.
        guarantees: what holds of its tuples; None where single items are judged.
        layout: what holds of its batches.
        effort: what it asks of people.
    """

    task: Task
    seed: int
    guarantees: Guarantees | None
    layout: BatchLayout
    effort: Effort

    def record(self) -> dict[str, Any]:
        """All figures, and the sentences that say them, for machines."""
        parts = {"guarantees": self.guarantees, "layout": self.layout, "effort": self.effort}
        figures = {
            name: None if part is None else asdict(part) | {"sentences": list(part.sentences())}
            for name, part in parts.items()
        }
        return {"task": self.task, "seed": self.seed, **figures}


def summarise(
    design: Design, *, seconds_per_question: float | None = None, pay_per_hour: float | None = None
) -> Summary:
    """Count everything that is said about a plan.

    Raises:
        ArgumentError: as for `effort_of`.
    """
    return Summary(
        task=design.task,
        seed=design.seed,
        guarantees=design.guarantees,
        layout=check_layout(design),
        effort=effort_of(design, seconds_per_question=seconds_per_question, pay_per_hour=pay_per_hour),
    )
