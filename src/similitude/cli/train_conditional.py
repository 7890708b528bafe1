"""``similitude train conditional``: encoders that learn similarity under a condition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from similitude.cli import options, parameters, train_options
from similitude.training.objectives import Objective, make_objective

__all__ = ["conditional"]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """The objective of training.

    Attributes:
        objective: what is minimised: mse, quad, quad+mse or your own. By default quad+mse, and mse for a cross-encoder.
        quad_weight: the weight of quad next to mse.
        margin: the margin of quad, in cosine.
    """

    objective: str | None = None
    quad_weight: float = 0.5
    margin: float = 0.5

    def objective_for(self, encoding: str) -> Objective:
        """The chosen objective, or the default of the architecture."""
        usual = "mse" if encoding == "cross" else "quad+mse"
        return make_objective(self.objective or usual, quad_weight=self.quad_weight, margin=self.margin)


def conditional(
    data: options.Data,
    /,
    *,
    request: Annotated[train_options.SimilarityOptions, parameters.flat(parameters.MODEL)],
    setup: train_options.Setup,
    loss: Annotated[Loss, parameters.flat(parameters.MODEL)] = Loss(),
    cross_fit: train_options.CrossFitted = train_options.CrossFit(),
) -> None:
    """Train an encoder to score how alike two texts are in the respect that a condition names.

    Example: similitude train conditional sample:conditions --model all-MiniLM-L6-v2 --folder my-model
    """
    wanted = replace(request, objective=loss.objective_for(request.architecture.encoding))
    train_options.train_similarity(data, cross_fit.applied(wanted), setup)
