"""The four tasks, as values behind one protocol."""

from similitude.collect.annotation.tasks.best_worst import BestWorstTask
from similitude.collect.annotation.tasks.catalogue import DEFAULT_SCALES, task_of
from similitude.collect.annotation.tasks.conditions import ConditionsTask
from similitude.collect.annotation.tasks.rating import RatingTask
from similitude.collect.annotation.tasks.task import Answer, Read, Task
from similitude.collect.annotation.tasks.verification import VerificationTask

__all__ = [
    "DEFAULT_SCALES",
    "Answer",
    "BestWorstTask",
    "ConditionsTask",
    "RatingTask",
    "Read",
    "Task",
    "VerificationTask",
    "task_of",
]
