"""Kernels: values by hand, numpy and torch alike, and matrices that are covariances."""

import numpy as np
import pytest

from similitude.systems.uncertain.gaussian_process.kernel import FORMS, covariance, first_parameters, own_covariance
from similitude.systems.uncertain.gaussian_process.posterior import blocks_of, products_of, squared_distances

WIDTHS = (3, 1)


def tables(rows, points):
    parts, others = blocks_of(rows, WIDTHS), blocks_of(points, WIDTHS)
    return [squared_distances(a, b) for a, b in zip(parts, others, strict=True)], products_of(parts, others)


def test_values_by_hand():
    # Amplitude 2, weights 1 and 0.5, squared distances 3 and 4: d = 5. rbf: 2 exp(-2.5). matern: r = 5,
    # 2 (1 + 5 + 25/3) exp(-5). matern12: 2 exp(-sqrt(5)). linear+rbf: 2 exp(-2.5) + 0.25 + 3 x 7 + 4 x 8 with bias
    # 0.25 and slopes 3 and 4.
    distances, products = [np.array([[3.0]]), np.array([[4.0]])], [np.array([[7.0]]), np.array([[8.0]])]
    smooth, linear = np.log([2.0, 1.0, 0.5]), np.log([2.0, 1.0, 0.5, 0.25, 3.0, 4.0])
    assert covariance(np, "rbf", smooth, distances, []).item() == pytest.approx(2 * np.exp(-2.5))
    assert covariance(np, "matern", smooth, distances, []).item() == pytest.approx(2 * (6 + 25 / 3) * np.exp(-5))
    assert covariance(np, "matern12", smooth, distances, []).item() == pytest.approx(2 * np.exp(-np.sqrt(5)))
    assert covariance(np, "linear+rbf", linear, distances, products).item() == pytest.approx(2 * np.exp(-2.5) + 53.25)


@pytest.mark.parametrize("form", FORMS)
def test_a_covariance_is_symmetric_and_positive_with_own_covariances_on_its_diagonal(form):
    rows = np.random.default_rng(0).normal(size=(40, 4))
    parameters = np.array(first_parameters(form, WIDTHS)) + np.random.default_rng(1).normal(
        size=len(first_parameters(form, WIDTHS))
    )
    matrix = covariance(np, form, parameters, *tables(rows, rows))
    own = own_covariance(np, form, parameters, [(part**2).sum(axis=1) for part in blocks_of(rows, WIDTHS)])
    assert matrix == pytest.approx(matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > -1e-9
    assert np.diagonal(matrix) == pytest.approx(own, rel=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_torch_computes_the_same(form):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rng = np.random.default_rng(2)
    parameters = np.array(first_parameters(form, WIDTHS))
    distances, products = tables(rng.normal(size=(5, 4)), rng.normal(size=(6, 4)))
    ours = covariance(np, form, parameters, distances, products)
    theirs = covariance(
        torch,
        form,
        torch.from_numpy(parameters),
        [torch.from_numpy(table) for table in distances],
        [torch.from_numpy(table) for table in products],
    )
    assert ours == pytest.approx(theirs.numpy(), abs=1e-14)


@pytest.mark.parametrize("form", FORMS)
def test_evidence_counts_from_the_start_and_moves_no_other_block(form):
    widths = (64, 1, 12, 1)
    plain, known = first_parameters(form, widths[:2]), first_parameters(form, widths, evidence=2)
    assert known[:3] == plain[:3]
    wide = plain[1]
    assert all(weight > wide for weight in known[3:5])
    assert len(known) - len(plain) == (4 if form == "linear+rbf" else 2)
