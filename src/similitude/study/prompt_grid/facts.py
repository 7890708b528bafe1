"""What became of one cell's questions: answers that could be read, tokens, costs, favoured places."""

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
from similitude.study.prompt_grid.cells import Asking, Cell
from similitude.systems.prompted.cost_estimate import Prices
from similitude.systems.prompted.position_bias import PositionBias
from similitude.systems.prompted.system import Prompted
from similitude.systems.prompted.tally import AnswerTally

__all__ = ["Facts", "FactsFolder", "Witness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What became of the questions of a cell, those answered before and kept included.

    Attributes:
        tally: of answers; nothing counted where given texts were weighed.
        read: tokens that the model read.
        written: tokens that it wrote.
        is_estimate: whether tokens were counted or estimated beforehand, and not told by the model.
        cost: at the prices given; None where there are none.
        bias: how often each place was chosen; None where nothing was chosen.
    """

    tally: AnswerTally
    read: int
    written: int
    is_estimate: bool
    cost: float | None
    bias: PositionBias | None = None

    @classmethod
    def of(cls, system: Asking, items: Items, tally: AnswerTally, bias: PositionBias | None) -> Facts:
        """From what the system tells, and, where it tells no tokens, from an estimate."""
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
        """What `record` described."""
        told = dict(record)
        bias, tally = told.pop("bias"), AnswerTally(**told.pop("tally"))
        if bias is not None:
            p_value = float("nan") if bias["p_value"] is None else bias["p_value"]
            bias = PositionBias(bias["questions"], tuple(bias["counts"]), bias["chi_square"], p_value)
        return cls(tally=tally, bias=bias, **told)


class Witness:
    """A system that tells what became of its questions, whenever it has scored items."""

    summary: ClassVar[str] = "tells what became of its questions"

    def __init__(self, system: Asking, tell: Callable[[Facts], None]) -> None:
        self._system, self._tell = system, tell

    @property
    def range(self) -> Scale | None:
        """That of the system."""
        return self._system.range

    @property
    def reads(self) -> frozenset[str]:
        """What the system reads."""
        return self._system.reads

    @property
    def identity(self) -> Spec:
        """That of the system."""
        return self._system.identity

    def with_listener(self, listener: Listener) -> Witness:
        """The same, heard by this listener."""
        return Witness(self._system.with_listener(listener), self._tell)

    def score(self, items: Items) -> Predictions:
        """What the system says."""
        system = self._system
        if isinstance(system, Prompted):
            judged = system.judge(items)
            self._tell(Facts.of(system, items, judged.tally, None))
            return judged.predictions
        chosen = system.choose(items)
        self._tell(Facts.of(system, items, chosen.tally, chosen.bias))
        return chosen.predictions


class FactsFolder:
    """Facts on disk, in the folder of the run: one file a cell."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def recall(self, cell: Cell) -> Facts | None:
        """What is known of a cell; None where nothing is."""
        path = self._folder.path / self._file(cell)
        try:
            return Facts.from_record(json.loads(path.read_text(encoding="utf-8"))["facts"])
        except (OSError, ValueError, KeyError, TypeError):
            return None  # not there, or damaged: found out again

    def remember(self, cell: Cell, facts: Facts) -> None:
        """Keep what is known of a cell."""
        content = {"system": str(cell.system.identity), "setting": dict(cell.setting), "facts": facts.record()}
        (self._folder.path / "cells").mkdir(parents=True, exist_ok=True)
        self._folder.write_json(str(self._file(cell)), content)

    def _file(self, cell: Cell) -> Path:
        """Changes with the system and its model, and not with what tables call it; what it is stands inside."""
        known = [str(cell.system.identity), cell.system.model_fingerprint()]
        return Path("cells") / f"{hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]}.json"


def cost_of(read: int, written: int, prices: Prices) -> float | None:
    """Of so many tokens; None where no price is known.

    >>> cost_of(1_000_000, 500_000, Prices(0.5, 4.0))
    2.5
    """
    if prices == Prices():
        return None
    return (read * (prices.read or 0.0) + written * (prices.written or 0.0)) / 1e6
