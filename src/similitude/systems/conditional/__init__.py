"""Similarity in the respect that a condition names: cross-, bi- and tri-encoders."""

from similitude.systems.conditional import system

__all__ = ["system"]
