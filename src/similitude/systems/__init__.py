"""Items -> predictions: the systems, by name."""

from similitude.systems import encoders, strings
from similitude.systems.names import DEFAULT_SYSTEM, SYSTEMS, make_system

__all__ = ["DEFAULT_SYSTEM", "SYSTEMS", "encoders", "make_system", "strings"]
