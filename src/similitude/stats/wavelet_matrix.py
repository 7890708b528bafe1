"""Counts of smaller values in prefixes of a sequence, for all prefixes at once (a wavelet matrix).

Reference: Claude, Navarro and Ordóñez (2015), The wavelet matrix: an efficient wavelet tree for large alphabets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["smaller_in_prefix"]

Integers = NDArray[np.integer]


def smaller_in_prefix(values: Integers, lengths: Integers) -> NDArray[np.int64]:
    """For each position i, how many of the first ``lengths[i]`` values are smaller than ``values[i]``.

    The values are compared bit by bit, from the highest, and a stable partition by each bit keeps those of a prefix
    together: log n passes over arrays, whatever the prefixes.

    Args:
        values: integers from 0.
        lengths: the length of each prefix, 0 to the number of values.

    >>> smaller_in_prefix(np.array([2, 0, 1, 3]), np.array([0, 1, 2, 4]))
    array([0, 0, 1, 3])
    """
    kind = np.int32 if values.size < 2**31 else np.int64
    current = values = np.asarray(values, dtype=kind)
    first, last = np.zeros(values.size, dtype=kind), np.asarray(lengths, dtype=kind)
    smaller = np.zeros(values.size, dtype=np.int64)
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        is_one = (current >> bit) & 1 == 1
        zeros = np.zeros(values.size + 1, dtype=kind)
        np.cumsum(~is_one, out=zeros[1:])
        zeros_first, zeros_last = zeros[first], zeros[last]
        goes_right = (values >> bit) & 1 == 1
        smaller += np.where(goes_right, zeros_last - zeros_first, 0)
        first = np.where(goes_right, zeros[-1] + first - zeros_first, zeros_first)
        last = np.where(goes_right, zeros[-1] + last - zeros_last, zeros_last)
        current = np.concatenate([current[~is_one], current[is_one]])
    return smaller
