"""The training of similarity models: cross-, bi- and tri-encoders, with or without conditions and teachers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import Listener
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.models.fingerprint import fingerprint
from similitude.systems.conditional.input_text import read_items
from similitude.systems.conditional.loader import build_network
from similitude.training.conditional.card import similarity_card
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.suited_architecture import suited
from similitude.training.dataset_tensors import PreparedTraining, TrainingSet, prepare_training
from similitude.training.distillation import Distilled, distil
from similitude.training.examples import examples_of
from similitude.training.folder import TrainingFolder
from similitude.training.recipe import Recipe
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

    def __init__(self, data: TrainingData, request: SimilarityRequest) -> None:
        self.data = data
        self.train = examples_of(data.train, in_pairs=request.objective.needs_pairs)
        self.validation = examples_of(data.validation, in_pairs=False)
        pairs = int(self.train.pairs.max(initial=-1)) + 1
        request.teachers.check(request.objective, pairs, data.train.name)
        self.request = request

    @property
    def name(self) -> str:
        """The name of the training data."""
        return self.data.train.name

    @property
    def items(self) -> int:
        """The number of items to learn from."""
        return len(self.train)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the data."""
        return (*self.data.notes, *self.train.notes)

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
            **self._backbone_record(),
            "usual_lr": request.recipe.lr is None,
            "train": self.data.train.fingerprint,
            "validation": self.data.validation.fingerprint,
        }

    def _backbone_record(self) -> dict[str, Any]:
        """What is not the default of how much of the model is used and trained."""
        chosen = {name: getattr(self.request, name) for name in ("layers", "adapters", "frozen")}
        return {name: value for name, value in chosen.items() if value}

    def gather(self, folder: TrainingFolder) -> None:
        """Nothing is needed before the model is loaded."""

    def open(self, how: LoadOptions) -> OpenedNetwork:
        """The network, with the requested pooling."""
        choice = self.request.backbone
        backbone = choice.open(how)
        opened = build_network(backbone, suited(backbone, self.request), how.files)
        choice.freeze(opened.network)
        return opened

    def prepare(self, opened: OpenedNetwork, recipe: Recipe) -> PreparedTraining:
        """Tokenise the texts as the architecture reads them."""
        from similitude.training.conditional.validation import CorrelationValidator

        architecture = opened.network.architecture
        read = read_items(architecture, self.train.benchmark.items)
        texts, swapped = read.texts, None
        if architecture.reads_together and architecture.reads != "condition":
            other = read_items(architecture, self.train.benchmark.items, swapped=True)
            swapped = other.rows + len(texts)
            texts = [*texts, *other.texts]
        held_out = read_items(architecture, self.validation.benchmark.items)
        data = TrainingSet(
            texts=texts,
            rows=read.rows,
            swapped=swapped,
            gold=self.train.gold,
            unit=self.train.unit,
            objective=self.request.objective,
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
        ends = correlation_intervals(scores, gold, held_out.benchmark.items.group_names)
        return FinalValidation(figures, intervals_record(figures, ends))

    def record(self, opened: OpenedNetwork) -> dict[str, Any]:
        """Architecture, objective and data."""
        scale = self.train.benchmark.scale
        return {
            "architecture": opened.network.architecture.record(),
            "objective": self.request.objective.record(),
            **self._backbone_record(),
            "scale": None if scale is None else str(scale),
            "data": {
                "name": self.train.benchmark.name,
                "items": len(self.train),
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
