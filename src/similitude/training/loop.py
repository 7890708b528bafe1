"""The training loop: steps, validation after each epoch, the best weights kept, and a way back in after a kill."""

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
from similitude.training.adapters import fill_weights, learned_weights
from similitude.training.batches import Batcher, Step
from similitude.training.optimiser import Optimiser
from similitude.training.processes import Processes
from similitude.training.progress import Epoch, Shelf, TrainingProgress
from similitude.training.recipe import Recipe, rate_at
from similitude.training.stepper import Piece, Stepper, is_out_of_memory, products_in
from similitude.training.training_setup import TrainingSetup

__all__ = ["train"]

_CHECK_STEPS = 64
"""Steps between two looks at the loss: each look waits for the device."""

_TELL_SECONDS = 0.2

_RECORDED_WEIGHTS = 250_000_000
"""A larger model keeps a GPU busy without recorded steps, and each recorded shape would hold memory of its own."""


def train(setup: TrainingSetup, recipe: Recipe, shelf: Shelf, listener: Listener | None = None) -> TrainingProgress:
    """Train the network of a setup, from the start or from where the shelf says it was left.

    The steps, their order and what is left out by chance follow from the seed, the epoch and the step alone: a training
    that was killed and goes on takes the same steps as one that was not.

    Args:
        setup: what is learned. Its network is changed; at the end it holds the last weights.
        recipe: how.
        shelf: keeps where the training stands, and the best weights.
        listener: hears how far it is.

    Returns:
        Every epoch's figures. The best weights are on the shelf.

    Raises:
        EstimationError: the loss is not a number.
        ArgumentError: not even one unit of items fits into memory.
    """
    return _Training(setup, recipe, shelf, listener).run()


