"""Where the pieces of a large job run: in this process, or on the workers of a Ray cluster."""

from similitude.study.engines.engine import Engine
from similitude.study.engines.local import LocalEngine
from similitude.study.engines.opened_engine import ENGINES, open_engine

__all__ = ["ENGINES", "Engine", "LocalEngine", "open_engine"]
