"""Annotation tasks: the contract, the registry, and the four tasks of Similitude."""

from similitude.collect.annotation.tasks.best_worst import BestWorstTask
from similitude.collect.annotation.tasks.conditions import ConditionsTask
from similitude.collect.annotation.tasks.pair import PairTask
from similitude.collect.annotation.tasks.rating import RatingTask
from similitude.collect.annotation.tasks.task import (
    ANNOTATION_TASKS,
    AnnotationTask,
    Answer,
    InterfaceTexts,
    QuestionSet,
    Read,
    TaskSettings,
)
from similitude.collect.annotation.tasks.verification import VerificationTask

__all__ = [
    "ANNOTATION_TASKS",
    "AnnotationTask",
    "Answer",
    "BestWorstTask",
    "ConditionsTask",
    "InterfaceTexts",
    "PairTask",
    "QuestionSet",
    "RatingTask",
    "Read",
    "TaskSettings",
    "VerificationTask",
]
