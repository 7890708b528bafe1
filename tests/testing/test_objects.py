"""The contracts of a system, on functions, models and scores in memory."""

import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.testing import check_system


class Encoder:
    def encode(self, texts):
        return np.array([[len(text), text.count("a"), 1.0] for text in texts])


class OfItsNeighbours:
    def encode(self, texts):
        return np.array([[len(text), len(texts[0]), 1.0] for text in texts])


DATA = sim.read("sample:opinions")


def test_a_function_of_pairs_and_one_of_lists():
    check_system(lambda left, right: abs(len(left) - len(right)), tolerance=0)
    check_system(lambda lefts, rights: [abs(len(left) - len(right)) for left, right in zip(lefts, rights, strict=True)])
    check_system(sim.system(lambda left, right: 1.0, name="mine"))


def test_an_object_with_encode():
    check_system(Encoder())


def test_scores():
    check_system(np.linspace(0, 1, len(DATA)), data=DATA)
    check_system(np.linspace(0, 1, len(DATA)).tolist(), data=DATA.frame.select("left", "right", "score"))


def test_scores_need_their_data():
    with pytest.raises(AssertionError, match=r"breaks 'gives_one_number_an_item'.*belongs to the rows of one table"):
        check_system(np.ones(27))
    with pytest.raises(ArgumentError, match="3 scores for 60 items"):
        check_system(np.ones(3), data=DATA)


@pytest.mark.parametrize(
    ("thing", "contract"),
    [
        (lambda left, right: 1 / len(left), "gives_one_number_an_item"),
        (lambda lefts, rights: np.arange(len(lefts)) + 10.0, "order_of_items_does_not_matter"),
        (OfItsNeighbours(), "order_of_items_does_not_matter"),
    ],
)
def test_what_breaks_a_contract(thing, contract):
    with pytest.raises(AssertionError, match=contract):
        check_system(thing)


def test_a_function_that_gives_another_number_each_time():
    rng = np.random.default_rng(0)
    with pytest.raises(AssertionError, match="order_of_items_does_not_matter"):
        check_system(lambda left, right: rng.random())
