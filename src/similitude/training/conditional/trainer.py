"""The training of similarity models: cross-, bi- and tri-encoders, with or without conditions and teachers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.models.fingerprint import fingerprint
from similitude.systems.conditional.input_text import InputTexts, read_items
from similitude.systems.conditional.loader import build_network
from similitude.training.conditional.card import similarity_card
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.suited_architecture import suited
from similitude.training.conditional.taught_examples import Taught, taught_by
from similitude.training.conditional.taught_labels import TeachingInputs, label_items, similarity_teaching_plan
from similitude.training.conditional.worded_inputs import rewording_notes, worded_inputs
from similitude.training.dataset_tensors import PreparedTraining, TrainingSet, prepare_training
from similitude.training.distillation import Distilled, distil
from similitude.training.examples import Examples, examples_of
from similitude.training.folder import TrainingFolder
from similitude.training.job import is_first_process
from similitude.training.loss_weights import loss_weights
from similitude.training.rater_agreement import expected_answers
from similitude.training.recipe import Recipe
from similitude.training.sentence_pairs import sentence_pairs
from similitude.training.splits import TrainingData
from similitude.training.stated_facts import stated_facts
from similitude.training.trainer_protocol import FinalValidation, Weights
from similitude.training.validation_intervals import correlation_intervals, intervals_record

if TYPE_CHECKING:
    from similitude.training.training_setup import TrainingSetup

__all__ = ["SimilarityTrainer"]


class SimilarityTrainer:
    """Trains a network to give one score per item; validated by its correlation with gold.

    Raises:
        InputError: the data cannot be used as requested.
        ArgumentError: the objective cannot use teachers.
    """

    def __init__(self, data: TrainingData, request: SimilarityRequest, inputs: TeachingInputs | None = None) -> None:
        self.data, self.inputs = data, inputs or TeachingInputs()
        self.taught: Taught | None = None
        self.train = _training_examples(data.train, request)
        self.validation = examples_of(data.validation, in_pairs=False)
        pairs = int(self.train.pairs.max(initial=-1)) + 1
        request.teachers.check(request.objective, pairs, data.train.name)
        self.request = request
        self.weights = request.weights_of(self.train.benchmark)

    @property
    def name(self) -> str:
        """The name of the training data."""
        return self.data.train.name

    @property
    def items(self) -> int:
        """The number of items to learn from."""
        return len(self.train.benchmark)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the data."""
        weighed = () if self.weights is None else (self.weights.note,)
        return (*self.data.notes, *self.train.notes, *weighed, *(() if self.taught is None else self.taught.notes))

    def plan(self, source: ModelFiles) -> dict[str, Any]:
        """Model, architecture, objective, recipe, teachers and data."""
        request = self.request
        # Without teachers there is no key, so that trainings from before there were teachers can be resumed.
        teachers = {"teachers": request.teachers.record()} if request.teachers.count else {}
        return {
            "model": fingerprint(source, None),
            "architecture": request.architecture.record(),
            "pooling": request.pooling,
            "objective": request.objective.record(),
            "recipe": request.recipe.result_record(),
            "seeds": request.seeds,
            **teachers,
            **self._augmentation_record(),
            **(
                {"teaching": similarity_teaching_plan(request.teaching, self.inputs.unlabelled)}
                if request.teaching
                else {}
            ),
            **self._weights_record(),
            **self._backbone_record(),
            "usual_lr": request.recipe.lr is None,
            "train": self.data.train.fingerprint,
            "validation": self.data.validation.fingerprint,
        }

    def _backbone_record(self) -> dict[str, Any]:
        """What is not the default of how much of the model is used and trained."""
        chosen = {name: getattr(self.request, name) for name in ("layers", "adapters", "frozen")}
        return {name: value for name, value in chosen.items() if value}

    def _augmentation_record(self) -> dict[str, Any]:
        """The changes of items; no key without any, so that trainings from before there were any can be resumed."""
        changes = self.request.augmentation.record()
        return {"augmentation": changes} if changes else {}

    def _weights_record(self) -> dict[str, Any]:
        """What is known of suspect labels; nothing without suspects."""
        return {} if self.weights is None else {"suspects": self.weights.record}

    def gather(self, folder: TrainingFolder) -> None:
        """Have the teacher label items, which are then learned from as well."""
        if self.request.teaching is None:
            return
        labels = label_items(
            self.data,
            self.train,
            self.request.teaching,
            folder.path,
            self.inputs,
            reads_conditions=self.request.architecture.reads != "sentences",
            seed=self.request.recipe.seed,
            asks=is_first_process(),
        )
        self.taught = taught_by(self.train, labels, self.request.teaching, self.request.objective)

    def open(self, how: LoadOptions) -> OpenedNetwork:
        """The network, with the requested pooling."""
        choice = self.request.backbone
        backbone = choice.open(how)
        opened = build_network(backbone, suited(backbone, self.request), how.files)
        choice.freeze(opened.network)
        self._check_consistency(opened.network)
        return opened

    def _check_consistency(self, network: Any) -> None:
        """Check that two passes over an item can differ.

        Raises:
            ArgumentError: there is no dropout, and an item is always shown in the same way.
        """
        change, shape = self.request.augmentation, network.architecture
        if not change.consistency or change.rewording or shape.reads_together:
            return
        if self.request.frozen or not _has_dropout(network.transformer):
            why = "vectors are computed once" if self.request.frozen else "the model has no dropout"
            what = (
                f"--consistency {change.consistency:g} has no effect: {why}, so both passes over an item are the same"
            )
            raise ArgumentError(what, remedy="omit --consistency, or add --rewording")

    def prepare(self, opened: OpenedNetwork, recipe: Recipe) -> PreparedTraining:
        """Tokenise the texts as the architecture reads them."""
        from similitude.training.conditional.validation import CorrelationValidator

        architecture = opened.network.architecture
        taught = self.taught
        items = self.train.items if taught is None else taught.items
        read = read_items(architecture, items)
        texts, swapped, shown = read.texts, None, None
        if self.request.augmentation.changes_inputs:
            shown = worded_inputs(architecture, items, self.request.augmentation)
            read, texts = InputTexts(shown.texts, shown.rows), shown.texts
        elif architecture.reads_together and architecture.reads != "condition":
            other = read_items(architecture, items, swapped=True)
            swapped = other.rows + len(texts)
            texts = [*texts, *other.texts]
        held_out = read_items(architecture, self.validation.benchmark.items)
        data = TrainingSet(
            texts=texts,
            rows=read.rows,
            swapped=swapped,
            shown=shown,
            gold=self.train.gold if taught is None else taught.gold,
            weights=loss_weights(
                len(items),
                self.train.unit,
                labels=None if self.weights is None else self.weights.values[self.train.places],
                sources=None if taught is None else taught.sources,
                alone=self.train.alone,
            ),
            unit=self.train.unit,
            objective=self.request.objective if taught is None else taught.objective,
            held_out=held_out.texts,
            validator=lambda table, precision: CorrelationValidator(
                table=table, rows=held_out.rows, gold=self.validation.gold, precision=precision
            ),
        )
        return prepare_training(opened, data, recipe)

    def distil(
        self, prepared: PreparedTraining, recipe: Recipe, folder: TrainingFolder, listener: Listener | None
    ) -> Distilled | None:
        """The student's setup, with the scores of teachers; None without teachers."""
        request = self.request
        if not request.teachers.count:
            return None
        return distil(prepared, self.train, request.objective, recipe, request.teachers, folder, listener)

    def start(self, network: Any, seed: int) -> None:
        """All seeds start from the same weights, so that their average is a model."""

    def final_validation(self, setup: TrainingSetup, weights: Sequence[Weights]) -> FinalValidation:
        """The figures of the chosen weights."""
        from similitude.training.adapters import fill_weights
        from similitude.training.conditional.validation import CorrelationValidator

        fill_weights(setup.network, weights[0])
        validator = setup.validate
        figures = dict(validator(setup.network.eval()))
        if not isinstance(validator, CorrelationValidator):
            raise TypeError("similarity is validated by a CorrelationValidator")
        held_out = self.validation
        scores, gold = validator.scores(setup.network), held_out.gold.astype(np.float64)
        ends = correlation_intervals(scores, gold, sentence_pairs(held_out.benchmark).to_list())
        return FinalValidation(figures, intervals_record(figures, ends))

    def record(self, opened: OpenedNetwork) -> dict[str, Any]:
        """Architecture, objective and data."""
        scale = self.train.benchmark.scale
        return {
            "architecture": opened.network.architecture.record(),
            "objective": self.request.objective.record(),
            **self._augmentation_record(),
            **self._weights_record(),
            **self._backbone_record(),
            **({} if self.taught is None else {"teaching": dict(self.taught.record)}),
            "scale": None if scale is None else str(scale),
            "data": {
                "name": self.train.benchmark.name,
                "items": len(self.train.benchmark),
                "validated_on": len(self.validation),
                "fingerprint": self.train.benchmark.fingerprint,
                **stated_facts([self.train.benchmark], [self.validation.benchmark]),
                "readings": self.train.benchmark.provenance.reading_records(),
            },
        }

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """None: the weights are all that the model needs."""
        return {}

    def card(self, record: dict[str, Any]) -> str:
        """The model card, in Markdown."""
        return similarity_card(record)


def _training_examples(data: Benchmark, request: SimilarityRequest) -> Examples:
    """The items to learn from, with what another rater would answer as gold.

    Raises:
        InputError: there is no gold, or no pair has two conditions.
        ArgumentError: no condition can be reworded.
    """
    change, objective = request.augmentation, request.objective
    if objective.needs_pairs or not change.condition_dropout:
        keeps_alone = objective.uses_values and objective.takes_weights
        examples = examples_of(data, in_pairs=objective.needs_pairs, keeps_alone=keeps_alone)
    else:
        examples = examples_of(data, in_pairs=True, otherwise="omit --condition-dropout, which needs their mean")
    notes = (*examples.notes, *rewording_notes(examples.benchmark, change))
    return replace(examples, gold=expected_answers(examples.gold, change.rater_agreement), notes=notes)


def _has_dropout(transformer: Any) -> bool:
    """Whether a transformer drops anything in training; attention may do so without a layer for it."""
    from torch import nn

    layers = [layer.p for layer in transformer.modules() if isinstance(layer, nn.Dropout)]
    settings = [value for name, value in vars(transformer.config).items() if "drop" in name]
    return any(isinstance(share, int | float) and share > 0 for share in (*layers, *settings))
