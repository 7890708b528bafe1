"""Plans and their execution."""

from similitude.study.executing import run
from similitude.study.folder import usual_folder
from similitude.study.loading import load_run
from similitude.study.runs import Run

__all__ = ["Run", "load_run", "run", "usual_folder"]
