"""One training step: forward, backward, optimiser. On a GPU it is recorded once per shape and then replayed.

A small model on a large GPU spends most of a step waiting for Python to launch a few hundred small kernels; a CUDA
graph launches them all at once. Recording takes a tenth of a second per shape. Compiling takes half a minute, which is
longer than many trainings. A model that cannot be recorded is reported, and its steps are launched one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from similitude.errors import ArgumentError
from similitude.models.encoders.fused_layers import has_triton
from similitude.training.half_twin import HalfTwin
from similitude.training.optimiser import Optimiser
from similitude.training.recipe import Precision
from similitude.training.training_setup import TrainingSetup
from similitude.training.twin_update import TwinUpdate

__all__ = ["Piece", "Stepper", "product_dtype"]

_SEEN_BEFORE_RECORDING = 1
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
        twin: computes in place of the network; None for none.
        note: is told if a step cannot be recorded.
    """

    def __init__(
        self,
        setup: TrainingSetup,
        wrapped: nn.Module,
        optimiser: Optimiser,
        precision: torch.dtype,
        *,
        records: bool,
        twin: HalfTwin | None = None,
        note: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.setup, self.wrapped, self.optimiser, self.precision = setup, wrapped, optimiser, precision
        self.records, self.twin, self.note = records, twin, note
        self.twin_update = TwinUpdate(optimiser, twin) if twin is not None and records and has_triton() else None
        self._has_begun = False
        self._recorded: dict[tuple[int, int], _Recorded] = {}
        self._seen: Counter[tuple[int, int]] = Counter()

    def step(self, pieces: list[Piece]) -> Tensor:
        """Update the weights once; returns the mean loss, on the device."""
        if self.twin is not None and not self._has_begun:
            self.twin.receive_weights()
        self._has_begun = True
        loss = self._update(pieces)
        self.optimiser.average()
        return loss

    def _update(self, pieces: list[Piece]) -> Tensor:
        if self.records and len(pieces) == 1:
            shape = (len(pieces[0].items), pieces[0].length)
            self._seen[shape] += 1
            if self._seen[shape] > _SEEN_BEFORE_RECORDING and shape not in self._recorded:
                self._record(shape, pieces[0])
            if shape in self._recorded:
                return self._replay(self._recorded[shape], pieces[0])
        return self._compute(pieces)

    def _compute(self, pieces: list[Piece]) -> Tensor:
        if self.twin is None:
            self.optimiser.clear()
            loss = torch.stack([self._backward(piece) for piece in pieces]).sum()
            self.optimiser.advance()
            return loss
        self.twin.clear()  # of what is left if memory ran out, or recording failed, in a backward pass
        if self.twin_update is not None and len(pieces) == 1:
            loss = self._backward(pieces[0])
            self.twin_update.advance()
            return loss
        loss = self._twin_gradient(self.twin, pieces)
        self.optimiser.advance()
        self.twin.receive_weights()
        return loss

    def _twin_gradient(self, twin: HalfTwin, pieces: list[Piece]) -> Tensor:
        """Sum up the gradient of all pieces in the network, in float32; returns the mean loss."""
        losses = []
        for number, piece in enumerate(pieces):
            losses.append(self._backward(piece))
            twin.give_gradient(is_first=number == 0)
            twin.clear()
        return torch.stack(losses).sum()

    def _backward(self, piece: Piece) -> Tensor:
        network = self.wrapped if self.twin is None else self.twin.network
        device = piece.items.device.type
        autocast: Any = (
            nullcontext()
            if self.precision == torch.float32
            else torch.autocast(device, dtype=self.precision, cache_enabled=not self.records)
        )
        with autocast:
            loss = self.setup.loss(network, piece.items, piece.length) * piece.share
        loss.backward()
        return loss.detach()

    def _record(self, shape: tuple[int, int], piece: Piece) -> None:
        """Record a step of this shape; if the model cannot be recorded, say so and stop recording."""
        randomness = torch.cuda.get_rng_state()
        items = piece.items.clone()
        own = [Piece(items, piece.length, 1.0)]
        graph = torch.cuda.CUDAGraph()
        pool = next(iter(self._recorded.values())).graph.pool() if self._recorded else None
        try:
            self._warm_up(own)
            with torch.cuda.graph(graph, pool=pool):
                loss = self._compute(own)
        except RuntimeError as error:
            self.records = False
            torch.cuda.synchronize()
            self.note(
                "this model's training steps cannot be recorded as CUDA graphs and are launched one by one, "
                f"which is slower for small batches ({_first_line(error)})"
            )
            return
        self._recorded[shape] = _Recorded(graph, items, loss)
        torch.cuda.set_rng_state(randomness)

    def _warm_up(self, pieces: list[Piece]) -> None:
        """Compute a gradient beside the main stream, once more for the first shape: libraries choose their kernels."""
        self.optimiser.warm_up()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(1 if self._recorded else _WARM_UPS):
                self._backward(pieces[0])
                self._drop_gradient()
        torch.cuda.current_stream().wait_stream(side)

    def forget(self) -> None:
        """Drop all recordings, which hold memory; steps of other shapes follow."""
        self._recorded.clear()
        self._seen.clear()

    def _drop_gradient(self) -> None:
        if self.twin is None:
            self.optimiser.clear()
        else:
            self.twin.clear()

    def _replay(self, recorded: _Recorded, piece: Piece) -> Tensor:
        recorded.items.copy_(piece.items, non_blocking=True)
        recorded.graph.replay()
        return recorded.loss


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__


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
