"""Plans and their execution."""

from similitude.study.choice import Choice, choice_of, choose
from similitude.study.execution import run
from similitude.study.folder import usual_folder
from similitude.study.runs import Run
from similitude.study.saved_run import load_run

__all__ = ["Choice", "Run", "choice_of", "choose", "load_run", "run", "usual_folder"]
