"""Systems that are objects in Python: functions, models, and scores in memory."""

from similitude.systems.objects.file_function import FileFunction
from similitude.systems.objects.named_system import NamedSystem, system
from similitude.systems.objects.object_kinds import NEEDS
from similitude.systems.objects.object_system import ObjectSystem
from similitude.systems.objects.score_column import ScoreColumn

__all__ = ["NEEDS", "FileFunction", "NamedSystem", "ObjectSystem", "ScoreColumn", "system"]
