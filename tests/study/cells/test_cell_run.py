"""Cells are run once, in the order of what they need; what fails takes only its own with it."""

from dataclasses import dataclass, field, replace

import pytest

from similitude.errors import ArgumentError, RunError
from similitude.study.cells.cell_run import run_cells
from similitude.study.engines import open_engine


@dataclass(frozen=True)
class Sum:
    """Adds a number to the sum of what it needs; the store remembers, and counts how often it was asked to work."""

    key: str
    number: int
    store: dict
    needs: tuple = ()
    fails: bool = False
    worked: list = field(default_factory=list)

    @property
    def name(self):
        return f"sum {self.key}"

    def recall(self):
        return self.store.get(self.key)

    def away(self):
        return self

    def work(self, shared, listener):
        self.worked.append(self.key)
        if self.fails:
            raise ValueError(f"{self.key} is broken")
        return self.number + sum(self.store[need.key] for need in self.needs) + shared.get("offset", 0)

    def remember(self, result):
        self.store[self.key] = result
        return result


class Threads:
    """An engine that takes waves of pieces, as one on other machines does."""

    is_here, workers = False, 2

    def __init__(self):
        self.waves = []

    def run(self, task, pieces, done, failed=None):
        self.waves.append([piece.key for piece in pieces])
        for piece in pieces:
            try:
                result = task(piece)
            except Exception as error:
                if failed is None:
                    raise
                failed(piece, error)
            else:
                done(piece, result)

    def check_folder(self, folder):
        pass


@pytest.fixture(params=["here", "apart"])
def engine(request):
    return None if request.param == "here" else Threads()


def chain(store, worked, **changes):
    one = replace(Sum("one", 1, store, worked=worked), **changes)
    two = Sum("two", 2, store, (one,), worked=worked)
    three = Sum("three", 3, store, (one, two), worked=worked)
    return one, two, three


def test_what_a_cell_needs_is_run_before_it_and_once(engine):
    store, worked = {}, []
    _, two, three = chain(store, worked)
    found = run_cells([three, two], {}, engine=engine)
    assert found["three"] == 3 + 1 + (2 + 1)
    assert worked == ["one", "two", "three"]


def test_what_is_kept_is_not_run_again_nor_what_it_needs(engine):
    store, worked = {"three": 7}, []
    _, _, three = chain(store, worked)
    assert run_cells([three], {}, engine=engine) == {"three": 7}
    assert worked == []


def test_half_of_it_kept(engine):
    store, worked = {"two": 40}, []
    _, _, three = chain(store, worked)
    assert run_cells([three], {}, engine=engine)["three"] == 3 + 1 + 40
    assert worked == ["one", "three"]


def test_two_cells_of_the_same_content_are_one(engine):
    store, worked = {}, []
    one, *_ = chain(store, worked)
    run_cells([one, replace(one)], {}, engine=engine)
    assert worked == ["one"]


def test_a_failure_is_raised_and_what_was_done_before_is_kept(engine):
    store, worked = {}, []
    fine, (broken, *_) = Sum("fine", 5, store, worked=worked), chain(store, worked, fails=True)
    with pytest.raises(ValueError, match="one is broken"):
        run_cells([fine, broken], {}, engine=engine)
    assert store == {"fine": 5}


def test_a_failure_that_is_told_takes_only_those_that_need_it(engine):
    store, worked, told = {}, [], {}
    _, two, three = chain(store, worked, fails=True)
    fine = Sum("fine", 5, store, worked=worked)
    found = run_cells([three, two, fine], {}, engine=engine, failed=lambda cell, error: told.update({cell.key: error}))
    assert found == {"fine": 5}
    assert isinstance(told["one"], ValueError)
    assert isinstance(told["two"], RunError)
    assert "needs 'sum one', which failed: one is broken" in str(told["two"])
    assert worked == ["one", "fine"]


def test_waves_of_an_engine_hold_all_that_can_run_side_by_side():
    store, worked, engine = {}, [], Threads()
    _, _, three = chain(store, worked)
    others = [Sum(f"other {n}", n, store, worked=worked) for n in range(3)]
    run_cells([three, *others], {"offset": 100}, engine=engine)
    assert engine.waves == [["one", "other 0", "other 1", "other 2"], ["two"], ["three"]]
    assert store["other 2"] == 102


def test_each_product_is_told_as_soon_as_it_is_there(engine):
    store, worked, told = {"two": 9}, [], []
    _, _, three = chain(store, worked)
    run_cells([three], {}, engine=engine, done=lambda cell, product: told.append((cell.key, product)))
    assert sorted(told) == [("one", 1), ("three", 13), ("two", 9)]


def test_threads_of_this_process_are_refused():
    with open_engine(workers=2) as engine, pytest.raises(ArgumentError, match="2 workers in one process gain nothing"):
        run_cells([], {}, engine=engine)
