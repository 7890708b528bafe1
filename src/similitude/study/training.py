"""Training a model from data to folder: open, read, learn, choose the best, export with a card."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from similitude.data.protocols import Listener
from similitude.errors import EstimationError, RunError
from similitude.study.model_card import model_card
from similitude.study.record import versions
from similitude.study.training_data import TrainingData
from similitude.study.training_folder import TrainingFolder
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.opening import Opened, open_network, own_pooling
from similitude.systems.conditional.reading import read_items
from similitude.systems.encoders.fingerprint import fingerprint
from similitude.systems.encoders.loading import How
from similitude.systems.encoders.sources import Source, resolve
from similitude.systems.training.examples import Examples, examples_of
from similitude.systems.training.objectives import Objective
from similitude.systems.training.progress import Epoch, Progress
from similitude.systems.training.recipe import Recipe, usual_rate

if TYPE_CHECKING:
    from similitude.systems.training.course import Course

__all__ = ["Request", "Trained", "is_first_process", "train_model"]

ORGANISATION = "sentence-transformers"
GRID_ON_GPU, GRID_ON_CPU = 8, 1


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is to be trained.

    Attributes:
        model: the backbone: a folder, or a name on the hub.
        architecture: what is built on it.
        pooling: cls, mean, or auto: the backbone's own where it has one of the two, else mean.
        objective: what is minimised.
        recipe: how.
        seeds: trainings, each with another order and other dropout, whose weights are averaged; the average is kept
            where it validates at least as well as the best of them.
        usual_lr: take the learning rate that suits the model's size, whatever the recipe says.
        device: as torch writes it; None for a GPU where there is one.
    """

    model: str
    architecture: Architecture = field(default_factory=Architecture)
    pooling: Literal["auto", "cls", "mean"] = "auto"
    objective: Objective = field(default_factory=Objective)
    recipe: Recipe = field(default_factory=Recipe)
    seeds: int = 1
    usual_lr: bool = False
    device: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """A finished training.

    Attributes:
        folder: of the model.
        name: of the data.
        record: what ``similitude.json`` says.
        history: the epochs of each seed.
        curves: the loss of every step of each seed.
        notes: what the user should know.
    """

    folder: Path
    name: str
    record: dict[str, Any]
    history: dict[int, list[Epoch]]
    curves: dict[int, list[float]]
    notes: tuple[str, ...] = ()

    @property
    def figures(self) -> dict[str, float]:
        """Of the model that is kept, on the validation items."""
        return {name: float("nan") if value is None else value for name, value in self.record["validation"].items()}


def train_model(data: TrainingData, request: Request, out: str | Path, listener: Listener | None = None) -> Trained:
    """Train a model and save it in a folder; go on with it where the folder holds the same training, unfinished.

    Args:
        data: to learn from and to validate on.
        request: what to train.
        out: the folder.
        listener: hears how far it is.

    Returns:
        The training; the model is ``conditional(out)``.

    Raises:
        InputError: the data cannot be learned from as asked.
        RunError: the folder holds something else.
        EstimationError: the loss is not a number; the best epoch before is exported.
        MissingExtraError: torch is not installed.
    """
    folder = TrainingFolder(Path(out))
    source = resolve(request.model, None, ORGANISATION)
    train = examples_of(data.train, in_pairs=request.objective.needs_pairs)
    validation = examples_of(data.validation, in_pairs=False)
    if is_first_process():
        folder.claim(_plan(data, request, source))
    before = folder.finished()
    if before is not None:
        return _recalled(folder, data, before)
    job = _Job(folder, request, source, train, validation, (*data.notes, *train.notes), listener)
    return job.run()


