"""The job of training, whatever is learned: open, read, learn, choose what to keep, export with a card."""

from __future__ import annotations

import copy
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.data.listeners import NamedListener
from similitude.data.protocols import Listener
from similitude.data.versions import versions
from similitude.errors import EstimationError, SimilitudeError
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles, resolve
from similitude.training.dataset_tensors import PreparedTraining
from similitude.training.folder import TrainingFolder
from similitude.training.progress import TrainingProgress
from similitude.training.recipe import ADAPTER_RATE, usual_rate
from similitude.training.request import TrainingRequest
from similitude.training.trained_model import Trained, recalled
from similitude.training.trainer_protocol import Trainer, TrainingSettlement, Weights

if TYPE_CHECKING:
    from similitude.training.course import Course

__all__ = ["is_first_process", "run_training"]

ORGANISATION = "sentence-transformers"


def run_training(
    subject: Trainer, request: TrainingRequest, out: str | Path, listener: Listener | None = None
) -> Trained:
    """Train a model and save it in a folder; go on with it where the folder holds the same training, unfinished.

    Args:
        subject: what is learned.
        request: from which backbone, how, and how often.
        out: the folder.
        listener: hears how far it is.

    Raises:
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before is exported.
        MissingExtraError: torch is not installed.
    """
    folder = TrainingFolder(Path(out))
    source = resolve(request.model, None, ORGANISATION)
    is_new = is_first_process() and folder.claim(subject.plan(source))
    before = folder.finished()
    if before is not None:
        return recalled(folder, subject.name, before)
    try:
        subject.gather(folder)
        job = _Job(folder, request, source, subject, listener)
        job.open()
    except SimilitudeError:
        if is_new:  # what was asked for cannot be done: the folder is free for what will be asked for instead
            folder.disclaim()
        raise
    return job.run()


