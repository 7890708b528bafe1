"""The objective of a similarity model, as users ask for it."""

from __future__ import annotations

from dataclasses import dataclass

from similitude.errors import ArgumentError
from similitude.training.objectives import Objective, make_objective, objective_arguments

__all__ = ["Loss", "default_objective"]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """The objective of training.

    Attributes:
        objective: what is minimised: mse, quad, quad+mse, mse+difference or your own. By default quad+mse; mse for a
            cross-encoder.
        quad_weight: the weight of quad next to mse.
        margin: the margin of quad, in cosine.
    """

    objective: str | None = None
    quad_weight: float = 0.5
    margin: float = 0.5

    def objective_for(self, encoding: str) -> Objective:
        """The chosen objective, or the default of the architecture.

        Raises:
            ArgumentError: a weight or margin is given that it does not have.
        """
        written = self.objective or default_objective(encoding)
        objective = make_objective(written, quad_weight=self.quad_weight, margin=self.margin)
        for name, value in {"quad_weight": self.quad_weight, "margin": self.margin}.items():
            if value != getattr(Loss, name) and name not in objective_arguments(written):
                option = f"--{name.replace('_', '-')}"
                what = f"{option} {value:g} has no effect with objective {written}"
                raise ArgumentError(what, remedy=f"omit {option}, or use --objective quad+mse")
        return objective


def default_objective(encoding: str) -> str:
    """What is minimised for an architecture if nobody says."""
    return "mse" if encoding == "cross" else "quad+mse"
