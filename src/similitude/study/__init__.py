"""Studies: plans, their execution, and the runs that result."""

from similitude.study.choice import Choice, choice_of, choose
from similitude.study.execution import run
from similitude.study.folder import default_folder
from similitude.study.runs import Run
from similitude.study.saved_run import load_run

__all__ = ["Choice", "Run", "choice_of", "choose", "default_folder", "load_run", "run"]
