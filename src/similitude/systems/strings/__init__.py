"""Systems that need no weights."""

from similitude.systems.strings import edit_distance

__all__ = ["edit_distance"]
