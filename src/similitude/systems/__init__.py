"""Systems: they score items. Each is registered under a name."""

from similitude.systems import conditional, encoders, prompted, strings, uncertain
from similitude.systems import pool as pooling
from similitude.systems.catalogue import DEFAULT_SYSTEM, SYSTEMS, make_system

__all__ = [
    "DEFAULT_SYSTEM",
    "SYSTEMS",
    "conditional",
    "encoders",
    "make_system",
    "pooling",
    "prompted",
    "strings",
    "uncertain",
]
