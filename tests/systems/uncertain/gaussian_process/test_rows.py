"""Rows with evidence: blocks of one size, the same for both orders of a pair's texts."""

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.systems.uncertain.gaussian_process.features import fit_features
from similitude.systems.uncertain.gaussian_process.rows import PairNumbers, evidence_blocks, pair_rows

WIDTHS = (1, 4)


def pairs(items=40, seed=0):
    rng = np.random.default_rng(seed)
    left, right, evidence = (rng.normal(size=(items, width)).astype(np.float32) for width in (6, 6, sum(WIDTHS)))
    return PairNumbers(left, right, evidence)


def test_two_pairs_are_two_apart_in_every_block_on_average():
    # Numbers of variance 1: the mean squared distance of two draws of k of them is 2 k, hence 2 once each is divided
    # by sqrt(k).
    numbers = np.random.default_rng(0).normal(size=(20_000, 10)).astype(np.float32)
    rows = evidence_blocks(numbers, (1, 9))
    apart = (rows[::2] - rows[1::2]) ** 2
    assert apart[:, 0].mean() == pytest.approx(2, rel=0.05)
    assert apart[:, 1:].sum(axis=1).mean() == pytest.approx(2, rel=0.05)


def test_evidence_comes_after_the_vectors_and_knows_no_left_and_right():
    these = pairs()
    features = fit_features(these.left, these.right, kind="paper", components=0)
    rows, turned = (pair_rows(features, given, WIDTHS) for given in (these, these.turned()))
    np.testing.assert_array_equal(rows[:, : sum(features.widths)], features.apply(these.left, these.right))
    np.testing.assert_array_equal(rows[:, sum(features.widths) :], turned[:, sum(features.widths) :])
    assert not np.allclose(rows, turned)
    plain = pair_rows(features, these._replace(evidence=None))
    np.testing.assert_array_equal(plain, features.apply(these.left, these.right))


def test_some_of_the_pairs():
    these = pairs()
    few = these.some(30, 20)
    assert [len(part) for part in few] == [10, 10, 10]
    np.testing.assert_array_equal(few.evidence, these.evidence[30:])
    assert these._replace(evidence=None).some(0, 5).evidence is None


def test_evidence_of_another_width_is_refused():
    these = pairs()
    features = fit_features(these.left, these.right)
    for evidence in (None, these.evidence[:, :3]):
        told = 0 if evidence is None else 3
        with pytest.raises(ArgumentError, match=f"evidence has {told} features per pair, not 5 as in training"):
            pair_rows(features, these._replace(evidence=evidence), WIDTHS)
    with pytest.raises(ArgumentError, match="evidence has 5 features per pair, not 0 as in training"):
        pair_rows(features, these)
