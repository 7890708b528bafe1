"""What a training is about: all that the job of training, which is the same for every kind of model, does not know."""

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
    from similitude.training.course import Course

__all__ = ["Trainer", "TrainingSettlement", "Weights"]

Weights = Mapping[str, Any]
"""Of a network, by name."""


class TrainingSettlement(NamedTuple):
    """What is known once the weights to keep are known.

    Attributes:
        figures: of all of them together, on the validation items.
        record: what else the model says of itself, ready for JSON.
        notes: that the user should read.
    """

    figures: dict[str, float]
    record: dict[str, Any]
    notes: tuple[str, ...] = ()


class Trainer(Protocol):
    """A kind of model, the data that it learns from, and how it is judged and kept."""

    @property
    def name(self) -> str:
        """Of the data."""

    @property
    def items(self) -> int:
        """To learn from."""

    @property
    def notes(self) -> tuple[str, ...]:
        """That the user should read."""

    def plan(self, source: ModelFiles) -> dict[str, Any]:
        """What must be the same for a training to go on, ready for JSON."""
        ...

    def gather(self, folder: TrainingFolder) -> None:
        """Find out, and keep in the folder, what must be known before anything is opened."""

    def open(self, how: LoadOptions) -> OpenedNetwork:
        """The network, ready to learn; what is random in it follows from torch's seed."""
        ...

    def prepare(self, opened: OpenedNetwork, recipe: Recipe) -> PreparedTraining:
        """What is learned, tokenised."""
        ...

    def teach(
        self, prepared: PreparedTraining, recipe: Recipe, folder: TrainingFolder, listener: Listener | None
    ) -> Distilled | None:
        """The course that teachers leave to the student; None without teachers."""
        ...

    def start(self, network: Any, seed: int) -> None:
        """Make the network, which holds the first weights, ready for the training with one seed."""

    def settle(self, course: Course, kept: Sequence[Weights]) -> TrainingSettlement:
        """Judge what is kept; the network holds the first of it afterwards."""
        ...

    def record(self, opened: OpenedNetwork) -> dict[str, Any]:
        """What the model says of itself, apart from how the training went; ready for JSON."""
        ...

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """What the model needs beside its weights, by name; kept in a file of its own where there is any."""
        ...

    def card(self, record: dict[str, Any]) -> str:
        """The model card."""
        ...
