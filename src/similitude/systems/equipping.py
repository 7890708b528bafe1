"""What a system that is part of another is handed, and how the other knows that it has changed."""

from __future__ import annotations

from similitude.data.protocols import Listener, System, Tells, UsesCache, UsesModel, VectorCache
from similitude.systems.source_code import code_of

__all__ = ["equipped", "fingerprint_of"]


def equipped(system: System, cache: VectorCache | None = None, listener: Listener | None = None) -> System:
    """The system with a cache and a listener, where it is given one and can use it."""
    if cache is not None and isinstance(system, UsesCache):
        system = system.with_cache(cache)
    if listener is not None and isinstance(system, Tells):
        system = system.with_listener(listener)
    return system


def fingerprint_of(system: System) -> str | None:
    """Changes when the system's model or its code does; None for one of ours that has no model."""
    model = system.model_fingerprint() if isinstance(system, UsesModel) else None
    known = [part for part in (model, code_of(system)) if part is not None]
    return "; ".join(known) or None
