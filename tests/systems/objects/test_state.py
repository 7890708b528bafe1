"""Nothing stale: whatever changes what an object computes changes its digest, or it has none."""

import functools
import importlib
import re
import sys
import textwrap

import numpy as np
import pytest

import similitude as sim
from similitude.systems.object_state import digest_of
from similitude.systems.object_state.value_digest import MOST_VALUES

FACTOR = 1.0
TABLE = {"a": 1.0}
LONG = [f"word {number}" for number in range(50)]


def by_global(left, right):
    return FACTOR * len(left)


def through_another(left, right):
    return by_global(left, right)


def by_table(left, right):
    return TABLE.get(left, 0.0)


def by_default(left, right, by=2.0):
    return by * len(left)


def maker(value):
    return lambda left, right: value * len(left)


class Weighted:
    bias = 0.0

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, left, right):
        return self.weight * len(left) + self.helper()

    def helper(self):
        return self.bias


class Slotted:
    __slots__ = ("__private", "weight")

    def __init__(self, weight):
        self.weight, self.__private = weight, weight


def known(value) -> str:
    found = digest_of(value)
    assert found.unknown_because is None
    assert found.value is not None
    return found.value


class TestWhatCounts:
    def test_a_function_is_itself_each_time(self):
        assert known(by_global) == known(by_global)
        assert known(maker(3)) == known(maker(3))
        assert known(lambda left, right: 1) != known(lambda left, right: 2)

    def test_a_closure_value(self):
        assert known(maker(3)) != known(maker(4))
        assert known(maker(np.ones(2))) != known(maker(np.zeros(2)))

    def test_a_global_also_through_another_function(self, monkeypatch):
        before = known(by_global), known(through_another)
        monkeypatch.setitem(globals(), "FACTOR", 2.0)
        after = known(by_global), known(through_another)
        assert before[0] != after[0]
        assert before[1] != after[1]

    def test_what_is_in_a_global(self, monkeypatch):
        before = known(by_table)
        monkeypatch.setitem(TABLE, "a", 2.0)
        assert known(by_table) != before

    def test_a_default(self, monkeypatch):
        before = known(by_default)
        monkeypatch.setattr(by_default, "__defaults__", (3.0,))
        assert known(by_default) != before

    def test_an_attribute_a_method_and_a_class_attribute(self, monkeypatch):
        thing = Weighted(1.0)
        before = known(thing)
        assert before == known(Weighted(1.0))
        thing.weight = 2.0
        assert known(thing) != before
        thing.weight = 1.0
        assert known(thing) == before
        monkeypatch.setattr(Weighted, "bias", 1.0)
        assert known(thing) != before
        monkeypatch.undo()
        monkeypatch.setattr(Weighted, "helper", lambda self: 5.0)
        assert known(thing) != before
        assert known(thing.__call__) != before

    def test_an_attribute_of_a_function(self):
        def mine(left, right):
            return mine.scale * len(left)

        mine.scale = 1.0
        before = known(mine)
        mine.scale = 2.0
        assert known(mine) != before

    def test_a_base_class(self):
        class Base:
            def helper(self):
                return 1.0

        class Derived(Base):
            def __call__(self, left, right):
                return self.helper()

        before = known(Derived())
        Base.helper = lambda self: 2.0
        assert known(Derived()) != before

    def test_functions_in_a_table_and_in_an_attribute(self):
        table = {"compare": maker(1.0)}
        thing = Weighted(maker(1.0))
        of_table = lambda left, right: table["compare"](left, right)  # noqa: E731
        before = known(of_table), known(thing)
        table["compare"] = thing.weight = maker(2.0)
        assert (known(of_table) != before[0], known(thing) != before[1]) == (True, True)

    def test_slots(self):
        assert known(Slotted(1)) == known(Slotted(1))
        assert known(Slotted(1)) != known(Slotted(2))

    def test_partials_and_memories(self):
        assert known(functools.partial(by_default, by=1)) != known(functools.partial(by_default, by=2))
        assert known(functools.lru_cache(by_default)) != known(functools.lru_cache(by_global))

    def test_code_inside_code(self):
        def one(left, right):
            return [len(each) for each in (left, right)]

        def other(left, right):
            return [len(each) + 1 for each in (left, right)]

        assert known(one) != known(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ([1, 2], [2, 1]), ((1,), [1]), (1, 1.0), (True, 1), ("1", 1), ({"a": 1}, {"a": 2}), ({1, 2}, {1, 3}),
            ([[1], 2], [[1, 2]]), (["ab", "c"], ["a", "bc"]), (np.zeros(2), np.zeros((2, 1))),
            (np.zeros(2, np.float32), np.zeros(1, np.float64)), (None, "None"), (b"a", "a"),
            (re.compile("a" * 300 + "b"), re.compile("a" * 300 + "c")), (re.compile("a"), re.compile("a", re.I)),
            ({"a": [1]}, {"a": [1.0]}), ({"a"}, ["a"]), ({"a", 1}, {"a", 2}), ([{"a": 1}, 2], [{"a": 2}, 2]),
        ],
    )  # fmt: skip
    def test_different_values(self, one, other):
        assert known(one) != known(other)

    def test_sets_have_no_order_and_circles_end(self):
        one, other = (dict.fromkeys(words).keys() | set() for words in (LONG, LONG[::-1]))
        assert known(one) == known(other)
        circle: list = [1]
        circle.append(circle)
        assert known(circle) != known([1, 1])

    def test_a_module_of_ones_own(self, tmp_path, monkeypatch):
        code = "SETTING = 1\ndef compare(left, right):\n    return SETTING * len(left)\n"
        (tmp_path / "own_module_of_a_test.py").write_text(code)
        monkeypatch.syspath_prepend(tmp_path)
        module = importlib.import_module("own_module_of_a_test")
        given = {"own": module}
        exec("def mine(left, right): return own.compare(left, right)", given)
        exec("def imports(left, right):\n import own_module_of_a_test as own\n return own.compare(left, right)", given)
        before = known(given["mine"]), known(given["imports"])
        module.SETTING = 2
        after = known(given["mine"]), known(given["imports"])
        assert before[0] != after[0]
        assert before[1] != after[1]
        del sys.modules["own_module_of_a_test"]

    def test_a_module_in_a_package_of_ones_own(self, tmp_path, monkeypatch):
        package = tmp_path / "own_package_of_a_test"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "inner.py").write_text("SETTING = 1\n")
        monkeypatch.syspath_prepend(tmp_path)
        inner = importlib.import_module("own_package_of_a_test.inner")
        given = {"own": sys.modules["own_package_of_a_test"]}
        exec("def mine(left, right): return own.inner.SETTING", given)
        before = known(given["mine"])
        inner.SETTING = 2
        assert known(given["mine"]) != before
        inner.own = given["own"]  # a circle of modules
        exec("def circle(left, right): return own.inner.own.inner.SETTING", given)
        assert known(given["circle"]) == known(given["circle"])


