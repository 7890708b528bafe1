"""What systems would ask of language models, and cost, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from similitude.data.item import Items
from similitude.data.protocols import AnswerCache, System
from similitude.study.prompt_grid.cells import Asking, cells_of, measured_items
from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan
from similitude.systems.pool import parts
from similitude.systems.prompted.choice_system import MultipleChoice
from similitude.systems.prompted.cost_estimate import CostEstimate
from similitude.systems.prompted.system import Prompted

__all__ = ["CellEstimate", "expect_judging", "expect_systems"]


class CellEstimate(NamedTuple):
    """What one system would ask.

    Attributes:
        name: of the system or cell.
        estimate: of prompts, tokens and cost.
        is_counted: whether tokens were counted by the model's own tokeniser, or estimated from the texts.
        is_assumed: whether it is not yet known what the endpoint can do, so that the usual way was assumed.
        is_shared: whether one before it asks the very same, so that it asks for nothing more.
    """

    name: str
    estimate: CostEstimate
    is_counted: bool
    is_assumed: bool
    is_shared: bool = False

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        told = {"system": self.name, **self.estimate._asdict()}
        flags = {"tokens_are_counted": self.is_counted, "endpoint_is_assumed": self.is_assumed}
        return {**told, **flags, "asks_what_one_before_asks": self.is_shared}


def expect_judging(plan: ScorePlan | ChoicePlan, answers: AnswerCache | None = None) -> list[CellEstimate]:
    """What the cells of a plan would ask; nothing is asked."""
    benchmark = measured_items(plan)
    made, seen = [], set()
    for cell in cells_of(plan, benchmark):
        expected = _expected(cell.name, cell.system, benchmark.items, answers)
        made.append(expected._replace(is_shared=cell.asks in seen))
        seen.add(cell.asks)
    return made


def expect_systems(systems: Sequence[System], items: Items, answers: AnswerCache | None = None) -> list[CellEstimate]:
    """What those of the systems that ask language models would ask, in pools too; nothing is asked."""
    each = [part for system in systems for part in parts(system)]
    asking = dict.fromkeys(part for part in each if isinstance(part, (Prompted, MultipleChoice)))
    return [_expected(str(system.identity), system, items, answers) for system in asking]


def _expected(name: str, system: Asking, items: Items, answers: AnswerCache | None) -> CellEstimate:
    kept = system if answers is None else system.with_answers(answers)
    ways = _ways(kept)
    estimates = [way.estimate(items) for way in ways]
    best = max(range(len(ways)), key=lambda place: estimates[place].cached)  # asked before in this way: so it is known
    is_counted = not getattr(ways[best].language_model, "estimates_tokens", False)
    return CellEstimate(name, estimates[best], is_counted, len(ways) > 1 and not estimates[best].cached)


def _ways(system: Asking) -> list[Asking]:
    """The system as it may turn out to ask, the usual way first.

    Whether an endpoint gives likelihoods of given texts is found out by asking it, which is not done here. Where
    likelihoods are a must, they are assumed.
    """
    if system.url is None or system.scores_choices is not None or system.opened is not None:
        return [system]
    if system.by in ("sum", "token", "character"):
        return [replace(system, scores_choices=True)]
    if system.by in ("expected", "letter"):
        return [replace(system, scores_choices=may) for may in (False, True)]
    return [system]
