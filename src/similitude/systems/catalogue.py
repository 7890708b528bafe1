"""The registry of systems: a name such as ``char-ngram-cosine(n=3)`` to the system that it names."""

from __future__ import annotations

from similitude.data.protocols import System
from similitude.registry import Registry

__all__ = ["DEFAULT_SYSTEM", "SYSTEMS", "make_system"]

SYSTEMS: Registry[System] = Registry("system", "similitude.systems")

DEFAULT_SYSTEM = "use-multilingual"
"""What is meant wherever a system is needed and none is named: works offline, in 16 languages, without torch."""


def make_system(written: str = DEFAULT_SYSTEM) -> System:
    """The system that ``written`` names.

    >>> make_system("levenshtein").identity
    Spec(name='levenshtein', at=None, arguments=(), keywords={})
    """
    return SYSTEMS.make(written)