def test_code_of_a_notebook_is_ones_own_whatever_file_started_it():
    """The module __main__ has the file of its launcher, which may lie among the libraries."""
    assert "site-packages" in str(sys.modules["pytest"].__file__)
    functions = []
    for number in (1, 2):
        typed = {"__name__": "__main__", "N": number}
        exec("def mine(left, right): return N", typed)
        functions.append(typed["mine"])
    assert known(functions[0]) != known(functions[1])


class TestWhatCannotBeKnown:
    @pytest.mark.parametrize(
        ("code", "why"),
        [
            ("import random\nf = lambda a, b: random.random()", "random"),
            ("import time\nf = lambda a, b: time.time()", "time"),
            ("f = lambda a, b: len(open(a).read())", "open"),
            ("import numpy as np\nf = lambda a, b: np.random.rand()", "rand"),
            ("import os\nf = lambda a, b: len(os.listdir(a))", "'os'"),
            ("thing = object\nimport threading\nlock = threading.Lock()\nf = lambda a, b: lock", "lock"),
            ("held = iter([1, 2])\nf = lambda a, b: next(held)", "iterator"),
            ("def f(a, b):\n    import requests_that_is_not_there\n    return 1", "requests_that_is_not_there"),
        ],
    )
    def test_it_says_why(self, code, why):
        given: dict = {}
        exec(code, given)
        found = digest_of(given["f"])
        assert found.value is None
        assert why in found.unknown_because

    def test_too_many_values(self):
        assert (
            digest_of([[number] for number in range(MOST_VALUES)]).unknown_because
            == "it holds too many values to compare"
        )

    def test_an_object_that_cannot_be_read(self):
        class Odd:
            @property
            def __dict__(self):
                raise TypeError

        assert digest_of(Odd()).value is None


