"""Similarity with respect to a condition: cross-, bi- and tri-encoders."""

from similitude.systems.conditional import system

__all__ = ["system"]
