"""Language models whose weights are on this machine."""

from similitude.systems.prompted.local.opening import open_local

__all__ = ["open_local"]
