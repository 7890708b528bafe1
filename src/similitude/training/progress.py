"""Where a training stands, and where that is kept from one process to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

__all__ = ["Checkpoints", "Epoch", "TrainingProgress"]


class Epoch(NamedTuple):
    """The result of one epoch.

    Attributes:
        epoch: counted from 1.
        loss: mean over its items.
        figures: of the validation, by name; the first one selects the best epoch.
        is_best: whether it is better than all epochs before it.
        lr: the learning rate at its end.
        items: seen in it.
        training_seconds: without validation.
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
        """The figure that selects the best epoch."""
        return next(iter(self.figures.values()))

    def record(self) -> dict[str, Any]:
        """Ready for JSON; nan becomes null."""
        record = {**self._asdict(), **self.figures}
        del record["figures"]
        return {name: None if value != value else value for name, value in record.items()}


@dataclass
class TrainingProgress:
    """The state of a training; resumed from it, a training ends with the same weights.

    Attributes:
        epoch: the current one, counted from 0.
        step: the next one in that epoch.
        losses: of the steps of that epoch so far.
        curve: mean loss of every step of the epochs before.
        history: the epochs before.
        tokens: the most that are computed at a time since memory ran out; None for no limit.
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
        """The number of epochs since the best one."""
        marks = [epoch.is_best for epoch in self.history]
        return len(marks) - 1 - max((place for place, is_best in enumerate(marks) if is_best), default=-1)


class Checkpoints(Protocol):
    """Keeps a training from one process to the next; whatever it keeps is complete or absent."""

    def load(self) -> TrainingProgress | None:
        """The progress that was saved last; None if there is none."""
        ...

    def save(self, progress: TrainingProgress) -> None:
        """Save where the training stands."""

    def keep_best(self, weights: dict[str, Any]) -> None:
        """Save the weights of the best epoch so far."""

    def publish(self, progress: TrainingProgress) -> None:
        """Write the figures so far where people can read them."""
