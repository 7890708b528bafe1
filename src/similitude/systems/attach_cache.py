"""Hands caches and a listener to a system that can use them."""

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

__all__ = ["attach_cache", "fingerprint_of"]


def attach_cache(
    system: System,
    cache: VectorCache | None = None,
    answers: AnswerCache | None = None,
    listener: Listener | None = None,
) -> System:
    """The system with a cache of vectors, a cache of answers and a listener, as far as given and as it can use them."""
    if cache is not None and isinstance(system, UsesCache):
        system = system.with_cache(cache)
    if answers is not None and isinstance(system, UsesAnswers):
        system = system.with_answers(answers)
    if listener is not None and isinstance(system, Tells):
        system = system.with_listener(listener)
    return system


def fingerprint_of(system: System) -> str | None:
    """The fingerprint of the system's model; None for a system without one."""
    return system.model_fingerprint() if isinstance(system, UsesModel) else None
