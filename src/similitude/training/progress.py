"""Where a training stands, and where that is kept between one process and the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

__all__ = ["Epoch", "Shelf", "TrainingProgress"]


class Epoch(NamedTuple):
    """What came of one epoch.

    Attributes:
        epoch: counted from 1.
        loss: mean over its items.
        figures: of the validation, by name; the first one decides.
        is_best: whether no epoch before was as good.
        lr: the rate at its end.
        items: seen in it.
        training_seconds: without validation.
        validation_seconds: of it.
    """

    epoch: int
    loss: float
    figures: dict[str, float]
    is_best: bool
    lr: float
    items: int
    training_seconds: float
    validation_seconds: float

    @property
    def figure(self) -> float:
        """The one that decides."""
        return next(iter(self.figures.values()))

    def record(self) -> dict[str, Any]:
        """Ready for JSON; what is no number is null."""
        record = {**self._asdict(), **self.figures}
        del record["figures"]
        return {name: None if value != value else value for name, value in record.items()}


@dataclass
class TrainingProgress:
    """Where a training stands: it goes on from here to the same end.

    Attributes:
        epoch: at work, counted from 0.
        step: the next one in that epoch.
        losses: of the steps of that epoch so far.
        curve: mean loss of every step of the epochs before.
        history: the epochs before.
        tokens: that are computed at a time, since memory ran out; None for no limit.
        seconds: spent in this epoch before.
        weights: of the network and the optimiser, as torch saves them.
    """

    epoch: int = 0
    step: int = 0
    losses: list[float] = field(default_factory=list)
    curve: list[float] = field(default_factory=list)
    history: list[Epoch] = field(default_factory=list)
    tokens: int | None = None
    seconds: float = 0.0
    weights: dict[str, Any] = field(default_factory=dict)

    @property
    def best(self) -> float:
        """The best figure so far."""
        known = [epoch.figure for epoch in self.history if epoch.figure == epoch.figure]
        return max(known, default=float("-inf"))

    def since_best(self) -> int:
        """Epochs since the best one."""
        marks = [epoch.is_best for epoch in self.history]
        return len(marks) - 1 - max((place for place, is_best in enumerate(marks) if is_best), default=-1)


class Shelf(Protocol):
    """Keeps a training from one process to the next. Each thing is there whole or not at all."""

    def load(self) -> TrainingProgress | None:
        """Where the training stood when it was saved last; None if it never was."""
        ...

    def save(self, progress: TrainingProgress) -> None:
        """Keep where it stands."""

    def keep_best(self, weights: dict[str, Any]) -> None:
        """Keep the weights of the best epoch so far."""

    def tell(self, progress: TrainingProgress) -> None:
        """Keep the figures so far, for people."""
