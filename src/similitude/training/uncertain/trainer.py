"""The training of opinions: mean and spread from every rater, in one network or in an ensemble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import InputError
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.models.fingerprint import fingerprint
from similitude.stats.recalibration import FEWEST, ITEMS_A_KNOT, Recalibration, fit_isotonic, fit_scaling
from similitude.systems.evidence import Evidence, fit_evidence, model_of
from similitude.systems.source_code import code_of
from similitude.systems.uncertain.architecture import SYSTEM, Architecture
from similitude.systems.uncertain.heads import make_head
from similitude.systems.uncertain.input_text import read_orders
from similitude.systems.uncertain.moments import PredictedMoments, predict_moments
from similitude.training.dataset_tensors import PreparedTraining, TrainingSet, prepare_course
from similitude.training.distillation import Distilled
from similitude.training.folder import TrainingFolder
from similitude.training.job import is_first_process
from similitude.training.recipe import Recipe
from similitude.training.splits import SeveralData
from similitude.training.teacher import Taught, taught, teaching_plan
from similitude.training.trainer_protocol import TrainingSettlement, Weights
from similitude.training.uncertain.card import opinion_card
from similitude.training.uncertain.initial_network import Start, start_network
from similitude.training.uncertain.objectives import OpinionObjective, make_loss
from similitude.training.uncertain.opinions import MEAN, SIGMA, Opinions, opinions_of
from similitude.training.uncertain.request import OpinionRequest

if TYPE_CHECKING:
    from similitude.training.course import Course

__all__ = ["OpinionTrainer"]


class OpinionTrainer:
    """Mean and spread of what people say of an item, judged by the loss on people who were held out with their items.

    Raises:
        InputError: the data do not say how far people differ, and a spread is to be learned; or there are too few
            items to recalibrate on.
    """

    def __init__(
        self,
        data: SeveralData,
        request: OpinionRequest,
        cache: VectorCache | None = None,
        listener: Listener | None = None,
        unlabelled: Benchmark | None = None,
    ) -> None:
        self.data, self.request, self.cache, self.listener = data, request, cache, listener
        self.unlabelled = unlabelled
        self.train = self._opinions(data.train)
        self.validation = self._opinions(data.validation)
        self.raters = self.train.raters
        self.taught: Taught | None = None
        self._check_recalibration()
        scale = self.train.scale
        self.architecture: Architecture = replace(request.architecture, low=scale.low, high=scale.high)

    @property
    def name(self) -> str:
        """Of the data."""
        return " + ".join(part.name for part in self.data.train)

    @property
    def items(self) -> int:
        """To learn from."""
        return len(self.train)

    @property
    def notes(self) -> tuple[str, ...]:
        """On the data."""
        return (*self.data.notes, *self.train.notes, *([] if self.taught is None else [self.taught.note]))

    def plan(self, source: ModelFiles) -> dict[str, Any]:
        """Model, architecture, objective, recipe and data."""
        request = self.request
        return {
            "system": SYSTEM,
            "model": fingerprint(source, None),
            "architecture": self.architecture.record(),
            "pooling": request.pooling,
            "objective": request.loss,
            "recipe": request.recipe.result_record(),
            "seeds": request.seeds,
            "ensemble": request.ensemble,
            "balanced": request.balanced,
            **self._own_code(),
            **({"evidence": {one: model_of(one) for one in request.evidence}} if request.evidence else {}),
            **({"usual_encoding": True} if request.usual_encoding else {}),
            **({"layers": request.layers} if request.layers else {}),
            **({"adapters": request.adapters} if request.adapters else {}),
            **({"teaching": teaching_plan(request.teaching, self.unlabelled)} if request.teaching else {}),
            "recalibrate": request.recalibrate,
            "usual_lr": request.recipe.lr is None,
            "train": [part.fingerprint for part in self.data.train],
            "validation": [part.fingerprint for part in self.data.validation],
        }

    def _own_code(self) -> dict[str, Any]:
        """The state of head and objective where they are not ours: a training is not continued by other code."""
        own = [code_of(make_head(self.architecture.head)), code_of(make_loss(self.request.loss))]
        return {"code": own} if any(own) else {}

    def gather(self, folder: TrainingFolder) -> None:
        """What a teacher says of pairs that nobody rated, to be learned from like people's opinions."""
        if self.request.teaching is None:
            return
        self.taught = taught(
            self.data,
            self.request.teaching,
            folder.path,
            unlabelled=self.unlabelled,
            seed=self.request.recipe.seed,
            asks=is_first_process(),
            cache=self.cache,
            listener=self.listener,
        )
        self.train = self._opinions((*self.data.train, self.taught.benchmark))

    @cached_property
    def evidence(self) -> Evidence | None:
        """What is gathered beside the tokens, learned from the texts alone."""
        if not self.request.evidence:
            return None
        return fit_evidence(self.request.evidence, self.train.items, cache=self.cache, listener=self.listener)

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Those of the evidence."""
        return {} if self.evidence is None else self.evidence.arrays()

    def open(self, how: LoadOptions) -> OpenedNetwork:
        """The network with a new head, pooled as asked."""
        evidence, request = self.evidence, self.request
        start = Start(
            replace(self.architecture, evidence=0 if evidence is None else len(evidence.names)),
            pooling=request.pooling,
            usual_encoding=request.usual_encoding,
            layers=request.layers,
            adapters=request.adapters,
        )
        return start_network(how, start, evidence=evidence)

    def prepare(self, opened: OpenedNetwork, recipe: Recipe) -> PreparedTraining:
        """Pairs to learn from in either order, by chance; pairs to be judged on in both."""
        from similitude.training.uncertain.validation import OpinionValidator

        architecture = opened.network.architecture
        objective = OpinionObjective(name=self.request.loss, architecture=architecture)
        read = read_orders(architecture, self.train.items, both=True)
        held_out = read_orders(architecture, self.validation.items, both=True)
        lesson = TrainingSet(
            texts=read.texts,
            rows=read.rows[:, 0],
            swapped=read.rows[:, 1],
            gold=self.train.gold,
            objective=objective,
            held_out=held_out.texts,
            validator=lambda table, precision: OpinionValidator(
                table=table, rows=held_out.rows, opinions=self.validation, objective=objective, precision=precision
            ),
        )
        prepared = prepare_course(opened, lesson, recipe)
        opened.network.fit_token_weights(prepared.course.table)
        return prepared

    def teach(
        self, prepared: PreparedTraining, recipe: Recipe, folder: TrainingFolder, listener: Listener | None
    ) -> Distilled | None:
        """There are no teachers of opinions."""
        return None

    def start(self, network: Any, seed: int) -> None:
        """Members of an ensemble have heads of their own from the start; weights to be averaged must not."""
        import torch

        if self.request.ensemble == 1 or seed == self.request.recipe.seed:
            return
        device = next(network.parameters()).device
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            for layer in network.head.values():
                layer.reset_parameters()

    def settle(self, course: Course, kept: Sequence[Weights]) -> TrainingSettlement:
        """The figures of all members together, and what their sigmas are corrected by."""
        from similitude.training.adapters import fill_weights
        from similitude.training.uncertain.validation import OpinionValidator, figures_of

        validator = course.validate
        if not isinstance(validator, OpinionValidator):
            raise TypeError("opinions are judged by an OpinionValidator")
        outputs = []
        for weights in reversed(kept):  # so that the network ends with the first
            fill_weights(course.network, weights)
            outputs.append(validator.outputs(course.network.eval()))
        together = np.concatenate(outputs[::-1], axis=2)
        architecture = validator.objective.architecture
        correction = self._recalibration(predict_moments(architecture, together))
        record = {
            "members": len(kept),
            "recalibration": None if correction is None else correction.record(),
        }
        return TrainingSettlement(
            figures_of(validator.objective, together, self.validation), record, _told(len(kept), correction)
        )

    def record(self, opened: OpenedNetwork) -> dict[str, Any]:
        """Architecture, objective and data."""
        fewest, most = self.raters
        return {
            "system": SYSTEM,
            "architecture": opened.network.architecture.record(),
            "objective": {"name": self.request.loss},
            **({"layers": self.request.layers} if self.request.layers else {}),
            **({"adapters": self.request.adapters} if self.request.adapters else {}),
            "scale": str(self.train.scale),
            **({} if self.evidence is None else {"evidence": self.evidence.record()}),
            **({} if self.taught is None else {"teaching": self.taught.record}),
            "data": {
                "name": self.name,
                "items": len(self.train),
                "validated_on": len(self.validation),
                "origins": [origin._asdict() for origin in self.train.origins],
                "balanced": self.request.balanced,
                "raters": {"fewest": fewest, "most": most},
                "judged_by": [part.provenance.judged_by for part in self.data.train],
                "fingerprint": [part.fingerprint for part in self.data.train],
            },
        }

    def card(self, record: dict[str, Any]) -> str:
        """For whoever finds the folder."""
        return opinion_card(record)

    def _opinions(self, benchmarks: Sequence[Benchmark]) -> Opinions:
        request = self.request
        return opinions_of(benchmarks, needs_spread=request.architecture.has_spread, balanced=request.balanced)

    def _check_recalibration(self) -> None:
        """Before anything is trained: are there enough validation items on which people differ?"""
        needed = {"none": 0, "scale": FEWEST, "isotonic": 2 * ITEMS_A_KNOT}[self.request.recalibrate]
        there = int((self.validation.gold[:, SIGMA] > 0).sum())
        if there < needed:
            raise InputError(
                f"{there:,} validation items on which people differ are too few to recalibrate on",
                where=" + ".join(part.name for part in self.data.validation),
                remedy=f"give {needed:,} or more, or leave --recalibrate out",
            )

    def _recalibration(self, said: PredictedMoments) -> Recalibration | None:
        """Fitted on the scale itself, where the system says its sigmas."""
        if self.request.recalibrate == "none" or said.sigmas is None:
            return None
        fit = fit_scaling if self.request.recalibrate == "scale" else fit_isotonic
        width = self.train.scale.width
        gold, human = (self.validation.gold[:, column].astype(np.float64) for column in (MEAN, SIGMA))
        return fit(width * said.means, width * said.sigmas, width * gold, width * human)


def _told(members: int, correction: Recalibration | None) -> tuple[str, ...]:
    notes = [f"{members} members are asked for every item"] if members > 1 else []
    if correction is not None:
        told = correction.record()
        how = f"times {told['factor']:.3g}" if told["kind"] == "scaling" else "by a rising function"
        notes.append(
            f"sigmas are corrected {how}, fitted on {told['items']:,} validation items; the validation figures are "
            "those before the correction"
        )
    return tuple(notes)
