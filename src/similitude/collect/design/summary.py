"""The summary of a plan: guarantees of its tuples and batches, and the effort that it requires."""

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
    """The summary of a plan.

    Attributes:
        task: the kind of question.
        seed: the seed of the plan.
        guarantees: the guarantees of its tuples; None if questions have single items.
        layout: the guarantees of its batches.
        effort: the effort that it requires.
    """

    task: Task
    seed: int
    guarantees: Guarantees | None
    layout: BatchLayout
    effort: Effort

    def record(self) -> dict[str, Any]:
        """All figures and their sentences as JSON types."""
        parts = {"guarantees": self.guarantees, "layout": self.layout, "effort": self.effort}
        figures = {
            name: None if part is None else asdict(part) | {"sentences": list(part.sentences())}
            for name, part in parts.items()
        }
        return {"task": self.task, "seed": self.seed, **figures}


def summarise(
    design: Design, *, seconds_per_question: float | None = None, pay_per_hour: float | None = None
) -> Summary:
    """Compute the summary of a plan.

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
