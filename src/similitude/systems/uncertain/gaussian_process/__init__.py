"""SBERT-GPR: a sparse Gaussian process over the vectors of a frozen sentence encoder."""

from similitude.systems.uncertain.gaussian_process import system

__all__ = ["system"]
