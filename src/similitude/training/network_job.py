"""The training of a network by gradient descent, once for each seed: load, tokenise, train, keep the best weights."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from similitude.data.listeners import NamedListener
from similitude.data.protocols import Listener
from similitude.errors import EstimationError
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import resolve
from similitude.training.dataset_tensors import PreparedTraining
from similitude.training.folder import TrainingFolder
from similitude.training.job import Outcome, TrainingJob, is_first_process
from similitude.training.network_export import export_network
from similitude.training.progress import TrainingProgress
from similitude.training.recipe import ADAPTER_RATE, HEAD_RATE, default_rate
from similitude.training.request import TrainingRequest
from similitude.training.trained_model import Trained
from similitude.training.trainer_protocol import FinalValidation, NetworkTrainer, Weights

if TYPE_CHECKING:
    from similitude.training.training_setup import TrainingSetup

__all__ = ["NetworkJob"]

ORGANISATION = "sentence-transformers"

Done = Mapping[int, TrainingProgress]


class NetworkJob:
    """Trains a kind of network; the model is loaded and the texts are tokenised once, for all seeds.

    Args:
        kind: what is trained.
        request: from which backbone, how, and how often.
        listener: is told the progress.
    """

    def __init__(self, kind: NetworkTrainer, request: TrainingRequest, listener: Listener | None) -> None:
        self.kind, self.request, self.listener = kind, request, listener
        self.source = resolve(request.model, None, ORGANISATION)
        self.recipe = request.recipe
        self.notes: list[str] = []
        self.seconds = {"loading": 0.0, "tokenising": 0.0}
        self.teachers: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """The name of the training data."""
        return self.kind.name

    def plan(self, folder: TrainingFolder) -> dict[str, Any]:
        """What the kind of network depends on."""
        return self.kind.plan(self.source)

    def card(self, record: dict[str, Any]) -> str:
        """The model card, in Markdown."""
        return self.kind.card(record)

    def open(self, folder: TrainingFolder) -> None:
        """Load the network and choose the learning rate."""
        import torch

        from similitude.training.adapters import has_adapters, is_partly_frozen

        self.kind.gather(folder)
        self.notes = list(self.kind.notes)
        self._report("loading the model")
        started = time.monotonic()
        how = LoadOptions(self.source, self.request.device or _own_device(), "float32")
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.recipe.seed)
            self.opened: OpenedNetwork = self.kind.open(how)
        if self.recipe.lr is None:
            weights = sum(weight.numel() for weight in self.opened.network.parameters())
            rate = default_rate(weights)
            if is_partly_frozen(self.opened.network):
                rate = ADAPTER_RATE if has_adapters(self.opened.network) else HEAD_RATE
            self.recipe = replace(self.recipe, lr=rate)
        self.seconds["loading"] = time.monotonic() - started

    def train(self, job: TrainingJob) -> Trained:
        """Train with every seed, and keep the best weights, their average, or all of them as an ensemble."""
        from similitude.training.adapters import fill_weights, learned_weights

        self._report("tokenising")
        setup = self._distilled(self._prepared(), job.folder)
        network = self.opened.network
        first = {name: value.detach().clone() for name, value in learned_weights(network).items()}
        done: dict[int, TrainingProgress] = {}
        for seed in self.request.trainings:
            fill_weights(network, first)
            self.kind.start(network, seed)
            done[seed] = self._one_seed(setup, seed, job)
        if not is_first_process():  # the first process chooses and writes; its checkpoints may be gone already
            best = max((epoch for one in done.values() for epoch in one.history), key=lambda epoch: epoch.figure)
            return job.finish(Outcome(best.figures, self._record(), done, lambda: None))
        return self._finish(job, setup, done, self._chosen_weights(setup, done, job.folder))

    def _prepared(self) -> PreparedTraining:
        started = time.monotonic()
        prepared = self.kind.prepare(self.opened, self.recipe)
        self.seconds["tokenising"] = time.monotonic() - started
        if prepared.cut:
            self.notes.append(
                f"{prepared.cut:,} of {prepared.texts:,} texts were truncated to {self.opened.reader.longest:,} "
                "tokens, the most that the model reads"
            )
        return prepared

    def _distilled(self, prepared: PreparedTraining, folder: TrainingFolder) -> TrainingSetup:
        """The setup as it is, or with the teachers' scores blended into its gold."""
        distilled = self.kind.distil(prepared, self.recipe, folder, self.listener)
        if distilled is None:
            return prepared.setup
        self.seconds["teaching"], self.teachers = distilled.seconds, distilled.record
        self.notes.append(distilled.note)
        self.listener = NamedListener(self.listener, name="student")
        return distilled.setup

    def _one_seed(self, setup: TrainingSetup, seed: int, job: TrainingJob) -> TrainingProgress:
        from similitude.training.loop import train

        checkpoints = job.folder.checkpoints(seed)
        own = replace(setup, batcher=replace(setup.batcher, seed=seed))
        try:
            return train(own, replace(self.recipe, seed=seed), checkpoints, self.listener)
        except EstimationError:
            best = checkpoints.load_best()
            if best is not None and is_first_process():
                self.notes.append("stopped early: the loss is not a number; this is the best epoch before that")
                reached = checkpoints.published or checkpoints.load() or TrainingProgress()
                self._finish(job, setup, {seed: reached}, [best], keeps_checkpoints=True)
            raise

    def _chosen_weights(self, setup: TrainingSetup, done: Done, folder: TrainingFolder) -> list[Weights]:
        """The best weights of each ensemble member; otherwise those of the best seed, or the average of all seeds."""
        from similitude.training.adapters import fill_weights

        weights: dict[int, Weights] = {seed: folder.checkpoints(seed).load_best() or {} for seed in done}
        if self.request.ensemble > 1:
            return list(weights.values())
        best = max(done, key=lambda seed: done[seed].best)
        if len(done) > 1:
            average = {name: _mean([own[name] for own in weights.values()]) for name in weights[best]}
            fill_weights(setup.network, average)
            figures = setup.validate(setup.network.eval())
            if next(iter(figures.values())) >= done[best].best:
                self.notes.append(f"the weights of {len(done)} seeds were averaged")
                return [average]
            self.notes.append(f"the average of {len(done)} seeds was not better than seed {best}, so that seed is kept")
        return [weights[best]]

    def _finish(
        self,
        job: TrainingJob,
        setup: TrainingSetup,
        done: Done,
        weights: list[Weights],
        *,
        keeps_checkpoints: bool = False,
    ) -> Trained:
        final = self.kind.final_validation(setup, weights)
        self.notes += final.notes
        network = self.opened.network
        outcome = Outcome(
            figures=final.figures,
            record=self._record(final),
            progress=done,
            save=lambda: export_network(
                job.folder.path,
                self.opened.backbone,
                network,
                members=_other_members(network, weights),
                arrays=self.kind.arrays(),
            ),
            checkpoints=() if keeps_checkpoints else [job.folder.checkpoints(seed) for seed in done],
        )
        return job.finish(outcome)

    def _record(self, final: FinalValidation | None = None) -> dict[str, Any]:
        return {
            **self.kind.record(self.opened),
            "longest": self.opened.reader.longest,
            "backbone": self.request.model,
            "recipe": self.recipe.record(),
            "seeds": self.request.seeds,
            **({} if self.teachers is None else {"teachers": self.teachers}),
            **({} if final is None else final.record),
        }

    def _report(self, stage: str) -> None:
        if self.listener is not None:
            self.listener.progress(stage, 0, self.kind.items)


def _other_members(network: Any, weights: Sequence[Weights]) -> list[Weights]:
    """The weights of all ensemble members but the first, which the network holds; adapters are merged into all."""
    from similitude.training.adapters import fill_weights, has_adapters, merge_adapters

    if not has_adapters(network):
        return list(weights[1:])
    others: list[Weights] = []
    for member in weights[1:]:
        own = copy.deepcopy(network)
        fill_weights(own, member)
        merge_adapters(own)
        others.append({name: value.detach().cpu().contiguous() for name, value in own.state_dict().items()})
    merge_adapters(network)
    return others


def _mean(weights: list[Any]) -> Any:
    import torch

    if not weights[0].is_floating_point():
        return weights[0]
    return torch.stack([weight.double() for weight in weights]).mean(dim=0).to(weights[0].dtype)


def _own_device() -> str | None:
    """The GPU that accelerate gave to this process; None where accelerate did not start it."""
    rank = os.environ.get("LOCAL_RANK")
    if rank is None or int(os.environ.get("WORLD_SIZE", "1")) < 2:
        return None
    import torch

    return f"cuda:{rank}" if torch.cuda.is_available() else None
