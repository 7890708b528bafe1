"""Simulated ratings whose true agreement is known exactly.

An item has a latent value, a rater sees it with normal noise, and the sum is cut into categories. The probability that
two raters give two particular categories is an integral over the latent value, from which every alpha follows.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

__all__ = ["draw_ratings", "latent_share", "true_alpha"]

# A fine grid, because the steps between categories are steep where raters agree closely.
NODES = np.linspace(-8.0, 8.0, 20_001)
MASSES = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()


def draw_ratings(raters: int, items: int, share: float, prevalence: tuple[float, ...], rng: np.random.Generator):
    """Raters x items, values from 0; ``share`` is the part of the latent variance that is due to the items."""
    latent = rng.normal(size=items) * share**0.5 + rng.normal(size=(raters, items)) * (1 - share) ** 0.5
    return np.searchsorted(_cuts(prevalence), latent).astype(np.float64)


@cache
def latent_share(alpha: float, level: str, prevalence: tuple[float, ...], lowest: float = 0.0) -> float:
    """The share at which alpha on this level of measurement has this value."""
    return float(brentq(lambda share: true_alpha(share, level, prevalence, lowest) - alpha, 1e-6, 1 - 1e-6, xtol=1e-10))


def true_alpha(share: float, level: str, prevalence: tuple[float, ...], lowest: float = 0.0) -> float:
    """Alpha of all items and all raters: 1 - mean distance of two ratings of one item / of any two ratings."""
    below = ndtr((_cuts(prevalence)[:, None] - NODES * share**0.5) / (1 - share) ** 0.5)
    given = np.diff(below, axis=0, prepend=0.0, append=1.0)  # categories x nodes
    together, single = (given * MASSES) @ given.T, given @ MASSES
    distance = _distances(level, single, lowest)
    return float(1 - (together * distance).sum() / (np.outer(single, single) * distance).sum())


def _cuts(prevalence: tuple[float, ...]) -> np.ndarray:
    return ndtri(np.cumsum(prevalence)[:-1])


def _distances(level: str, single: np.ndarray, lowest: float) -> np.ndarray:
    values = lowest + np.arange(single.size)
    if level == "nominal":
        return 1 - np.eye(single.size)
    if level == "ordinal":
        values = np.cumsum(single) - single / 2
    apart = (values[:, None] - values) ** 2
    sums = (values[:, None] + values) ** 2
    return np.divide(apart, sums, out=np.zeros_like(apart), where=sums > 0) if level == "ratio" else apart
