"""One training step: forward, backward, optimiser. On a GPU it is recorded once per shape and then replayed.

A small model on a large GPU spends most of a step waiting for Python to launch a few hundred small kernels; a CUDA
graph launches them all at once. Recording takes a tenth of a second per shape. Compiling takes half a minute, which is
longer than many trainings.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from similitude.errors import ArgumentError
from similitude.training.optimiser import Optimiser
from similitude.training.recipe import Precision
from similitude.training.training_setup import TrainingSetup

__all__ = ["Piece", "Stepper", "product_dtype"]

_SEEN_BEFORE_RECORDING = 2
_WARM_UPS = 2


class Piece(NamedTuple):
    """A part of a step, on the device.

    Attributes:
        items: positions.
        length: tokens per row.
        share: of the step's items.
    """

    items: Tensor
    length: int
    share: float


class _Recorded(NamedTuple):
    graph: Any
    items: Tensor
    loss: Tensor


class Stepper:
    """Runs steps, and records them as CUDA graphs if requested.

    Attributes:
        wrapped: the network as it is called: plain, compiled, or shared among processes.
        precision: of products.
        records: whether steps of a recurring shape are recorded.
    """

    def __init__(
        self, setup: TrainingSetup, wrapped: nn.Module, optimiser: Optimiser, precision: torch.dtype, *, records: bool
    ) -> None:
        self.setup, self.wrapped, self.optimiser, self.precision = setup, wrapped, optimiser, precision
        self.records = records
        self._recorded: dict[tuple[int, int], _Recorded] = {}
        self._seen: Counter[tuple[int, int]] = Counter()

    def step(self, pieces: list[Piece]) -> Tensor:
        """Update the weights once; returns the mean loss, on the device."""
        if self.records and len(pieces) == 1:
            shape = (len(pieces[0].items), pieces[0].length)
            self._seen[shape] += 1
            if self._seen[shape] > _SEEN_BEFORE_RECORDING and shape not in self._recorded:
                self._record(shape, pieces[0])
            if shape in self._recorded:
                return self._replay(self._recorded[shape], pieces[0])
        self.optimiser.clear()
        loss = torch.stack([self._backward(piece) for piece in pieces]).sum()
        self.optimiser.advance()
        return loss

    def _backward(self, piece: Piece) -> Tensor:
        device = piece.items.device.type
        autocast: Any = (
            nullcontext()
            if self.precision == torch.float32
            else torch.autocast(device, dtype=self.precision, cache_enabled=False)
        )
        with autocast:
            loss = self.setup.loss(self.wrapped, piece.items, piece.length) * piece.share
        loss.backward()
        return loss.detach()

    def _record(self, shape: tuple[int, int], piece: Piece) -> None:
        """Record a step of this shape; if the model cannot be recorded, stop recording."""
        randomness = torch.cuda.get_rng_state()
        items = piece.items.clone()
        own = Piece(items, piece.length, 1.0)
        self.optimiser.warm_up()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(_WARM_UPS):
                self._backward(own)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        pool = next(iter(self._recorded.values())).graph.pool() if self._recorded else None
        try:
            with torch.cuda.graph(graph, pool=pool):
                self.optimiser.clear()
                loss = self._backward(own)
                self.optimiser.advance()
        except RuntimeError:
            self.records = False
            torch.cuda.synchronize()
            return
        self._recorded[shape] = _Recorded(graph, items, loss)
        torch.cuda.set_rng_state(randomness)

    def _replay(self, recorded: _Recorded, piece: Piece) -> Tensor:
        recorded.items.copy_(piece.items, non_blocking=True)
        recorded.graph.replay()
        return recorded.loss


def product_dtype(precision: Precision, device: Any) -> torch.dtype:
    """The data type in which products are computed.

    Raises:
        ArgumentError: the device does not support it.
    """
    on_gpu = torch.device(device).type == "cuda"
    can = on_gpu and torch.cuda.is_bf16_supported()
    if precision == "bfloat16" and not can:
        raise ArgumentError(
            f"device '{device}' does not support training in bfloat16",
            remedy="use --precision auto, which is float32",
        )
    return torch.bfloat16 if precision != "float32" and can else torch.float32
