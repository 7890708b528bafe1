"""Training encoders: recipe, objective, batches under a token budget, and a loop that survives being killed.

Nothing here imports torch until `similitude.training.loop` is imported.
"""

from similitude.training.examples import Examples, examples_of
from similitude.training.fold_teachers import Teachers
from similitude.training.objectives import OBJECTIVES, MseQuad, Objective, make_objective
from similitude.training.progress import Epoch, Shelf, TrainingProgress
from similitude.training.recipe import Recipe

__all__ = [
    "OBJECTIVES",
    "Epoch",
    "Examples",
    "MseQuad",
    "Objective",
    "Recipe",
    "Shelf",
    "Teachers",
    "TrainingProgress",
    "examples_of",
    "make_objective",
]
