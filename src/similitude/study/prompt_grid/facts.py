"""What a cell's questions led to: readable answers, tokens, costs, position bias."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener
from similitude.data.scale import Scale
from similitude.registry import Spec
from similitude.stats.finite import finite_or_none
from similitude.study.folder import RunFolder
from similitude.study.prompt_grid.cells import AskingSystem, Cell
from similitude.systems.prompted.cost_estimate import Prices
from similitude.systems.prompted.position_bias import PositionBias
from similitude.systems.prompted.system import Prompted
from similitude.systems.prompted.tally import AnswerTally

__all__ = ["Facts", "FactsFolder", "ObservedSystem"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Answers, tokens and costs of a cell, including cached answers.

    Attributes:
        tally: of answers; empty if the system used likelihoods of given texts.
        read: tokens that the model read.
        written: tokens that it wrote.
        is_estimate: whether the tokens are estimates and not reported by the model.
        cost: at the given prices; None without prices.
        bias: how often each position was chosen; None if nothing was chosen.
    """

    tally: AnswerTally
    read: int
    written: int
    is_estimate: bool
    cost: float | None
    bias: PositionBias | None = None

    @classmethod
    def of(cls, system: AskingSystem, items: Items, tally: AnswerTally, bias: PositionBias | None) -> Facts:
        """From the system's own counts, or from an estimate if it counts no tokens."""
        read, written = tally.prompt_tokens, tally.answer_tokens
        is_estimate = not read
        if is_estimate:
            expected = replace(system, answers=None).estimate(items)
            read, written = expected.tokens_in, expected.tokens_out_at_most
        prices = Prices(system.price_in, system.price_out)
        return cls(
            tally=tally,
            read=read,
            written=written,
            is_estimate=is_estimate,
            cost=cost_of(read, written, prices),
            bias=bias,
        )

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        bias = None if self.bias is None else {**self.bias._asdict(), "p_value": finite_or_none(self.bias.p_value)}
        rest = {name: getattr(self, name) for name in ("read", "written", "is_estimate", "cost")}
        return {"tally": asdict(self.tally), **rest, "bias": bias}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Facts:
        """The inverse of `record`."""
        values = dict(record)
        bias, tally = values.pop("bias"), AnswerTally(**values.pop("tally"))
        if bias is not None:
            p_value = float("nan") if bias["p_value"] is None else bias["p_value"]
            bias = PositionBias(bias["questions"], tuple(bias["counts"]), bias["chi_square"], p_value)
        return cls(tally=tally, bias=bias, **values)


class ObservedSystem:
    """A system that reports `Facts` whenever it has scored items."""

    summary: ClassVar[str] = "reports what its questions led to"

    def __init__(self, system: AskingSystem, report: Callable[[Facts], None]) -> None:
        self._system, self._report = system, report

    @property
    def range(self) -> Scale | None:
        """The same as the system's."""
        return self._system.range

    @property
    def reads(self) -> frozenset[str]:
        """The same as the system's."""
        return self._system.reads

    @property
    def identity(self) -> Spec:
        """The same as the system's."""
        return self._system.identity

    def with_listener(self, listener: Listener) -> ObservedSystem:
        """A copy that reports to this listener."""
        return ObservedSystem(self._system.with_listener(listener), self._report)

    def score(self, items: Items) -> Predictions:
        """The predictions of the system."""
        system = self._system
        if isinstance(system, Prompted):
            rated = system.judge(items)
            self._report(Facts.of(system, items, rated.tally, None))
            return rated.predictions
        chosen = system.choose(items)
        self._report(Facts.of(system, items, chosen.tally, chosen.bias))
        return chosen.predictions


class FactsFolder:
    """Facts on disk, in the folder of the run, one file per cell."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def recall(self, cell: Cell) -> Facts | None:
        """The facts of a cell; None if there are none."""
        path = self._folder.path / self._file(cell)
        try:
            return Facts.from_record(json.loads(path.read_text(encoding="utf-8"))["facts"])
        except (OSError, ValueError, KeyError, TypeError):
            return None  # missing or damaged: computed again

    def remember(self, cell: Cell, facts: Facts) -> None:
        """Save the facts of a cell."""
        content = {"system": str(cell.system.identity), "setting": dict(cell.setting), "facts": facts.record()}
        (self._folder.path / "cells").mkdir(parents=True, exist_ok=True)
        self._folder.write_json(str(self._file(cell)), content)

    def _file(self, cell: Cell) -> Path:
        """A name that depends on the system and its model, but not on its label."""
        known = [str(cell.system.identity), cell.system.model_fingerprint()]
        return Path("cells") / f"{hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]}.json"


def cost_of(read: int, written: int, prices: Prices) -> float | None:
    """The cost of tokens; None without prices.

    >>> cost_of(1_000_000, 500_000, Prices(0.5, 4.0))
    2.5
    """
    if prices == Prices():
        return None
    return (read * (prices.read or 0.0) + written * (prices.written or 0.0)) / 1e6