class TestNothingStaleInAFolder:
    """Scores in a run's folder are reused if, and only if, the object is what it was."""

    DATA = sim.read("sample:opinions")

    def score(self, folder, thing, **options):
        run = sim.run(self.DATA, {"mine": thing}, ["mae"], out=folder, resamples=0, **options)
        return run.predictions[0].scores, run.systems[0]

    def test_the_same_function_is_not_called_again(self, tmp_path):
        class Quiet:
            def __call__(self, left: str, right: str):
                return float(len(left))

        first, record = self.score(tmp_path, Quiet())
        assert not record.model.startswith("unknown")
        again, other = self.score(tmp_path, Quiet())
        assert (first == again).all()
        assert record.seconds == other.seconds  # as saved

    @pytest.mark.parametrize("what", ["closure", "global", "default", "attribute", "method"])
    def test_a_change_gives_new_scores(self, tmp_path, monkeypatch, what):
        things = {"global": by_global, "default": by_default, "attribute": Weighted(1.0), "method": Weighted(1.0)}
        thing = things.get(what, maker(1.0))
        before, _ = self.score(tmp_path, thing)
        if what == "closure":
            thing = maker(3.0)
        elif what == "global":
            monkeypatch.setitem(globals(), "FACTOR", 3.0)
        elif what == "default":
            monkeypatch.setattr(by_default, "__defaults__", (6.0,))
        elif what == "attribute":
            thing.weight = 3.0
        else:
            monkeypatch.setattr(Weighted, "__call__", lambda self, left, right: 3.0 * len(left))
        after, _ = self.score(tmp_path, thing)
        np.testing.assert_allclose(after, 3 * before)

    def test_what_cannot_be_known_is_computed_anew_and_a_note_says_so(self, tmp_path):
        values = iter(range(1_000_000))
        calls = []

        def unknown(left: str, right: str):
            calls.append(next(values))
            return float(len(left))

        _, record = self.score(tmp_path, unknown)
        assert len(calls) == len(self.DATA)
        assert any("'mine' is computed anew each time" in note for note in record.notes)
        self.score(tmp_path, unknown)
        assert len(calls) == 2 * len(self.DATA)

    def test_a_function_that_changes_itself_is_computed_anew(self, tmp_path):
        counted = {"calls": 0}

        def counting(left: str, right: str):
            counted["calls"] += 1
            return float(len(left))

        _, record = self.score(tmp_path, counting)
        assert any("scoring changes its state" in note for note in record.notes)
        self.score(tmp_path, counting)
        assert counted["calls"] == 2 * len(self.DATA)

    def test_a_class_with_score_that_changes(self, tmp_path, monkeypatch):
        class Mine:
            def __init__(self, by):
                self.by = by

            def score(self, items):
                return [self.by * len(left) for left in items.lefts]

        before, _ = self.score(tmp_path, Mine(1.0))
        after, _ = self.score(tmp_path, Mine(2.0))
        np.testing.assert_allclose(after, 2 * before)
        monkeypatch.setattr(Mine, "score", lambda self, items: [5.0] * len(items))
        assert set(self.score(tmp_path, Mine(2.0))[0]) == {5.0}

    def test_an_object_without_a_name_of_its_own(self, tmp_path):
        class Mine:
            def __init__(self):
                self.by = 1.0

            def score(self, items):
                return [self.by * len(left) for left in items.lefts]

        mine = Mine()
        run = sim.run(self.DATA, [mine], ["mae"], out=tmp_path, resamples=0)
        mine.by = 2.0
        again = sim.run(self.DATA, [mine], ["mae"], out=tmp_path, resamples=0)
        np.testing.assert_allclose(again.predictions[0].scores, 2 * run.predictions[0].scores)


def test_it_is_the_same_in_another_process(tmp_path):
    """A digest does not depend on addresses, hash seeds or the order of a set."""
    import subprocess

    code = textwrap.dedent("""
        from similitude.systems.object_state import digest_of
        WORDS = {"a", "b", "c", "the", "of"}
        class Mine:
            def __init__(self): self.words = set(WORDS)
            def __call__(self, left, right): return len(self.words & set(left.split())) + helper(right)
        def helper(text): return sum(word in WORDS for word in text.split())
        print(digest_of(Mine()).value)
    """)
    found = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        for _ in range(3)
    }
    assert len(found) == 1
    assert len(found.pop()) == 64
