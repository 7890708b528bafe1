"""Systems that predict how far people differ: distribution heads, MC-Dropout, deep ensembles, Gaussian processes."""

from similitude.systems.uncertain import gaussian_process, system

__all__ = ["gaussian_process", "system"]
