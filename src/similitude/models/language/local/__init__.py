"""Language models whose weights are on this machine."""

from similitude.models.language.local.model import open_local

__all__ = ["open_local"]
