"""Training encoders: recipe, objective, batches under a token budget, and a loop that survives being killed.

Nothing here imports torch until `similitude.systems.training.loop` is imported.
"""

from similitude.systems.training.distilling import Teachers
from similitude.systems.training.examples import Examples, examples_of
from similitude.systems.training.objectives import OBJECTIVES, Objective, make_objective
from similitude.systems.training.progress import Epoch, Progress, Shelf
from similitude.systems.training.recipe import Recipe

__all__ = [
    "OBJECTIVES",
    "Epoch",
    "Examples",
    "Objective",
    "Progress",
    "Recipe",
    "Shelf",
    "Teachers",
    "examples_of",
    "make_objective",
]
