"""Kernels: the covariance of two pairs of texts, by the distance of their rows in each block.

The same formulas serve numpy, for prediction, and torch, for training: ``xp`` is one of the two modules.

``rbf``
    a exp(-d/2), where d is the sum over blocks of w_b times the squared distance in block b.
``matern``
    a (1 + r + r^2/3) exp(-r) with r = sqrt(5 d): the Matern kernel with smoothness 5/2, for rougher functions.
``matern12``
    a exp(-r) with r = sqrt(d): the Matern kernel with smoothness 1/2, for very rough functions.
``linear+rbf``
    c + the sum over blocks of s_b times the dot product in block b, plus the rbf kernel.

All of a, w, c, s are positive and stored as logarithms in one vector of parameters: a, w of each block, then c and s of
each block if there is a linear part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

__all__ = ["KernelForm", "covariance", "first_parameters", "has_linear_part", "own_covariance"]

KernelForm = Literal["rbf", "matern", "matern12", "linear+rbf"]
FORMS: tuple[KernelForm, ...] = get_args(KernelForm)

_AMPLITUDE, _WEIGHT, _NARROW_WEIGHT, _SLOPE = 0.0, -4.0, 0.0, -4.0
"""Initial values, for blocks and targets of variance 1: the cosine matters, and wide blocks hardly do. With 40 to 600
items of USTS this ended as well as or better than starting from -2.
"""
_EVIDENCE_WEIGHT = -1.5
"""The initial value for a block of evidence, whose features are informative: it counts from the start."""
_TINY = 1e-12
"""Added under the root, whose gradient at 0 is infinite."""


def has_linear_part(form: KernelForm) -> bool:
    """Whether the kernel needs dot products as well as distances."""
    return form == "linear+rbf"


def first_parameters(form: KernelForm, widths: Sequence[int], evidence: int = 0) -> list[float]:
    """The initial parameters.

    Args:
        form: the kernel.
        widths: the widths of the blocks.
        evidence: how many of the last blocks are evidence.

    >>> first_parameters("rbf", (64, 1))
    [0.0, -4.0, 0.0]
    >>> first_parameters("rbf", (64, 1, 12), evidence=1)
    [0.0, -4.0, 0.0, -1.5]
    >>> len(first_parameters("linear+rbf", (64, 1)))
    6
    """
    of_vectors = widths[: len(widths) - evidence]
    weights = [_NARROW_WEIGHT if width == 1 else _WEIGHT for width in of_vectors] + [_EVIDENCE_WEIGHT] * evidence
    return [_AMPLITUDE, *weights, *([_SLOPE] * (1 + len(widths)) if has_linear_part(form) else [])]


def covariance(xp: Any, form: KernelForm, parameters: Any, distances: Any, products: Any) -> Any:
    """Covariance of every row with every inducing point.

    Args:
        xp: numpy or torch.
        form: the kernel.
        parameters: the logarithms described above.
        distances: squared distances per block: rows x points. In one tensor, they are summed in one pass.
        products: dot products per block; empty without a linear part.
    """
    values = xp.exp(parameters)
    apart = _weighted(values[1 : 1 + len(distances)], distances)
    if form == "matern":
        root = xp.sqrt(5.0 * apart + _TINY)
        return values[0] * (1.0 + root + root * root / 3.0) * xp.exp(-root)
    if form == "matern12":
        return values[0] * xp.exp(-xp.sqrt(apart + _TINY))
    smooth = values[0] * xp.exp(-0.5 * apart)
    return smooth + _linear(values, products) if has_linear_part(form) else smooth


def own_covariance(xp: Any, form: KernelForm, parameters: Any, squares: Sequence[Any]) -> Any:
    """Covariance of every row with itself.

    Args:
        xp: numpy or torch.
        form: the kernel.
        parameters: the logarithms described above.
        squares: for each block, the squared norm of every row.
    """
    values = xp.exp(parameters)
    level = values[0] + xp.zeros_like(squares[0])
    return level + _linear(values, squares) if has_linear_part(form) else level


def _linear(values: Any, products: Any) -> Any:
    first = 1 + len(products)
    return values[first] + _weighted(values[first + 1 : first + 1 + len(products)], products)


def _weighted(weights: Any, parts: Any) -> Any:
    if not isinstance(parts, Sequence):  # 0.1 s instead of 0.9 s for 7,000 rows x 1,024 points, gradients included
        return (weights @ parts.reshape(len(parts), -1)).reshape(parts.shape[1:])
    total = weights[0] * parts[0]
    for weight, part in zip(weights[1:], parts[1:], strict=True):
        total = total + weight * part
    return total
