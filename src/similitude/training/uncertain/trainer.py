"""The training of models of opinions: mean and spread, from every rating, in one network or an ensemble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.models.fingerprint import fingerprint
from similitude.systems.evidence import Evidence, fit_evidence, model_of
from similitude.systems.source_code import code_of
from similitude.systems.uncertain.architecture import SYSTEM, Architecture, Texts
from similitude.systems.uncertain.heads import make_head
from similitude.systems.uncertain.input_text import read_orders
from similitude.systems.uncertain.moments import PredictedMoments, predict_moments
from similitude.training.conditions import check_evidence, check_unlabelled, read_conditions
from similitude.training.dataset_tensors import PreparedTraining, TrainingSet, prepare_training
from similitude.training.distillation import Distilled
from similitude.training.examples import examples_of
from similitude.training.folder import TrainingFolder
from similitude.training.job import is_first_process
from similitude.training.label_weights import LabelWeights
from similitude.training.loss_weights import loss_weights
from similitude.training.recipe import Recipe
from similitude.training.splits import SeveralData
from similitude.training.stated_facts import stated_facts
from similitude.training.teacher import TeacherLabels, label_pairs, teaching_plan
from similitude.training.trainer_protocol import FinalValidation, Weights
from similitude.training.uncertain.card import opinion_card
from similitude.training.uncertain.initial_network import InitialNetwork, build_initial_network
from similitude.training.uncertain.objectives import OpinionObjective, make_loss
from similitude.training.uncertain.opinions import Opinions, opinions_of
from similitude.training.uncertain.recalibration import Corrected, check_recalibration, fit_recalibration
from similitude.training.uncertain.request import OpinionRequest
from similitude.training.validation_intervals import intervals_record, opinion_intervals

if TYPE_CHECKING:
    from similitude.training.training_setup import TrainingSetup

__all__ = ["OpinionTrainer"]


class OpinionTrainer:
    """Trains a network to predict mean and spread of people's opinions; validated by the loss on held-out items.

    Raises:
        InputError: a spread is to be learned but not known from the data, there are too few items to recalibrate on, or
            only some items have a condition.
        ArgumentError: template, evidence or teacher do not suit the conditions.
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
        self.conditions = read_conditions(request.reads, (*data.train, *data.validation))
        self._evidence_notes = check_evidence(self.conditions, request.evidence)
        self.weights = self._label_weights()
        self.train = self._opinions(data.train)
        self.validation = self._opinions(data.validation)
        self.raters = self.train.raters
        self.teacher_labels: TeacherLabels | None = None
        check_recalibration(request.recalibrate, self.validation)
        scale = self.train.scale
        reads: Texts = "all" if self.conditions.are_read else "sentences"
        self.architecture: Architecture = replace(request.architecture, low=scale.low, high=scale.high, reads=reads)
        self._check_conditions()

    @property
    def name(self) -> str:
        """The name of the training data."""
        return " + ".join(part.name for part in self.data.train)

    @property
    def items(self) -> int:
        """The number of items to learn from."""
        return len(self.train)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the data."""
        return (
            *self.data.notes,
            *self.conditions.notes,
            *self._evidence_notes,
            *self.train.notes,
            *([] if self.weights is None else [self.weights.note]),
            *([] if self.teacher_labels is None else [self.teacher_labels.note]),
        )

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
            **({} if self.weights is None else {"suspects": self.weights.record}),
            **({"evidence": {one: model_of(one) for one in request.evidence}} if request.evidence else {}),
            **({"usual_encoding": True} if request.default_encoding else {}),
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
        """Have the teacher label unrated pairs, which are then learned from like people's opinions."""
        if self.request.teaching is None:
            return
        self.teacher_labels = label_pairs(
            self.data,
            self.request.teaching,
            folder.path,
            unlabelled=self.unlabelled,
            seed=self.request.recipe.seed,
            asks=is_first_process(),
            cache=self.cache,
            listener=self.listener,
        )
        self.train = self._opinions((*self.data.train, self.teacher_labels.benchmark))

    @cached_property
    def evidence(self) -> Evidence | None:
        """The evidence beside the tokens, fitted on the texts alone."""
        if not self.request.evidence:
            return None
        return fit_evidence(self.request.evidence, self.train.items, cache=self.cache, listener=self.listener)

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The arrays of the evidence."""
        return {} if self.evidence is None else self.evidence.arrays()

    def open(self, how: LoadOptions) -> OpenedNetwork:
        """The network with a new head and the requested pooling."""
        evidence, request = self.evidence, self.request
        start = InitialNetwork(
            replace(self.architecture, evidence=0 if evidence is None else len(evidence.names)),
            pooling=request.pooling,
            default_encoding=request.default_encoding,
            layers=request.layers,
            adapters=request.adapters,
            in_half=request.recipe.precision != "float32",
        )
        return build_initial_network(how, start, evidence=evidence)

    def prepare(self, opened: OpenedNetwork, recipe: Recipe) -> PreparedTraining:
        """Tokenise the pairs; training shows either order at random, validation shows both."""
        from similitude.training.uncertain.validation import OpinionValidator

        architecture = opened.network.architecture
        objective = OpinionObjective(name=self.request.loss, architecture=architecture)
        read = read_orders(architecture, self.train.items, both=True)
        held_out = read_orders(architecture, self.validation.items, both=True)
        data = TrainingSet(
            texts=read.texts,
            rows=read.rows[:, 0],
            swapped=read.rows[:, 1],
            gold=self.train.gold,
            weights=loss_weights(
                len(self.train),
                1,
                labels=None if self.weights is None else self.weights.values,
                sources=self.train.sources,
            ),
            objective=objective,
            held_out=held_out.texts,
            validator=lambda table, precision: OpinionValidator(
                table=table, rows=held_out.rows, opinions=self.validation, objective=objective, precision=precision
            ),
        )
        prepared = prepare_training(opened, data, recipe)
        opened.network.fit_token_weights(prepared.setup.table)
        return prepared

    def distil(
        self, prepared: PreparedTraining, recipe: Recipe, folder: TrainingFolder, listener: Listener | None
    ) -> Distilled | None:
        """None: models of opinions have no fold teachers."""
        return None

    def start(self, network: Any, seed: int) -> None:
        """Give each ensemble member a head of its own; weights that are averaged must start from the same head."""
        import torch

        if self.request.ensemble == 1 or seed == self.request.recipe.seed:
            return
        device = next(network.parameters()).device
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            for layer in network.head.values():
                layer.reset_parameters()

    def final_validation(self, setup: TrainingSetup, weights: Sequence[Weights]) -> FinalValidation:
        """The figures of all members together, and the correction of their sigmas."""
        from similitude.training.adapters import fill_weights
        from similitude.training.uncertain.validation import OpinionValidator, figures_of

        validator = setup.validate
        if not isinstance(validator, OpinionValidator):
            raise TypeError("opinions are validated by an OpinionValidator")
        outputs = []
        for member in reversed(weights):  # so that the network ends with the first
            fill_weights(setup.network, member)
            outputs.append(validator.outputs(setup.network.eval()))
        together = np.concatenate(outputs[::-1], axis=2)
        corrected = self._recalibration(predict_moments(validator.objective.architecture, together))
        members = (f"{len(weights)} members score every item",) if len(weights) > 1 else ()
        figures = figures_of(validator.objective, together, self.validation)
        said, held_out = predict_moments(validator.objective.architecture, together), self.validation
        ends = opinion_intervals(held_out.means, held_out.sigmas, said.means, said.sigmas, held_out.scale.width)
        return FinalValidation(
            figures,
            {
                "members": len(weights),
                "recalibration": None if corrected is None else corrected.record(),
                **intervals_record(figures, ends),
            },
            members if corrected is None else (*members, corrected.note),
        )

    def record(self, opened: OpenedNetwork) -> dict[str, Any]:
        """Architecture, objective and data."""
        fewest, most = self.raters
        return {
            "system": SYSTEM,
            "architecture": opened.network.architecture.record(),
            "objective": {"name": self.request.loss},
            **({} if self.weights is None else {"suspects": self.weights.record}),
            **({"layers": self.request.layers} if self.request.layers else {}),
            **({"adapters": self.request.adapters} if self.request.adapters else {}),
            "scale": str(self.train.scale),
            **({} if self.evidence is None else {"evidence": self.evidence.record()}),
            **({} if self.teacher_labels is None else {"teaching": self.teacher_labels.record}),
            "data": {
                "name": self.name,
                "items": len(self.train),
                "validated_on": len(self.validation),
                "origins": [origin._asdict() for origin in self.train.origins],
                "balanced": self.request.balanced,
                "raters": {"fewest": fewest, "most": most},
                "judged_by": [part.provenance.judged_by for part in self.data.train],
                "fingerprint": [part.fingerprint for part in self.data.train],
                **stated_facts(self.data.train, self.data.validation),
                "readings": [each for part in self.data.train for each in part.provenance.reading_records()],
            },
        }

    def card(self, record: dict[str, Any]) -> str:
        """The model card, in Markdown."""
        return opinion_card(record)

    def _check_conditions(self) -> None:
        """Check, before a model is loaded, that templates and teacher suit what is read.

        Raises:
            ArgumentError: a template has no place for the condition, or one too many; or there is a teacher, whose
                pairs have no conditions.
            InputError: pairs for a teacher have conditions that would be dropped.
        """
        _ = self.architecture.of_texts
        if self.unlabelled is not None:
            check_unlabelled(self.request.reads, self.conditions, self.unlabelled)
        if self.conditions.are_read and self.request.teaching is not None:
            raise ArgumentError(
                "a teacher labels pairs without conditions, but the items have conditions, which are read",
                remedy="omit --teacher, or ignore the conditions: --reads sentences",
            )

    def _opinions(self, benchmarks: Sequence[Benchmark]) -> Opinions:
        request = self.request
        return opinions_of(benchmarks, needs_spread=request.architecture.has_spread, balanced=request.balanced)

    def _label_weights(self) -> LabelWeights | None:
        """The weights of people's labels, in the order of the items.

        Raises:
            ArgumentError: there are several benchmarks, whose ids may be the same.
        """
        if self.request.suspects is not None and len(self.data.train) > 1:
            what = f"a file of suspects is about one benchmark, and there are {len(self.data.train)} to learn from"
            raise ArgumentError(what, remedy="join them into one file, or leave --suspects out")
        return self.request.weights_of(examples_of(self.data.train[0], in_pairs=False).benchmark)

    def _recalibration(self, said: PredictedMoments) -> Corrected | None:
        how = self.request.recalibrate
        if how == "none" or said.sigmas is None:
            return None
        return fit_recalibration(how, said.means, said.sigmas, self.validation, self.train.scale.width)