class _Job:
    """One training: the network and the tokens are made once, and shared by all seeds."""

    def __init__(
        self,
        folder: TrainingFolder,
        request: Request,
        source: Source,
        train: Examples,
        validation: Examples,
        notes: tuple[str, ...],
        listener: Listener | None,
    ) -> None:
        self.folder, self.request, self.source = folder, request, source
        self.train, self.validation, self.listener = train, validation, listener
        self.notes, self.seconds = list(notes), {"loading": 0.0, "tokenising": 0.0}

    def run(self) -> Trained:
        import torch

        self._tell("loading the model")
        started = time.monotonic()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.request.recipe.seed)
            self.opened = self._opened()
        self.seconds["loading"] = time.monotonic() - started
        self._tell("tokenising")
        course = self._course()
        first = {name: value.detach().clone() for name, value in self.opened.network.state_dict().items()}
        done: dict[int, Progress] = {}
        for seed in range(self.request.recipe.seed, self.request.recipe.seed + self.request.seeds):
            self.opened.network.load_state_dict(first)
            done[seed] = self._one(course, seed)
        if not is_first_process():  # the first one chooses and writes; its files may be gone before we look
            best = max((epoch for one in done.values() for epoch in one.history), key=lambda epoch: epoch.figure)
            return self._export(done, dict(best.figures))
        return self._export(done, self._best_or_average(course, done))

    def _opened(self) -> Opened:
        device = self.request.device or _own_device()
        architecture = self.request.architecture
        opened = open_network(How(self.source, device, "float32"), architecture)
        pooling = own_pooling(opened.backbone) if self.request.pooling == "auto" else self.request.pooling
        separator = opened.backbone.tokenizer.sep_token or "\n"
        opened.network.architecture = replace(architecture, pooling=pooling, separator=separator)
        if self.request.usual_lr:
            rate = usual_rate(sum(weight.numel() for weight in opened.network.parameters()))
            self.request = replace(self.request, recipe=replace(self.request.recipe, lr=rate))
        return opened

    def _course(self) -> Course:
        import numpy as np
        import torch

        from similitude.systems.conditional.validation import validator
        from similitude.systems.training.batching import Batcher
        from similitude.systems.training.course import Course
        from similitude.systems.training.stepping import products_in
        from similitude.systems.training.tokens import TokenTable

        network, reader = self.opened.network, self.opened.reader
        architecture, recipe = network.architecture, self.request.recipe
        device = next(network.parameters()).device
        started = time.monotonic()
        items = self.train.benchmark.items
        read = read_items(architecture, items)
        texts, swapped = read.texts, None
        if architecture.encoding == "cross" and architecture.reads != "condition":
            other = read_items(architecture, items, swapped=True)
            swapped = other.rows + len(texts)
            texts = [*texts, *other.texts]
        held_out = read_items(architecture, self.validation.benchmark.items)
        table = TokenTable(reader, texts, device)
        judged = TokenTable(reader, held_out.texts, device)
        self.seconds["tokenising"] = time.monotonic() - started
        self._note_cut(table.cut + judged.cut, len(texts) + len(held_out.texts))
        lengths = table.lengths[read.rows].max(axis=1)
        return Course(
            network=network,
            table=table,
            rows=torch.from_numpy(read.rows.astype(np.int64)).to(device),
            swapped=None if swapped is None else torch.from_numpy(swapped.astype(np.int64)).to(device),
            gold=torch.from_numpy(self.train.gold).to(device),
            objective=self.request.objective,
            batcher=Batcher(
                lengths=lengths,
                unit=self.train.unit,
                batch=recipe.batch,
                rows=architecture.parts,
                grid=GRID_ON_CPU if device.type == "cpu" else GRID_ON_GPU,
                longest=reader.longest,
                seed=recipe.seed,
            ),
            validate=validator(judged, held_out.rows, self.validation.gold, products_in(recipe.precision, device)),
        )

    def _one(self, course: Course, seed: int) -> Progress:
        from similitude.systems.training.loop import train

        shelf = self.folder.shelf(seed)
        own = replace(course, batcher=replace(course.batcher, seed=seed))
        try:
            return train(own, replace(self.request.recipe, seed=seed), shelf, self.listener)
        except EstimationError:
            best = shelf.load_best()
            if best is not None and is_first_process():
                self.opened.network.load_state_dict(best)
                progress = shelf.load() or Progress()
                figures = dict(course.validate(self.opened.network.eval()))
                self.notes.append("stopped early: the loss was not a number; this is the best epoch before that")
                self._export({seed: progress}, figures, keep=True)
            raise

    def _best_or_average(self, course: Course, done: dict[int, Progress]) -> dict[str, float]:
        """The network holds the weights to keep when this is done; their figures."""
        network = self.opened.network.eval()
        best = max(done, key=lambda seed: done[seed].best)
        weights = {seed: self.folder.shelf(seed).load_best() or {} for seed in done}
        if len(done) > 1:
            network.load_state_dict({name: _mean([own[name] for own in weights.values()]) for name in weights[best]})
            figures = dict(course.validate(network))
            if next(iter(figures.values())) >= done[best].best:
                self.notes.append(f"the weights of {len(done)} seeds were averaged")
                return figures
            self.notes.append(f"the average of {len(done)} seeds was not better than seed {best}, which is kept")
        network.load_state_dict(weights[best])
        return dict(course.validate(network))

    def _export(self, done: dict[int, Progress], figures: dict[str, float], *, keep: bool = False) -> Trained:
        record = self._record(figures)
        trained = Trained(
            folder=self.folder.path,
            name=self.train.benchmark.name,
            record=record,
            history={seed: progress.history for seed, progress in done.items()},
            curves={seed: progress.curve for seed, progress in done.items()},
            notes=tuple(self.notes),
        )
        if is_first_process():
            self.folder.export(self.opened.backbone, self.opened.network, record, model_card(record))
            for seed in () if keep else done:
                self.folder.shelf(seed).clear()
        return trained

    def _record(self, figures: dict[str, float]) -> dict[str, Any]:
        scale = self.train.benchmark.scale
        return {
            "architecture": self.opened.network.architecture.record(),
            "longest": self.opened.reader.longest,
            "backbone": self.request.model,
            "objective": self.request.objective.record(),
            "recipe": self.request.recipe.record(),
            "seeds": self.request.seeds,
            "scale": None if scale is None else str(scale),
            "data": {
                "name": self.train.benchmark.name,
                "items": len(self.train),
                "validated_on": len(self.validation),
                "fingerprint": self.train.benchmark.fingerprint,
            },
            "validation": {name: None if value != value else round(value, 6) for name, value in figures.items()},
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "notes": list(self.notes),
            "versions": versions(),
        }

    def _note_cut(self, cut: int, texts: int) -> None:
        if cut:
            longest = self.opened.reader.longest
            self.notes.append(
                f"{cut:,} of {texts:,} texts were cut to the {longest:,} tokens that the model reads at most"
            )

    def _tell(self, stage: str) -> None:
        if self.listener is not None:
            self.listener.progress(stage, 0, len(self.train))


