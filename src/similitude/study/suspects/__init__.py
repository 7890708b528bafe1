"""Labels that are probably wrong: forecasts that never saw them, a mixture of right and wrong ones, and reasons."""

from similitude.study.suspects.search import find_suspects
from similitude.study.suspects.suspect_files import write_questions, write_suspects
from similitude.study.suspects.suspects import Suspects

__all__ = ["Suspects", "find_suspects", "write_questions", "write_suspects"]