class _Job:
    """One training: the network and the tokens are made once, and shared by all seeds."""

    def __init__(
        self,
        folder: TrainingFolder,
        request: TrainingRequest,
        source: ModelFiles,
        subject: Trainer,
        listener: Listener | None,
    ) -> None:
        self.folder, self.request, self.source = folder, request, source
        self.subject, self.listener = subject, listener
        self.recipe = request.recipe
        self.notes, self.seconds = list(subject.notes), {"loading": 0.0, "tokenising": 0.0}
        self.teachers: dict[str, Any] | None = None

    def run(self) -> Trained:
        from similitude.training.adapters import fill_weights, learned_weights

        self._tell("tokenising")
        course = self._taught(self._prepared())
        network = self.opened.network
        first = {name: value.detach().clone() for name, value in learned_weights(network).items()}
        done: dict[int, TrainingProgress] = {}
        for seed in self.request.trainings:
            fill_weights(network, first)
            self.subject.start(network, seed)
            done[seed] = self._one(course, seed)
        if not is_first_process():  # the first one chooses and writes; its files may be gone before we look
            best = max((epoch for one in done.values() for epoch in one.history), key=lambda epoch: epoch.figure)
            return self._trained(done, self._record(TrainingSettlement(dict(best.figures), {})))
        return self._export(course, done, self._kept(course, done))

    def open(self) -> None:
        """Make the network, which is when it turns out whether the model can be read as asked."""
        import torch

        from similitude.training.adapters import has_adapters

        self._tell("loading the model")
        started = time.monotonic()
        how = LoadOptions(self.source, self.request.device or _own_device(), "float32")
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.recipe.seed)
            self.opened: OpenedNetwork = self.subject.open(how)
        if self.recipe.lr is None:
            weights = sum(weight.numel() for weight in self.opened.network.parameters())
            rate = ADAPTER_RATE if has_adapters(self.opened.network) else usual_rate(weights)
            self.recipe = replace(self.recipe, lr=rate)
        self.seconds["loading"] = time.monotonic() - started

    def _prepared(self) -> PreparedTraining:
        started = time.monotonic()
        prepared = self.subject.prepare(self.opened, self.recipe)
        self.seconds["tokenising"] = time.monotonic() - started
        if prepared.cut:
            self.notes.append(
                f"{prepared.cut:,} of {prepared.texts:,} texts were cut to the {self.opened.reader.longest:,} tokens "
                "that the model reads at most"
            )
        return prepared

    def _taught(self, prepared: PreparedTraining) -> Course:
        """The course as it is, or with what teachers say of it."""
        taught = self.subject.teach(prepared, self.recipe, self.folder, self.listener)
        if taught is None:
            return prepared.course
        self.seconds["teaching"], self.teachers = taught.seconds, taught.record
        self.notes.append(taught.note)
        self.listener = NamedListener(self.listener, name="student")
        return taught.course

    def _one(self, course: Course, seed: int) -> TrainingProgress:
        from similitude.training.loop import train

        shelf = self.folder.shelf(seed)
        own = replace(course, batcher=replace(course.batcher, seed=seed))
        try:
            return train(own, replace(self.recipe, seed=seed), shelf, self.listener)
        except EstimationError:
            best = shelf.load_best()
            if best is not None and is_first_process():
                self.notes.append("stopped early: the loss was not a number; this is the best epoch before that")
                self._export(course, {seed: shelf.load() or TrainingProgress()}, [best], keep=True)
            raise

    def _kept(self, course: Course, done: dict[int, TrainingProgress]) -> list[Weights]:
        """The best weights of each member of an ensemble; else those of the best seed, or the average of all."""
        from similitude.training.adapters import fill_weights

        weights: dict[int, Weights] = {seed: self.folder.shelf(seed).load_best() or {} for seed in done}
        if self.request.ensemble > 1:
            return list(weights.values())
        best = max(done, key=lambda seed: done[seed].best)
        if len(done) > 1:
            average = {name: _mean([own[name] for own in weights.values()]) for name in weights[best]}
            fill_weights(course.network, average)
            figures = course.validate(course.network.eval())
            if next(iter(figures.values())) >= done[best].best:
                self.notes.append(f"the weights of {len(done)} seeds were averaged")
                return [average]
            self.notes.append(f"the average of {len(done)} seeds was not better than seed {best}, which is kept")
        return [weights[best]]

    def _export(
        self, course: Course, done: dict[int, TrainingProgress], kept: list[Weights], *, keep: bool = False
    ) -> Trained:
        settled = self.subject.settle(course, kept)
        self.notes += settled.notes
        record = self._record(settled)
        self.folder.export(
            self.opened.backbone,
            self.opened.network,
            record,
            self.subject.card(record),
            _other_members(self.opened.network, kept),
            self.subject.arrays(),
        )
        for seed in () if keep else done:
            self.folder.shelf(seed).clear()
        return self._trained(done, record)

    def _trained(self, done: dict[int, TrainingProgress], record: dict[str, Any]) -> Trained:
        return Trained(
            folder=self.folder.path,
            name=self.subject.name,
            record=record,
            history={seed: progress.history for seed, progress in done.items()},
            curves={seed: progress.curve for seed, progress in done.items()},
            notes=tuple(self.notes),
        )

    def _record(self, settled: TrainingSettlement) -> dict[str, Any]:
        figures = settled.figures.items()
        return {
            **self.subject.record(self.opened),
            "longest": self.opened.reader.longest,
            "backbone": self.request.model,
            "recipe": self.recipe.record(),
            "seeds": self.request.seeds,
            **({} if self.teachers is None else {"teachers": self.teachers}),
            **settled.record,
            "validation": {name: None if value != value else round(value, 6) for name, value in figures},
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "notes": list(self.notes),
            "versions": versions(),
        }

    def _tell(self, stage: str) -> None:
        if self.listener is not None:
            self.listener.progress(stage, 0, self.subject.items)


def _other_members(network: Any, kept: list[Weights]) -> list[Weights]:
    """The weights of all members but the first, which the network holds; from here on all are without adapters."""
    from similitude.training.adapters import fill_weights, has_adapters, merge_adapters

    if not has_adapters(network):
        return kept[1:]
    others: list[Weights] = []
    for weights in kept[1:]:
        own = copy.deepcopy(network)
        fill_weights(own, weights)
        merge_adapters(own)
        others.append({name: value.detach().cpu().contiguous() for name, value in own.state_dict().items()})
    merge_adapters(network)
    return others


def _mean(weights: list[Any]) -> Any:
    import torch

    if not weights[0].is_floating_point():
        return weights[0]
    return torch.stack([weight.double() for weight in weights]).mean(dim=0).to(weights[0].dtype)


def is_first_process() -> bool:
    """Whether this process writes, among those that accelerate started."""
    return os.environ.get("RANK", "0") == "0"


def _own_device() -> str | None:
    """The GPU that accelerate gave to this process; None where it started none."""
    rank = os.environ.get("LOCAL_RANK")
    if rank is None or int(os.environ.get("WORLD_SIZE", "1")) < 2:
        return None
    import torch

    return f"cuda:{rank}" if torch.cuda.is_available() else None
