"""A function in a file is a system, or makes one; its signature says which."""

import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.systems.catalogue import make_system

FILE = '''
def overlap(left, right):
    """Words in common."""
    one, other = set(left.split()), set(right.split())
    return len(one & other) / len(one | other)


def conditioned(left, right, condition):
    return len(condition)


def aspect(left, right, tone):
    return 0.0


class Constant:
    def __init__(self, value=0.5):
        self.value = value

    def score(self, items):
        return [self.value] * len(items)


def made(value=0.25):
    found = Constant(value)
    found.identity = sim.registry.Spec("mine.py:made", None, (), {} if value == 0.25 else {"value": value})
    return found


def weighted(first, second):
    return Constant(first + second)
'''


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(f"import similitude as sim\nimport similitude.registry\n{FILE}")


def test_a_function_of_two_texts_is_the_system():
    system = make_system("mine.py:overlap")
    items = sim.Benchmark.from_columns("two", left=["a b", "a"], right=["a c", "a"], score=[1.0, 2.0]).items
    assert system.score(items).scores.tolist() == pytest.approx([1 / 3, 1.0])
    assert str(system.identity) == "mine.py:overlap"
    assert str(make_system(system.identity).identity) == "mine.py:overlap"


def test_it_may_read_the_condition_as_in_python():
    assert make_system("mine.py:conditioned").reads == {"condition"}


def test_another_parameter_is_refused_by_its_name():
    with pytest.raises(ArgumentError, match="tone"):
        make_system("mine.py:aspect")


def test_a_class_and_a_function_that_needs_no_arguments_still_make_systems():
    items = sim.read("sample:opinions").items
    assert np.unique(make_system("mine.py:Constant").score(items).scores).tolist() == [0.5]
    assert np.unique(make_system("mine.py:made(value=0.75)").score(items).scores).tolist() == [0.75]


def test_arguments_make_a_system_of_a_function_that_needs_two():
    items = sim.read("sample:opinions").items
    assert np.unique(make_system("mine.py:weighted(0.25, 0.5)").score(items).scores).tolist() == [0.75]


def test_a_run_with_it_resumes(tmp_path):
    first = sim.run("sample:opinions", ["mine.py:overlap"], ["spearman"], resamples=0, out="run", quiet=True)
    again = sim.run("sample:opinions", ["mine.py:overlap"], ["spearman"], resamples=0, out="run", quiet=True)
    assert float(first["mine.py:overlap", "spearman"]) == float(again["mine.py:overlap", "spearman"])
