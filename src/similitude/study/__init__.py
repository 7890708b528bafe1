"""Plans and their execution."""

from similitude.study.choosing import Choice, choice_of, choose
from similitude.study.executing import run
from similitude.study.folder import usual_folder
from similitude.study.loading import load_run
from similitude.study.runs import Run

__all__ = ["Choice", "Run", "choice_of", "choose", "load_run", "run", "usual_folder"]
