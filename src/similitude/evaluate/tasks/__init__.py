"""Tasks that use similarity: what each needs of a system, and which measure and system fit it."""

from similitude.evaluate.tasks.requirements import Requirements, plausible_requirements, requirements_of_kind

__all__ = ["Requirements", "plausible_requirements", "requirements_of_kind"]
