"""Systems that say how far people would differ: distribution heads, MC-Dropout, deep ensembles, Gaussian processes."""

from similitude.systems.uncertain import gaussian_process, system

__all__ = ["gaussian_process", "system"]
