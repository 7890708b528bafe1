"""The request for the training of a model of opinions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from similitude.errors import ArgumentError
from similitude.systems.uncertain.architecture import DEFAULT_POOLING, Encoding
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.systems.uncertain.heads import make_head
from similitude.training.conditions import Reading
from similitude.training.recipe import Recipe
from similitude.training.request import Pooling, Recalibrate, TrainingRequest
from similitude.training.teacher import Teaching
from similitude.training.uncertain.objectives import check_objective

__all__ = ["OpinionRecipe", "OpinionRequest", "read_as"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionRecipe(Recipe):
    """The hyperparameters of a training on opinions, which takes fewer epochs."""

    epochs: int = 3


@dataclass(frozen=True, kw_only=True)
class OpinionRequest(TrainingRequest):
    """A model of people's opinions to train.

    Attributes:
        architecture: what is built on the backbone; its scale is that of the data.
        pooling: how token vectors are pooled. As for similarity, or last, the default for a language model.
        objective: the training loss: mse, nll, kl, crps, beta-nll or your own. By default it suits the head.
        balanced: give each of several DATA the same weight.
        recalibrate: how sigmas are corrected on the validation items.
        evidence: a further source of numbers about a pair: overlap, or a system. Repeatable.
        default_encoding: whether to choose another encoding if the model does not support the given one.
        layers: keep only the first layers of the model; 0 for all.
        adapters: freeze the model and train adapters (LoRA) of this rank, such as 16; 0 for none.
        teaching: a teacher that labels unrated pairs to learn from as well; None for none.
        reads: which texts are read. Auto: the sentences, and the condition if the items have one. All: the condition
            must be there. Sentences: conditions are ignored.
    """

    pooling: Pooling = DEFAULT_POOLING
    recipe: Recipe = field(default_factory=OpinionRecipe)
    architecture: OpinionArchitecture = field(default_factory=OpinionArchitecture)
    objective: str | None = None
    balanced: bool = False
    recalibrate: Recalibrate = "none"
    evidence: tuple[str, ...] = ()
    default_encoding: bool = False
    layers: int = 0
    adapters: int = 0
    teaching: Teaching | None = None
    reads: Reading = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_objective(self.loss, self.architecture)
        if self.evidence and self.architecture.parts > 1:
            raise ArgumentError(
                "evidence needs pairs, but architecture 'bi' compares texts read alone",
                remedy="use --architecture joint or --architecture cross, or omit --evidence",
            )
        if self.seeds > 1 and self.ensemble > 1:
            raise ArgumentError(
                "--seeds averages the weights of several trainings, and --ensemble keeps all of them",
                remedy="use one of the two",
            )
        if self.recalibrate != "none" and not (self.architecture.has_spread or self.ensemble > 1):
            raise ArgumentError(
                "a single point model has no spread to recalibrate", remedy="use --head gaussian, or --ensemble 5"
            )

    @property
    def loss(self) -> str:
        """The objective, or the one that suits the head."""
        return self.objective or make_head(self.architecture.head).objective


def read_as(request: OpinionRequest, encoding: Encoding | None) -> OpinionRequest:
    r"""The request with the chosen architecture, or the default of its head; \n in a template is a newline."""
    shape = replace(
        request.architecture,
        encoding=encoding or make_head(request.architecture.head).encoding,
        template=request.architecture.template.replace(r"\n", "\n"),
        side_template=request.architecture.side_template.replace(r"\n", "\n"),
    )
    return replace(request, architecture=shape, default_encoding=encoding is None)
