"""The objective of a similarity model, as users ask for it."""

from __future__ import annotations

from dataclasses import dataclass

from similitude.training.objectives import Objective, make_objective

__all__ = ["Loss"]


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
        """The chosen objective, or the default of the architecture."""
        usual = "mse" if encoding == "cross" else "quad+mse"
        return make_objective(self.objective or usual, quad_weight=self.quad_weight, margin=self.margin)
