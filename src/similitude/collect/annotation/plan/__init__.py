"""The study in TOML, read and checked."""

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.study import Study

__all__ = ["Study", "StudyPlan"]
