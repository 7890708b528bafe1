"""Where the pieces of a large job run: in this process, or on the workers of a Ray cluster."""

from similitude.study.engines.engine import Engine
from similitude.study.engines.local import LocalEngine

__all__ = ["Engine", "LocalEngine"]