class _Training:
    def __init__(self, setup: TrainingSetup, recipe: Recipe, shelf: Shelf, listener: Listener | None) -> None:
        self.setup, self.recipe, self.shelf, self.listener = setup, recipe, shelf, listener
        self.device = next(setup.network.parameters()).device
        self.processes = Processes.here()
        self.steps_an_epoch = setup.batcher.count()
        self.optimiser = Optimiser(setup.network, recipe, self.steps_an_epoch)
        network: nn.Module = setup.network
        is_small = sum(weight.numel() for weight in network.parameters()) <= _RECORDED_WEIGHTS
        if recipe.compiled:
            network.compile(dynamic=True)
        self.stepper = Stepper(
            setup,
            self.processes.share(network),
            self.optimiser,
            products_in(recipe.precision, self.device),
            records=self.device.type == "cuda" and not recipe.compiled and self.processes.count == 1 and is_small,
        )
        self.progress = TrainingProgress(tokens=recipe.tokens)
        self._saved_at = self._told_at = time.monotonic()

    def run(self) -> TrainingProgress:
        self._resume()
        with _own_randomness(self.device), _trusted_attention():
            while self.progress.epoch < self.recipe.epochs and not self._is_over():
                self._epoch()
        return self.progress

    def _is_over(self) -> bool:
        return bool(self.recipe.patience and self.progress.since_best() >= self.recipe.patience)

    def _resume(self) -> None:
        found = self.shelf.load()
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
            self._tell(seen, len(self.setup.gold))
            self._look(losses, started)
        self._check(losses, len(steps))
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        seconds = progress.seconds + time.monotonic() - started
        self._finish_epoch(steps, losses.tolist(), seconds)

    def _order(self, steps: list[Step]) -> torch.Tensor:
        """The items of the whole epoch on the device, in one copy."""
        items = torch.from_numpy(np.concatenate([part.items for step in steps for part in step.parts]))
        if self.device.type != "cuda":
            return items.to(self.device)
        return items.pin_memory().to(self.device, non_blocking=True)

    def _step(self, step: Step, order: torch.Tensor, start: int, number: int) -> torch.Tensor:
        done = self.progress.epoch * self.steps_an_epoch + number
        rate = rate_at(self.recipe, done, self.recipe.epochs * self.steps_an_epoch)
        self.optimiser.prepare(self.recipe.lr * rate, done)
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
        """After memory ran out: this step and all that follow in parts of half the size.

        Raises:
            ArgumentError: they cannot be smaller.
        """
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        unit, rows = self.setup.batcher.unit, self.setup.batcher.rows
        largest = max(pieces, key=lambda piece: len(piece.items) * piece.length)
        room = len(largest.items) // 2 // unit * unit
        if not room:
            raise ArgumentError(
                f"not enough memory to train on {unit * rows} texts of {largest.length} tokens, the smallest batch",
                remedy="take a smaller model, shorter texts, or a GPU with more memory",
            )
        self.progress.tokens = room * rows * largest.length
        self._note(
            f"memory ran out with {len(largest.items)} items of {largest.length} tokens at a time: steps are computed "
            f"in parts of at most {self.progress.tokens:,} tokens, {room} such items, with the same gradient; "
            f"--tokens {self.progress.tokens} starts with that"
        )

    def _look(self, losses: torch.Tensor, started: float) -> None:
        """Now and then: is the loss a number still, and is it time to save?"""
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
        rate = self.recipe.lr * rate_at(self.recipe, done, self.recipe.epochs * self.steps_an_epoch)
        kept = "the best epoch before it is kept" if self.progress.history else "no epoch was finished before it"
        raise EstimationError(
            f"the loss is not a number at step {first + 1} of {len(losses)} in epoch {self.progress.epoch + 1} "
            f"(learning rate {rate:.2g}); {kept}",
            remedy="lower --lr, or train with --dtype float32",
        )

    def _finish_epoch(self, steps: list[Step], losses: list[float], seconds: float) -> None:
        progress, started = self.progress, time.monotonic()
        with self._averaged():
            figures = dict(self.processes.from_first(lambda: self.setup.validate(self.setup.network)))
            first = next(iter(figures.values()))
            is_best = first > progress.best
            if (is_best or not progress.history) and self.processes.is_first:
                self.shelf.keep_best(_on_host(self.setup.network))
        sizes = [step.size for step in steps]
        last = (progress.epoch + 1) * self.steps_an_epoch - 1
        progress.history.append(
            Epoch(
                epoch=progress.epoch + 1,
                loss=float(np.average(losses, weights=sizes)),
                figures=figures,
                is_best=is_best,
                lr=self.recipe.lr * rate_at(self.recipe, last, self.recipe.epochs * self.steps_an_epoch),
                items=sum(sizes),
                training_seconds=round(seconds, 3),
                validation_seconds=round(time.monotonic() - started, 3),
            )
        )
        progress.curve += losses
        progress.epoch, progress.step, progress.losses, progress.seconds = progress.epoch + 1, 0, [], 0.0
        self._save()

    @contextmanager
    def _averaged(self) -> Iterator[None]:
        """The network with the averaged weights, in evaluation mode; its own come back afterwards."""
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
        self._saved_at = time.monotonic()
        if not self.processes.is_first:
            return
        self.progress.weights = {
            "network": learned_weights(self.setup.network),
            "optimiser": self.optimiser.state(),
        }
        self.shelf.save(self.progress)
        self.shelf.publish(self.progress)
        self.progress.weights = {}

    def _tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.listener is not None and (now - self._told_at > _TELL_SECONDS or done == total):
            self._told_at = now
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
    """Pieces of so many tokens at most, and one unit of items at least."""
    total = sum(len(piece.items) for piece in pieces)
    for piece in pieces:
        for part in piece.items.split(batcher.room(piece.length, len(piece.items), tokens)):
            yield Piece(part, piece.length, len(part) / total)


def _on_host(network: nn.Module) -> dict[str, Any]:
    return {name: value.detach().to("cpu", copy=True).contiguous() for name, value in learned_weights(network).items()}


@contextmanager
def _trusted_attention() -> Iterator[None]:
    """Without the attention of cuDNN: its bfloat16 gradients are nan for some padded batches (torch 2.11, H200)."""
    was_on = torch.backends.cuda.cudnn_sdp_enabled()
    torch.backends.cuda.enable_cudnn_sdp(False)
    try:
        yield
    finally:
        torch.backends.cuda.enable_cudnn_sdp(was_on)


@contextmanager
def _own_randomness(device: torch.device) -> Iterator[None]:
    """Seeds set inside do not change what others draw afterwards."""
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        yield
