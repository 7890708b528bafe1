"""Estimates of the prompts, tokens and costs of systems, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from similitude.data.item import Items
from similitude.data.protocols import AnswerCache, System
from similitude.study.prompt_grid.cells import AskingSystem, cells_of, measured_items
from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan
from similitude.systems.pool import parts
from similitude.systems.prompted.choice_system import MultipleChoice
from similitude.systems.prompted.cost_estimate import CostEstimate
from similitude.systems.prompted.system import Prompted

__all__ = ["CellEstimate", "estimate_prompt_grid", "estimate_systems"]


class CellEstimate(NamedTuple):
    """The estimate for one system.

    Attributes:
        name: of the system or cell.
        estimate: of prompts, tokens and cost.
        is_counted: whether tokens were counted by the model's tokeniser; otherwise they are estimated from the texts.
        is_assumed: whether the endpoint's abilities are unknown, so that the usual ones were assumed.
        is_shared: whether an earlier cell sends the same prompts, so that this one adds none.
    """

    name: str
    estimate: CostEstimate
    is_counted: bool
    is_assumed: bool
    is_shared: bool = False

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        estimate = {"system": self.name, **self.estimate._asdict()}
        flags = {"tokens_are_counted": self.is_counted, "endpoint_is_assumed": self.is_assumed}
        return {**estimate, **flags, "asks_what_one_before_asks": self.is_shared}


def estimate_prompt_grid(plan: ScorePlan | ChoicePlan, answers: AnswerCache | None = None) -> list[CellEstimate]:
    """Estimates for the cells of a plan; nothing is asked."""
    benchmark = measured_items(plan)
    made, seen = [], set()
    for cell in cells_of(plan, benchmark):
        estimate = _estimate(cell.name, cell.system, benchmark.items, answers)
        made.append(estimate._replace(is_shared=cell.asks in seen))
        seen.add(cell.asks)
    return made


def estimate_systems(systems: Sequence[System], items: Items, answers: AnswerCache | None = None) -> list[CellEstimate]:
    """Estimates for those systems, also inside pools, that ask language models; nothing is asked."""
    each = [part for system in systems for part in parts(system)]
    asking = dict.fromkeys(part for part in each if isinstance(part, (Prompted, MultipleChoice)))
    return [_estimate(str(system.identity), system, items, answers) for system in asking]


def _estimate(name: str, system: AskingSystem, items: Items, answers: AnswerCache | None) -> CellEstimate:
    ways = _ways(system if answers is None else system.with_answers(answers))
    estimates = [way.estimate(items) for way in ways]
    best = max(range(len(ways)), key=lambda place: estimates[place].cached)  # cached answers tell
    is_counted = not getattr(ways[best].language_model, "estimates_tokens", False)
    return CellEstimate(name, estimates[best], is_counted, len(ways) > 1 and not estimates[best].cached)


def _ways(system: AskingSystem) -> list[AskingSystem]:
    """The system with each of the endpoint's possible abilities, the usual one first.

    Only a request can show whether an endpoint gives likelihoods of given texts, and none is sent here. If the system
    needs likelihoods, they are assumed.
    """
    if system.url is None or system.scores_choices is not None or system.opened is not None:
        return [system]
    if system.by in ("sum", "token", "character"):
        return [replace(system, scores_choices=True)]
    if system.by in ("expected", "letter"):
        return [replace(system, scores_choices=may) for may in (False, True)]
    return [system]
