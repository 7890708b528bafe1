"""Exact search on a GPU, under the same restrictions and with the same result as on the CPU."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours.directed_pairs import Pairs, best_pairs, pair_array
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.collect.candidates.neighbours.settings import SearchSettings
from similitude.collect.candidates.neighbours.unit_vectors import pair_cosines
from similitude.errors import ArgumentError, MissingExtraError

__all__ = ["check_device", "device_pairs"]


def device_pairs(vectors: NDArray[np.float32], restrictions: Restrictions, settings: SearchSettings) -> Pairs:
    """The nearest neighbours of all rows as directed pairs, best first.

    Raises:
        MissingExtraError: torch is not installed.
        ArgumentError: torch finds no such device.
    """
    rows = np.flatnonzero(restrictions.is_usable)
    same = (restrictions.parts[rows],) if len(np.unique(restrictions.parts[rows])) > 1 else ()
    other = tuple(numbers[rows] for numbers in restrictions.apart)
    assert settings.device is not None
    found = _searched(vectors[rows], settings.k, same, other, settings.device)
    place, rank = np.nonzero(found >= 0)
    left, right = rows[place], rows[found[place, rank]]
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    return best_pairs(pair_array(left, right, pair_cosines(vectors, left, right)), settings.k)


def _searched(
    vectors: NDArray[np.float32],
    k: int,
    same: tuple[NDArray[np.int64], ...],
    other: tuple[NDArray[np.int64], ...],
    device: str,
) -> NDArray[np.int32]:
    from similitude.collect.candidates.gpu_neighbours import exact_neighbours

    check_device(device)
    return exact_neighbours(vectors, k, same=same, other=other, device=device)[0]


def check_device(device: str) -> None:
    """Check that torch finds a device.

    Raises:
        MissingExtraError: torch is not installed.
        ArgumentError: torch finds no such device.
    """
    try:
        import torch
    except ImportError:
        raise MissingExtraError("torch", "encoders") from None
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        why = str(error).splitlines()[0] if str(error) else "torch does not know it"
        remedy = "leave --search-device out to search on the CPU, or name another, such as cuda"
        raise ArgumentError(f"device {device!r}: {why}", remedy=remedy) from None
