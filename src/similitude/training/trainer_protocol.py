"""What differs between kinds of networks in a training: data, architecture, validation, record and card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from similitude.data.protocols import Listener
from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.training.dataset_tensors import PreparedTraining
from similitude.training.distillation import Distilled
from similitude.training.folder import TrainingFolder
from similitude.training.recipe import Recipe

if TYPE_CHECKING:
    from similitude.training.training_setup import TrainingSetup

__all__ = ["FinalValidation", "NetworkTrainer", "Weights"]

Weights = Mapping[str, Any]
"""The weights of a network, by name."""


class FinalValidation(NamedTuple):
    """What is known once the weights are chosen.

    Attributes:
        figures: of all members together, on the validation items.
        record: what else the model's record says, ready for JSON.
        notes: what the user should know.
    """

    figures: dict[str, float]
    record: dict[str, Any]
    notes: tuple[str, ...] = ()


class NetworkTrainer(Protocol):
    """A kind of network, its data, and how it is validated and recorded; `NetworkJob` trains it."""

    @property
    def name(self) -> str:
        """The name of the training data."""

    @property
    def items(self) -> int:
        """The number of items to learn from."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the data."""

    def plan(self, source: ModelFiles) -> dict[str, Any]:
        """What must be unchanged for a training to be resumed; ready for JSON."""
        ...

    def gather(self, folder: TrainingFolder) -> None:
        """Collect, and keep in the folder, the data that must be known before the model is loaded."""

    def open(self, how: LoadOptions) -> OpenedNetwork:
        """Load the network, ready to train; torch's seed determines all that is random in it."""
        ...

    def prepare(self, opened: OpenedNetwork, recipe: Recipe) -> PreparedTraining:
        """Tokenise the data."""
        ...

    def distil(
        self, prepared: PreparedTraining, recipe: Recipe, folder: TrainingFolder, listener: Listener | None
    ) -> Distilled | None:
        """The student's setup, with the scores of teachers; None without teachers."""
        ...

    def start(self, network: Any, seed: int) -> None:
        """Prepare the network, which holds the initial weights, for the training with one seed."""

    def final_validation(self, setup: TrainingSetup, weights: Sequence[Weights]) -> FinalValidation:
        """Validate the chosen weights of each member; the network then holds the first member's."""
        ...

    def record(self, opened: OpenedNetwork) -> dict[str, Any]:
        """What the model's record says, apart from how the training went; ready for JSON."""
        ...

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Arrays that the model needs beside its weights, by name; saved in a file of their own."""
        ...

    def card(self, record: dict[str, Any]) -> str:
        """The model card, in Markdown."""
        ...
