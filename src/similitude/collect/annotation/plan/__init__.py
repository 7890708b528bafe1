"""Study plans: the TOML file of a study, read and checked."""

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.study import Study

__all__ = ["Study", "StudyPlan"]
