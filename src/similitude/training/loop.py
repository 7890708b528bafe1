"""The training loop: steps, validation after each epoch, checkpoints; an interrupted training resumes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import nn

from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, EstimationError
from similitude.models.batch_executor import is_out_of_memory
from similitude.models.encoders.fused_layers import fuse_layers, has_triton
from similitude.training.adapters import fill_weights, fuse_adapters, learned_weights
from similitude.training.batches import Batcher, Step
from similitude.training.half_twin import HalfTwin, has_room_for_twin
from similitude.training.optimiser import Optimiser
from similitude.training.processes import Processes
from similitude.training.progress import Checkpoints, Epoch, TrainingProgress
from similitude.training.recipe import Recipe, rate_at
from similitude.training.stepper import Piece, Stepper, product_dtype
from similitude.training.training_setup import TrainingSetup

__all__ = ["train"]

_CHECK_STEPS = 64
"""Steps between two checks of the loss; each check waits for the device."""

_REPORT_SECONDS = 0.2

_SMALL = 64_000_000
"""Bytes of weights up to which every epoch ends with a checkpoint."""

_PAUSE = 20
"""Larger ones are written at the end of an epoch if this many times the time that the last one took has passed."""


def train(
    setup: TrainingSetup, recipe: Recipe, checkpoints: Checkpoints, listener: Listener | None = None
) -> TrainingProgress:
    """Train a network, from the start or from its last checkpoint.

    Steps, their order and dropout depend only on the seed, the epoch and the step, so a training that was interrupted
    takes the same steps as one that was not.

    Args:
        setup: network and data. The network is modified; at the end it holds the last weights.
        recipe: the hyperparameters.
        checkpoints: where progress and the best weights are saved.
        listener: is told the progress.

    Returns:
        The figures of every epoch. `checkpoints` holds the best weights.

    Raises:
        EstimationError: the loss is not a number.
        ArgumentError: one unit of items does not fit into memory.
    """
    return _Training(setup, recipe, checkpoints, listener).run()


class _Training:
    def __init__(
        self, setup: TrainingSetup, recipe: Recipe, checkpoints: Checkpoints, listener: Listener | None
    ) -> None:
        self.setup, self.recipe, self.checkpoints, self.listener = setup, recipe, checkpoints, listener
        self.device = next(setup.network.parameters()).device
        self.processes = Processes.here()
        self.steps_an_epoch = setup.batcher.count()
        self.optimiser = Optimiser(setup.network, recipe, self.steps_an_epoch)
        network: nn.Module = setup.network
        if recipe.compiled:
            network.compile(dynamic=True)
        precision = product_dtype(recipe.precision, self.device)
        is_alone = not recipe.compiled and self.processes.count == 1
        has_twin = is_alone and precision != torch.float32 and has_room_for_twin(network, self.device)
        self.stepper = Stepper(
            setup,
            self.processes.share(network),
            self.optimiser,
            precision,
            records=self.device.type == "cuda" and is_alone,
            twin=self._twin(precision) if has_twin else None,
            note=self._note,
        )
        self.progress = TrainingProgress(tokens=recipe.tokens)
        self._saved_at = self._reported_at = time.monotonic()
        self._pause = 0.0
        self._best: dict[str, Any] | None = None

    def _twin(self, precision: torch.dtype) -> HalfTwin:
        twin = HalfTwin(self.setup.network, precision)
        fuse_adapters(twin.network)
        if has_triton():
            fuse_layers(twin.transformer)
        return twin

    def run(self) -> TrainingProgress:
        self._resume()
        try:
            with _forked_randomness(self.device), _without_cudnn_attention():
                while self.progress.epoch < self.recipe.epochs and not self._is_over():
                    self._epoch()
        finally:
            self._write_best()
        return self.progress

    def _is_over(self) -> bool:
        return bool(self.recipe.patience and self.progress.since_best() >= self.recipe.patience)

    def _resume(self) -> None:
        found = self.checkpoints.load()
        if found is None:
            return
        self.progress = found
        fill_weights(self.setup.network, found.weights["network"])
        self.optimiser.load(found.weights["optimiser"])
        found.weights = {}

    def _epoch(self) -> None:
        progress = self.progress
        started = time.monotonic()
        self.setup.network.train()
        steps = self.setup.batcher.steps(progress.epoch, progress.tokens)
        losses = torch.full((len(steps),), float("nan"), device=self.device)
        losses[: progress.step] = torch.tensor(progress.losses, device=self.device)
        order = self._order(steps)
        seen = sum(step.size for step in steps[: progress.step])
        for number in range(progress.step, len(steps)):
            losses[number] = self._step(steps[number], order, seen, number)
            seen += steps[number].size
            progress.step = number + 1
            self._report(seen, len(self.setup.gold))
            self._check_and_save(losses, started)
        self._check(losses, len(steps))
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        seconds = progress.seconds + time.monotonic() - started
        self._finish_epoch(steps, losses.tolist(), seconds)

    def _order(self, steps: list[Step]) -> torch.Tensor:
        """The items of the whole epoch, copied to the device at once."""
        items = torch.from_numpy(np.concatenate([part.items for step in steps for part in step.parts]))
        if self.device.type != "cuda":
            return items.to(self.device)
        return items.pin_memory().to(self.device, non_blocking=True)

    def _step(self, step: Step, order: torch.Tensor, start: int, number: int) -> torch.Tensor:
        done = self.progress.epoch * self.steps_an_epoch + number
        rate = rate_at(self.recipe, done, self.recipe.epochs * self.steps_an_epoch)
        self.optimiser.prepare(self.recipe.peak_rate * rate, done)
        pieces = list(_pieces(step, order, start))
        while True:
            torch.manual_seed(hash((self.recipe.seed, done, self.processes.rank)) & 0x7FFF_FFFF_FFFF_FFFF)
            fitting = list(_split(pieces, self.progress.tokens, self.setup.batcher))
            try:
                return self.stepper.step(self.processes.own(fitting, self.setup.batcher.unit))
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
            self._halve(fitting)

    def _halve(self, pieces: list[Piece]) -> None:
        """Halve the size of the parts of this and all later steps, after memory ran out.

        Raises:
            ArgumentError: they cannot be smaller.
        """
        self.stepper.forget()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        unit, rows = self.setup.batcher.unit, self.setup.batcher.rows
        largest = max(pieces, key=lambda piece: len(piece.items) * piece.length)
        room = len(largest.items) // 2 // unit * unit
        if not room:
            raise ArgumentError(
                f"not enough memory to train on {unit * rows} texts of {largest.length} tokens, the smallest batch",
                remedy="use a smaller model, shorter texts, or a GPU with more memory",
            )
        self.progress.tokens = room * rows * largest.length
        self._note(
            f"memory ran out with {len(largest.items)} items of {largest.length} tokens at a time; from here on, steps "
            f"are computed in parts of at most {self.progress.tokens:,} tokens ({room} such items), with the same "
            f"gradient; to start with that, use --tokens {self.progress.tokens}"
        )

    def _check_and_save(self, losses: torch.Tensor, started: float) -> None:
        """Check the loss every 64 steps, and save a checkpoint if it is time."""
        step = self.progress.step
        if step % _CHECK_STEPS == 0:
            self._check(losses, step)
        if time.monotonic() - self._saved_at > self.recipe.checkpoint_seconds and step < len(losses):
            self._check(losses, step)
            before, self.progress.seconds = self.progress.seconds, self.progress.seconds + time.monotonic() - started
            self.progress.losses = losses[:step].tolist()
            self._save()
            self.progress.seconds = before

    def _check(self, losses: torch.Tensor, until: int) -> None:
        finite = torch.isfinite(losses[:until])
        if bool(finite.all()):
            return
        first = int((~finite).nonzero()[0])
        done = self.progress.epoch * self.steps_an_epoch + first
        rate = self.recipe.peak_rate * rate_at(self.recipe, done, self.recipe.epochs * self.steps_an_epoch)
        kept = "the best earlier epoch is kept" if self.progress.history else "no epoch was finished before that"
        raise EstimationError(
            f"the loss is not a number at step {first + 1} of {len(losses)} in epoch {self.progress.epoch + 1} "
            f"(learning rate {rate:.2g}); {kept}",
            remedy="lower --lr, or train with --precision float32",
        )

    def _finish_epoch(self, steps: list[Step], losses: list[float], seconds: float) -> None:
        progress, started = self.progress, time.monotonic()
        with self._averaged():
            figures = dict(self.processes.from_first(lambda: self.setup.validate(self.setup.network)))
            first = next(iter(figures.values()))
            is_best = first > progress.best
            if (is_best or not progress.history) and self.processes.is_first:
                self._best = _on_host(self.setup.network)
        sizes = [step.size for step in steps]
        last = (progress.epoch + 1) * self.steps_an_epoch - 1
        progress.history.append(
            Epoch(
                epoch=progress.epoch + 1,
                loss=float(np.average(losses, weights=sizes)),
                figures=figures,
                is_best=is_best,
                lr=self.recipe.peak_rate * rate_at(self.recipe, last, self.recipe.epochs * self.steps_an_epoch),
                items=sum(sizes),
                training_seconds=round(seconds, 3),
                validation_seconds=round(time.monotonic() - started, 3),
            )
        )
        progress.curve += losses
        progress.epoch, progress.step, progress.losses, progress.seconds = progress.epoch + 1, 0, [], 0.0
        if time.monotonic() - self._saved_at >= self._pause:
            self._save()
        elif self.processes.is_first:
            self.checkpoints.publish(progress)

    @contextmanager
    def _averaged(self) -> Iterator[None]:
        """Put the averaged weights into the network, in evaluation mode, and restore its own afterwards."""
        weights = [weight.detach() for weight in self.optimiser.weights]
        own = [weight.clone() for weight in weights]
        with torch.no_grad():
            torch._foreach_copy_(weights, self.optimiser.averaged())
            self.setup.network.eval()
            try:
                yield
            finally:
                torch._foreach_copy_(weights, own)

    def _save(self) -> None:
        self._saved_at = started = time.monotonic()
        if not self.processes.is_first:
            return
        self._write_best()
        weights = learned_weights(self.setup.network)
        self.progress.weights = {"network": weights, "optimiser": self.optimiser.state()}
        self.checkpoints.save(self.progress)
        self.checkpoints.publish(self.progress)
        self.progress.weights = {}
        if sum(weight.nbytes for weight in weights.values()) > _SMALL:
            self._pause = min(_PAUSE * (time.monotonic() - started), self.recipe.checkpoint_seconds)

    def _write_best(self) -> None:
        """Write the weights of the best epoch, if that was not done yet; before the checkpoint that counts it."""
        if self._best is not None:
            self.checkpoints.keep_best(self._best)
        self._best = None

    def _report(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.listener is not None and (now - self._reported_at > _REPORT_SECONDS or done == total):
            self._reported_at = now
            self.listener.progress(f"epoch {self.progress.epoch + 1} of {self.recipe.epochs}", done, total)

    def _note(self, text: str) -> None:
        if self.listener is not None:
            self.listener.note(text)


def _pieces(step: Step, order: torch.Tensor, start: int) -> Iterator[Piece]:
    for part in step.parts:
        size = len(part.items)
        yield Piece(order[start : start + size], part.length, size / step.size)
        start += size


def _split(pieces: list[Piece], tokens: int | None, batcher: Batcher) -> Iterator[Piece]:
    """Pieces of at most this many tokens and at least one unit of items."""
    total = sum(len(piece.items) for piece in pieces)
    for piece in pieces:
        for part in piece.items.split(batcher.room(piece.length, len(piece.items), tokens)):
            yield Piece(part, piece.length, len(part) / total)


def _on_host(network: nn.Module) -> dict[str, Any]:
    return {name: value.detach().to("cpu", copy=True).contiguous() for name, value in learned_weights(network).items()}


@contextmanager
def _without_cudnn_attention() -> Iterator[None]:
    """Disable cuDNN attention: its bfloat16 gradients are nan for some padded batches (torch 2.11, H200)."""
    was_on = torch.backends.cuda.cudnn_sdp_enabled()
    torch.backends.cuda.enable_cudnn_sdp(False)
    try:
        yield
    finally:
        torch.backends.cuda.enable_cudnn_sdp(was_on)


@contextmanager
def _forked_randomness(device: torch.device) -> Iterator[None]:
    """Restore the random state afterwards, so that seeds set inside do not affect other code."""
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        yield
