"""Attaches caches and a listener to a system that can use them."""

from __future__ import annotations

from similitude.data.protocols import (
    AnswerCache,
    Listener,
    System,
    Tells,
    UsesAnswers,
    UsesCache,
    UsesModel,
    VectorCache,
)
from similitude.systems.source_code import code_of

__all__ = ["attach_cache", "fingerprint_of"]


def attach_cache(
    system: System,
    cache: VectorCache | None = None,
    answers: AnswerCache | None = None,
    listener: Listener | None = None,
) -> System:
    """The system with these caches and this listener, as far as it can use them."""
    if cache is not None and isinstance(system, UsesCache):
        system = system.with_cache(cache)
    if answers is not None and isinstance(system, UsesAnswers):
        system = system.with_answers(answers)
    if listener is not None and isinstance(system, Tells):
        system = system.with_listener(listener)
    return system


def fingerprint_of(system: System) -> str | None:
    """Fingerprint of the system's model and code; None for a built-in system without a model."""
    model = system.model_fingerprint() if isinstance(system, UsesModel) else None
    known = [part for part in (model, code_of(system)) if part is not None]
    return "; ".join(known) or None
