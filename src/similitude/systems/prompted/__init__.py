"""Language models as judges: prompted scores, multiple choice, simulated raters."""

from similitude.systems.prompted import choice_system, system

__all__ = ["choice_system", "system"]
