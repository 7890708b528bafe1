"""What a system that is part of another is handed, and how the other knows that it has changed."""

from __future__ import annotations

from similitude.data.protocols import Listener, System, Tells, UsesCache, UsesModel, VectorCache

__all__ = ["attach_cache", "fingerprint_of"]


def attach_cache(system: System, cache: VectorCache | None = None, listener: Listener | None = None) -> System:
    """The system with a cache and a listener, where it is given one and can use it."""
    if cache is not None and isinstance(system, UsesCache):
        system = system.with_cache(cache)
    if listener is not None and isinstance(system, Tells):
        system = system.with_listener(listener)
    return system


def fingerprint_of(system: System) -> str | None:
    """Changes when the system's model does; None for one that never does."""
    return system.model_fingerprint() if isinstance(system, UsesModel) else None
