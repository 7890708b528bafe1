"""The training of models: recipes, objectives, teachers, and trainers for similarity, opinions and Gaussian processes.

Importing this package does not import torch.
"""

from similitude.training.examples import Examples, examples_of
from similitude.training.fold_teachers import Teachers
from similitude.training.objectives import OBJECTIVES, MseQuad, Objective, make_objective
from similitude.training.progress import Checkpoints, Epoch, TrainingProgress
from similitude.training.recipe import Recipe

__all__ = [
    "OBJECTIVES",
    "Checkpoints",
    "Epoch",
    "Examples",
    "MseQuad",
    "Objective",
    "Recipe",
    "Teachers",
    "TrainingProgress",
    "examples_of",
    "make_objective",
]
