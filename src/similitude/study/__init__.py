"""Plans and their execution."""

from similitude.study.folder import usual_folder
from similitude.study.run import Run, run

__all__ = ["Run", "run", "usual_folder"]