def _plan(data: TrainingData, request: Request, source: Source) -> dict[str, Any]:
    """What must be the same for a training to go on."""
    return {
        "model": fingerprint(source, None),
        "architecture": request.architecture.record(),
        "pooling": request.pooling,
        "objective": request.objective.record(),
        "recipe": request.recipe.result_record(),
        "seeds": request.seeds,
        "usual_lr": request.usual_lr,
        "train": data.train.fingerprint,
        "validation": data.validation.fingerprint,
    }


def _recalled(folder: TrainingFolder, data: TrainingData, record: dict[str, Any]) -> Trained:
    """The training that was finished here before."""
    import json

    history: dict[int, list[Epoch]] = {}
    names = [name for name in Epoch._fields if name != "figures"]
    for line in (folder.runs / "metrics.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        figures = {name: _number(told[name]) for name in record["validation"]}
        epoch = Epoch(**{name: _number(told[name]) for name in names}, figures=figures)
        history.setdefault(told["seed"], []).append(epoch)
    curves = {seed: _losses(folder.runs / f"losses-{seed}.csv") for seed in history}
    notes = (*record["notes"], "was finished before; nothing was trained again")
    return Trained(folder=folder.path, name=data.train.name, record=record, history=history, curves=curves, notes=notes)


def _number(value: Any) -> Any:
    return float("nan") if value is None else value


def _losses(path: Path) -> list[float]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
    except OSError:
        raise RunError("has lost its figures", where=str(path), remedy="train again with another --out") from None
    return [float(line.partition(",")[2]) for line in lines]


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
