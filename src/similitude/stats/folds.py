"""Folds for cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

__all__ = ["grouped_folds", "named_folds", "scattered", "stratified_folds"]


def stratified_folds(classes: NDArray[np.intp], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The fold of each member, from 0; each class is spread over the folds as evenly as possible.

    Classes are dealt one after the other, each from where the one before ended, so that folds have nearly equal sizes.

    >>> folds = stratified_folds(np.array([0] * 6 + [1] * 4), 2, np.random.default_rng(0))
    >>> np.bincount(folds[:6]), np.bincount(folds[6:])
    (array([3, 3]), array([2, 2]))
    """
    fold = np.empty(classes.size, dtype=np.intp)
    names = rng.permutation(folds)
    dealt = 0
    for each in np.unique(classes):
        members = rng.permutation(np.flatnonzero(classes == each))
        fold[members] = names[(dealt + np.arange(members.size)) % folds]
        dealt += members.size
    return fold


def grouped_folds(
    values: NDArray[np.float64], groups: NDArray[np.intp], keys: NDArray[np.uint64], folds: int
) -> NDArray[np.intp]:
    """The fold of each member, from 0; members of a group share a fold, and each fold holds the whole range of values.

    Groups are sorted by their mean value, and each run of as many groups as there are folds is dealt to all folds, in
    the order of their keys. There are no more folds than groups.

    Args:
        values: one per member.
        groups: the group number of each member.
        keys: one per member, equal within a group; they replace a random generator, so that the folds do not depend on
            the order of the members.
        folds: the number of folds.

    >>> # groups 5, 6 and 7 in order of their means; 5 and 6 are dealt by their keys, 6 first, then 7
    >>> keys = np.array([3, 3, 1, 2], dtype=np.uint64)
    >>> grouped_folds(np.array([0.0, 0, 1, 1]), np.array([5, 5, 6, 7]), keys, 2)
    array([1, 1, 0, 0])
    """
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    number = min(folds, first.size)
    means = np.bincount(group, weights=values) / np.bincount(group)
    place = np.argsort(np.lexsort((keys[first], means)))
    dealt = np.argsort(np.lexsort((keys[first], place // number)))
    return np.asarray(dealt % number)[group]


def named_folds(values: NDArray[np.float64], names: Sequence[str], folds: int) -> NDArray[np.intp]:
    """The fold of each member, from the name of its group: the order of the members does not matter.

    >>> named_folds(np.array([0.0, 0, 1, 1]), ["a", "b", "c", "c"], 2)
    array([0, 1, 0, 0])
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    groups = np.fromiter((numbers[name] for name in names), dtype=np.intp)
    hashed = b"".join(blake2b(name.encode(), digest_size=8).digest() for name in numbers)
    return grouped_folds(values, groups, np.frombuffer(hashed, dtype="<u8")[groups], folds)


def scattered(numbers: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Numbers in a fixed disorder, without repetition (the finaliser of SplitMix64; Steele, Lea and Flood, 2014)."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
