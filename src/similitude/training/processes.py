"""Several GPUs, through accelerate: each process computes its share of every step, and gradients are averaged.

Started with ``accelerate launch --num-processes N -m similitude train ...``. Without it, one process does it all and
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

Told = TypeVar("Told")


@dataclass(frozen=True, slots=True)
class Processes:
    """Who trains together.

    Attributes:
        count: processes.
        rank: which one this is, from 0; the first one validates and saves.
        accelerator: of accelerate, where there are several.
    """

    count: int = 1
    rank: int = 0
    accelerator: Any = None

    @classmethod
    def here(cls) -> Processes:
        """As accelerate launched us; one process alone where it did not.

        Raises:
            MissingExtraError: there are several processes, but accelerate is not installed.
            ArgumentError: accelerate does not see the others, so that all would write the same files.
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
        """Whether this process is the one that saves."""
        return self.rank == 0

    def share(self, network: nn.Module) -> nn.Module:
        """The network, its gradients averaged over all processes."""
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
        """Units by turns. Where they do not come out even, the last ones are seen by two processes."""
        units = items.reshape(-1, unit)
        if len(units) < self.count:
            units = units.repeat(self.count, 1)
        each = -(-len(units) // self.count)
        start = min(self.rank * each, len(units) - each)
        return units[start : start + each].reshape(-1)

    def from_first(self, compute: Callable[[], Told]) -> Told:
        """What the first process computes, told to all."""
        if self.count == 1:
            return compute()
        told = import_module("accelerate.utils").broadcast_object_list([compute() if self.is_first else None])
        if told[0] is None:
            raise ArgumentError("the first process told nothing", remedy="start the training again")
        found: Told = told[0]
        return found
