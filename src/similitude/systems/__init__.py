"""Systems: they score items. Each is registered under a name, and its room is opened when the name is asked for."""

from similitude.systems.catalogue import DEFAULT_SYSTEM, SYSTEMS, make_system

__all__ = ["DEFAULT_SYSTEM", "SYSTEMS", "make_system"]
