"""What a head's numbers mean: by hand, the same in both libraries, and inside their bounds whatever the numbers."""

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.heads import Camps, camps_of, log_shares, moments_of, points_of

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

HEADS = {
    "point": Architecture(head="point"),
    "gaussian": Architecture(head="gaussian"),
    "mixture": Architecture(head="mixture", components=4),
    "histogram": Architecture(head="histogram", bins=11),
}


@pytest.mark.parametrize("name", HEADS)
def test_numpy_and_torch_say_the_same(name):
    architecture = HEADS[name]
    outputs = np.random.default_rng(0).normal(scale=3, size=(5, 2, architecture.outputs))
    in_numpy = camps_of(architecture, outputs)
    in_torch = camps_of(architecture, torch.from_numpy(outputs))
    for ours, theirs in zip(in_numpy, in_torch, strict=True):
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-12)
    for ours, theirs in zip(moments_of(in_numpy), moments_of(in_torch), strict=True):
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-12)


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("size", [0.0, 30.0, 1000.0])
def test_every_output_means_something(name, size):
    architecture = HEADS[name]
    outputs = size * np.random.default_rng(1).choice([-1.0, 1.0], (50, architecture.outputs))
    camps = camps_of(architecture, outputs)
    mean, variance = moments_of(camps)
    assert np.isfinite(variance).all()
    assert ((mean >= 0) & (mean <= 1)).all()
    np.testing.assert_allclose(camps.weights.sum(axis=-1), 1.0)
    if name == "point":
        assert (variance == 0).all()
    else:
        assert (np.sqrt(variance) >= architecture.floor * (1 - 1e-9)).all()


def test_a_gaussian_by_hand():
    # sigmoid(0) = 1/2; floor + ln(1 + e^(2 - 2)) = 0.01 + ln 2
    camps = camps_of(Architecture(floor=0.01), np.array([[0.0, 2.0]]))
    assert camps.means.tolist() == [[0.5]]
    assert camps.sigmas[0, 0] == pytest.approx(0.01 + np.log(2))


def test_a_mixture_by_hand():
    # Outputs come camp by camp: share, mean, sigma. Two camps start at sigmoid(-1.5) and sigmoid(1.5); with 1.5 and
    # -1.5 added both lie at 1/2. Shares e^0 : e^ln3 = 1/4 : 3/4.
    outputs = np.array([[0.0, 1.5, 2.0, np.log(3), -1.5, 2.0]])
    camps = camps_of(Architecture(head="mixture", components=2), outputs)
    assert camps.weights[0].tolist() == pytest.approx([0.25, 0.75])
    assert camps.means[0].tolist() == pytest.approx([0.5, 0.5])


def test_a_histogram_by_hand():
    # Points 0, 1/2, 1 with shares 1/2, 1/4, 1/4: mean 3/8, variance (1/2)(9/64) + (1/4)(1/64) + (1/4)(25/64) = 11/64
    architecture = Architecture(head="histogram", bins=3, floor=0.01)
    outputs = np.log([[2.0, 1.0, 1.0]])
    mean, variance = moments_of(camps_of(architecture, outputs))
    assert mean[0] == pytest.approx(3 / 8)
    assert variance[0] == pytest.approx(11 / 64 + 0.01**2)
    assert points_of(architecture, outputs).tolist() == [0.0, 0.5, 1.0]


def test_variance_within_and_between_camps():
    # within: 3/4 of 0.01 + 1/4 of 0.04 = 0.0175; means 0.2 and 0.6, mean 0.3: 3/4 of 0.01 + 1/4 of 0.09 = 0.03
    mean, variance = moments_of(Camps(np.array([0.75, 0.25]), np.array([0.2, 0.6]), np.array([0.1, 0.2])))
    assert (mean, variance) == (pytest.approx(0.3), pytest.approx(0.0475))


def test_log_shares_of_large_numbers():
    assert np.exp(log_shares(np.array([1e5, 1e5, -1e5]))).tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"head": "mixture", "components": 1}, "components 1"),
        ({"head": "histogram", "bins": 1}, "bins 1"),
        ({"dropout": 1.0}, "dropout 1.0"),
        ({"floor": 0.0}, "floor 0.0"),
        ({"hidden": -1}, "hidden -1"),
    ],
)
def test_architectures_that_cannot_be(options, told):
    with pytest.raises(ArgumentError, match=told):
        Architecture(**options)


def test_there_and_back():
    architecture = Architecture(head="mixture", components=5, low=1, high=7)
    assert Architecture.from_record(architecture.record(), "here") == architecture
    with pytest.raises(ArgumentError, match="cannot read similitude"):
        Architecture.from_record({"mlp": True}, "here")
