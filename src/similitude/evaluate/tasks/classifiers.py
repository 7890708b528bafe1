"""Classifiers on one similarity score: OneR and logistic regression, both cross-validated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from similitude import stats
from similitude.errors import InputError
from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.folds import named_folds

__all__ = ["Folds", "check_classes", "cross_validated_logistic", "cross_validated_one_rule", "make_folds"]

Classes = Integers

FOLDS = 10
INNER_FOLDS = 5
BUCKETS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Candidate bucket sizes; the best is chosen on the training folds alone."""


class Folds(NamedTuple):
    """The test fold of each member, with notes."""

    of_member: Integers
    number: int
    notes: tuple[str, ...] = ()

    def training(self) -> Booleans:
        """Folds x members: which members are trained on while the fold is tested."""
        return np.asarray(self.of_member[None] != np.arange(self.number)[:, None])


def make_folds(
    classes: Classes,
    names: tuple[str, ...],
    rng: np.random.Generator,
    where: str,
    folds: int = FOLDS,
    groups: Sequence[str] | None = None,
) -> Folds:
    """Stratified folds: ten, or fewer if the smallest class has fewer members, or if there are fewer groups.

    Args:
        classes: of each member.
        names: of the classes.
        rng: deals the members.
        where: the task, for errors.
        folds: how many at most.
        groups: the name of each member's group; groups are not divided. None if no two members share one.

    Raises:
        InputError: a class has one member, which cannot be both trained on and tested, or there is only one class.
    """
    sizes = check_classes(classes, names, where)
    smallest = int(sizes[sizes > 0].min())
    number = min(folds, smallest)
    notes: tuple[str, ...] = ()
    if number < folds:
        name = names[int(np.flatnonzero(sizes == smallest)[0])]
        notes = (f"{number} folds instead of {folds}: class '{name}' has {smallest} members",)
    if groups is None:
        return Folds(stats.stratified_folds(classes, number, rng), number, notes)
    of_member = named_folds(classes.astype(np.float64), groups, number)
    dealt = int(of_member.max()) + 1
    if dealt < 2:
        what = "all members share one group, so that none can be held out"
        raise InputError(what, where=where, remedy="give more groups, or leave out the column group")
    return Folds(of_member, dealt, notes if dealt == number else (f"{dealt} folds: there are {dealt} groups",))


def check_classes(classes: Classes, names: tuple[str, ...], where: str) -> Integers:
    """The number of members of each class.

    Raises:
        InputError: a class has one member, which cannot be both trained on and tested, or there is only one class.
    """
    sizes = np.bincount(classes, minlength=len(names))
    if np.count_nonzero(sizes) < 2:
        raise InputError("all members are of one class", where=where, remedy="give members of at least two classes")
    if (sizes == 1).any():
        name = names[int(np.flatnonzero(sizes == 1)[0])]
        what = f"class '{name}' has one member, which cannot be both trained on and tested"
        raise InputError(what, where=where, remedy="add members to that class, or remove it")
    return np.asarray(sizes)


def cross_validated_one_rule(values: Array, classes: Classes, folds: Folds, rng: np.random.Generator) -> Classes:
    """The class that OneR predicts for each held-out member: systems x members.

    The bucket size of each fold is the best in an inner cross-validation of its training members; of equals, the
    largest, which gives the simplest rule.
    """
    inner = _inner_folds(classes, folds, rng)
    return np.stack([_one_rule(row, classes, folds, inner) for row in values])


def cross_validated_logistic(values: Array, classes: Classes, folds: Folds) -> Classes:
    """The class that logistic regression predicts for each held-out member: systems x members."""
    systems, members = values.shape
    training = np.tile(folds.training(), (systems, 1))
    repeated = np.repeat(values, folds.number, axis=0)
    labels = np.broadcast_to(classes, repeated.shape)
    said = stats.fit_logistic(repeated, labels, training).apply(repeated)
    by_fold = said.reshape(systems, folds.number, members)
    return np.asarray(by_fold[:, folds.of_member, np.arange(members)])


def _one_rule(values: Array, classes: Classes, folds: Folds, inner: Integers) -> Classes:
    """One system: the best bucket size of each fold, then the rule of each fold."""
    training = folds.training()
    buckets = np.array([size for size in BUCKETS if size <= max(1, training.sum(axis=1).min() / 4)])
    right = _inner_accuracy(values, classes, training, inner, buckets)
    best = buckets[right.shape[1] - 1 - right[:, ::-1].argmax(axis=1)]
    rows = np.broadcast_to(values, training.shape)
    said = stats.learn_rules(rows, np.broadcast_to(classes, training.shape), best, training).apply(rows)
    return np.asarray(said[folds.of_member, np.arange(values.size)])


def _inner_accuracy(
    values: Array, classes: Classes, training: Booleans, inner: Integers, buckets: Integers
) -> Integers:
    """Folds x bucket sizes: correctly classified training members in the inner folds."""
    tested = inner[:, None] == np.arange(INNER_FOLDS)[None, :, None]  # folds x inner folds x members
    learned = np.repeat((training[:, None] & ~tested).reshape(-1, values.size), buckets.size, axis=0)
    rows, labels = np.broadcast_to(values, learned.shape), np.broadcast_to(classes, learned.shape)
    sizes = np.tile(buckets, len(training) * INNER_FOLDS)
    is_right = stats.learn_rules(rows, labels, sizes, learned).apply(rows) == classes
    is_right = is_right.reshape(len(training), INNER_FOLDS, buckets.size, -1) & (training[:, None] & tested)[:, :, None]
    return np.asarray(is_right.sum(axis=(1, 3)))


def _inner_folds(classes: Classes, folds: Folds, rng: np.random.Generator) -> Integers:
    """Folds x members: the inner fold of each training member. The same for all systems."""
    inner = np.zeros((folds.number, classes.size), dtype=np.intp)
    for row, learned in zip(inner, folds.training(), strict=True):
        row[learned] = stats.stratified_folds(classes[learned], INNER_FOLDS, rng)
    return inner
