"""Training on several GPUs with accelerate: each process computes its share of every step; gradients are averaged.

Start it with ``accelerate launch --num-processes N -m similitude train ...``. Otherwise there is one process, and
accelerate is not needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from torch import nn

from similitude.errors import ArgumentError, MissingExtraError
from similitude.training.stepper import Piece

__all__ = ["Processes"]

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes that train together.

    Attributes:
        count: how many.
        rank: of this process, from 0; the first one validates and saves.
        accelerator: of accelerate; None for one process.
    """

    count: int = 1
    rank: int = 0
    accelerator: Any = None

    @classmethod
    def here(cls) -> Processes:
        """The processes that accelerate launched; one if it did not launch any.

        Raises:
            MissingExtraError: there are several processes and accelerate is not installed.
            ArgumentError: accelerate does not see the other processes, so that all would write the same files.
        """
        started = int(os.environ.get("WORLD_SIZE", "1"))
        if started < 2:
            return cls()
        try:
            accelerator = import_module("accelerate").Accelerator()
        except ImportError:
            raise MissingExtraError("accelerate", "encoders") from None
        if accelerator.num_processes != started:
            raise ArgumentError(
                f"{started} processes were started, but accelerate sees {accelerator.num_processes}",
                remedy="without GPUs, write accelerate launch --cpu",
            )
        return cls(accelerator.num_processes, accelerator.process_index, accelerator)

    @property
    def is_first(self) -> bool:
        """Whether this process saves."""
        return self.rank == 0

    def share(self, network: nn.Module) -> nn.Module:
        """The network, with gradients averaged over all processes."""
        if self.count == 1:
            return network
        shared: nn.Module = self.accelerator.prepare_model(network)
        return shared

    def own(self, pieces: list[Piece], unit: int) -> list[Piece]:
        """This process's share of a step's items."""
        if self.count == 1:
            return pieces
        return [Piece(self._slice(piece.items, unit), piece.length, piece.share) for piece in pieces]

    def _slice(self, items: Any, unit: int) -> Any:
        """As many units for each process; if they do not divide evenly, two processes share the last ones."""
        units = items.reshape(-1, unit)
        if len(units) < self.count:
            units = units.repeat(self.count, 1)
        each = -(-len(units) // self.count)
        start = min(self.rank * each, len(units) - each)
        return units[start : start + each].reshape(-1)

    def from_first(self, compute: Callable[[], Value]) -> Value:
        """The value that the first process computes, sent to all."""
        if self.count == 1:
            return compute()
        sent = import_module("accelerate.utils").broadcast_object_list([compute() if self.is_first else None])
        if sent[0] is None:
            raise ArgumentError("the first process sent nothing", remedy="start the training again")
        received: Value = sent[0]
        return received
