"""Which labels are compared with each other."""

from similitude.data.benchmark import Benchmark
from similitude.study.suspects.label_links import CONDITIONS, DUPLICATES, label_links


def pairs(*rows):
    left, right, condition = zip(*rows, strict=True)
    return Benchmark.from_columns(
        left=list(left), right=list(right), condition=list(condition), score=[1.0] * len(rows)
    )


def test_two_conditions_of_a_pair_are_linked():
    found = label_links(pairs(("a", "b", "x"), ("c", "d", "x"), ("a", "b", "y")))
    assert found.links.tolist() == [[0, 2]]
    assert found.kinds.tolist() == [CONDITIONS]
    assert found.partners.tolist() == [2, -1, 0]
    assert found.item_kinds.tolist() == [CONDITIONS, -1, CONDITIONS]


def test_the_same_pair_comes_before_another_condition():
    found = label_links(pairs(("a", "b", "x"), ("a", "b", "y"), ("B", "a ", "X")))
    assert found.links.tolist() == [[0, 2]]  # in the other order, with other case and blanks
    assert found.kinds.tolist() == [DUPLICATES]


def test_a_third_condition_is_left_over():
    assert label_links(pairs(*(("a", "b", name) for name in "xyz"))).links.tolist() == [[0, 1]]


def test_nothing_to_link():
    assert label_links(pairs(("a", "b", "x"), ("a", "c", "x"))).links.shape == (0, 2)
