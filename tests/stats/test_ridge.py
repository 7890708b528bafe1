"""Ridge regression on the other folds."""

import numpy as np
import pytest

from similitude.stats.ridge import PENALTIES, held_out_ridge


def test_the_penalty_minimises_generalised_cross_validation():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, 4))
    targets = features @ [1.0, 0, 0, -1] + rng.normal(0, 2, 60)
    folds = np.arange(60) % 3
    seen = folds != 0
    x, y = features[seen] - features[seen].mean(axis=0), targets[seen] - targets[seen].mean()

    def gcv(penalty):
        hat = x @ np.linalg.solve(x.T @ x + penalty * np.eye(4), x.T)
        return np.square(y - hat @ y).sum() / (len(y) - 1 - np.trace(hat)) ** 2

    best = min(PENALTIES, key=gcv)
    weights = np.linalg.solve(x.T @ x + best * np.eye(4), x.T @ y)
    wanted = (features[~seen] - features[seen].mean(axis=0)) @ weights + targets[seen].mean()
    assert held_out_ridge(features, targets, folds)[~seen] == pytest.approx(wanted)


def test_a_row_does_not_see_its_own_target():
    rng = np.random.default_rng(1)
    features, targets, folds = rng.normal(size=(20, 3)), rng.normal(size=20), np.arange(20) % 4
    before = held_out_ridge(features, targets, folds)[folds == 2]
    targets[folds == 2] += 100.0
    assert held_out_ridge(features, targets, folds)[folds == 2] == pytest.approx(before)


def test_more_features_than_rows():
    rng = np.random.default_rng(2)
    assert np.isfinite(held_out_ridge(rng.normal(size=(12, 40)), rng.normal(size=12), np.arange(12) % 3)).all()
