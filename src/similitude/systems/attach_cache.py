"""Attaches caches and a listener to systems that can use them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Literal

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

__all__ = [
    "AnswersChoice",
    "CacheChoice",
    "attach_cache",
    "attach_chosen",
    "chosen_answers",
    "chosen_cache",
    "fingerprint_of",
]

CacheChoice = VectorCache | Literal["usual"] | None
AnswersChoice = AnswerCache | Literal["usual"] | None
"""A cache, "usual" for the one that the environment configures, as on the command line, or None for none."""


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


def attach_chosen(
    systems: Sequence[System], cache: CacheChoice, answers: AnswersChoice, listener: Listener | None
) -> list[System]:
    """The systems with the chosen caches; one that has a cache of its own keeps it if the usual one was chosen.

    Args:
        systems: in order.
        cache: of vectors.
        answers: of language models.
        listener: hears what is wrong with a cache; without one, it becomes a warning.
    """
    vectors, said = chosen_cache(cache, listener), chosen_answers(answers, listener)
    return [
        attach_cache(
            system,
            None if cache == "usual" and getattr(system, "cache", None) is not None else vectors,
            None if answers == "usual" and getattr(system, "answers", None) is not None else said,
        )
        for system in systems
    ]


def chosen_cache(cache: CacheChoice, listener: Listener | None = None) -> VectorCache | None:
    """The chosen cache of vectors, which tells the listener what is wrong with it."""
    from similitude.models.cache import VectorStore, usual_cache  # imported late: takes time

    found = usual_cache() if isinstance(cache, str) else cache
    return found.telling(_tell(listener)) if isinstance(found, VectorStore) else found


def chosen_answers(answers: AnswersChoice, listener: Listener | None = None) -> AnswerCache | None:
    """The chosen cache of answers, which tells the listener what is wrong with it."""
    from similitude.models.cache import AnswerStore, usual_answers  # imported late: takes time

    found = usual_answers() if isinstance(answers, str) else answers
    return found.telling(_tell(listener)) if isinstance(found, AnswerStore) else found


def _tell(listener: Listener | None) -> Callable[[str], None]:
    return listener.note if listener is not None else lambda text: warnings.warn(text, stacklevel=2)


def fingerprint_of(system: System) -> str | None:
    """Fingerprint of the system's model and code; None for a built-in system without a model."""
    model = system.model_fingerprint() if isinstance(system, UsesModel) else None
    known = [part for part in (model, code_of(system)) if part is not None]
    return "; ".join(known) or None
