"""Functions as systems: pairs or lists, what they may return, and what is said when they fail."""

import functools
import time
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError, PredictionError

LEFTS = ["a man plays a guitar", "the market fell", "word", "no", "it rains", "x"]
RIGHTS = ["somebody plays guitar", "it rains", "word", "yes", "it snows", "y"]
ITEMS = sim.Items.from_pairs(LEFTS, RIGHTS)


def items(number: int) -> sim.Items:
    return sim.Items.from_pairs(LEFTS[:number], RIGHTS[:number])


def letters(left, right):
    """Works on lists as well, where it gives one number."""
    return len(set(left) & set(right))


def listed(lefts, rights):
    return np.array([letters(*pair) for pair in zip(lefts, rights, strict=False)], float)


EXPECTED = [float(letters(left, right)) for left, right in zip(LEFTS, RIGHTS, strict=True)]


def scores(function, given=ITEMS, **options):
    return sim.system(function, name="mine", **options).score(given).scores


class Counter:
    def __init__(self, function):
        self.function, self.calls = function, []

    def __call__(self, left, right):
        self.calls.append((left, right))
        return self.function(left, right)

    def method(self, left, right):
        return self(left, right)


class TestPairsOrLists:
    def test_a_function_of_sequences_gives_one_number_for_lists_so_it_takes_pairs(self):
        assert scores(letters).tolist() == EXPECTED

    def test_one_number_for_each_pair_of_lists(self):
        assert scores(listed).tolist() == EXPECTED

    @pytest.mark.parametrize("number", [1, 2, 3, 4])
    def test_any_number_of_items(self, number):
        of_pairs = Counter(lambda left, right: letters(left.lower(), right.lower()))
        of_lists = Counter(listed)
        assert scores(of_pairs, items(number)).tolist() == EXPECTED[:number]
        assert scores(of_lists, items(number)).tolist() == EXPECTED[:number]
        assert of_lists.calls[-1] == (LEFTS[:number], RIGHTS[:number])

    def test_no_items(self):
        function = Counter(letters)
        assert scores(function, items(0)).tolist() == []
        assert function.calls == []

    def test_both_readings_with_different_results_are_refused(self):
        def both(left, right):
            return 1.0 if isinstance(left, str) else [2.0] * len(left)

        with pytest.raises(ArgumentError, match=r"'mine': .*1 for a pair alone, 2 for it in lists.*takes=\"pairs\""):
            scores(both)
        assert scores(both, takes="pairs").tolist() == [1.0] * 6
        assert scores(both, takes="lists").tolist() == [2.0] * 6

    def test_both_readings_with_the_same_results_are_lists(self):
        function = Counter(lambda left, right: np.char.str_len(left) - np.char.str_len(right))
        assert scores(function).tolist() == [len(a) - len(b) for a, b in zip(LEFTS, RIGHTS, strict=True)]
        assert [type(left) for left, _ in function.calls] == [list, str, list]

    def test_annotations_tell_without_a_trial(self):
        calls = []

        def pairs(left: str, right: str):
            calls.append(left)
            return 1.0

        def lists(lefts: "list[str]", rights: "list[str]"):
            calls.append(lefts)
            return [1.0] * len(lefts)

        scores(pairs)
        assert calls == LEFTS
        calls.clear()
        scores(lists)
        assert calls == [LEFTS]

    def test_the_result_tells_too(self):
        calls = []

        def of_pair(left, right) -> float:
            calls.append(left)
            return 1.0

        scores(of_pair)
        assert calls == LEFTS

    def test_two_numbers_for_any_two_texts_are_not_taken_for_lists_of_two(self):
        with pytest.raises(PredictionError, match="gave 2 numbers for one pair for item '1'"):
            scores(lambda left, right: (0.1, 0.2), items(2))

    def test_a_pair_is_asked_once_and_a_list_function_three_times_in_all(self):
        of_pairs = Counter(lambda left, right: len(left.strip()) + len(right))
        twice = sim.Items.from_pairs(LEFTS * 3, RIGHTS * 3)
        scores(of_pairs, twice)
        assert len(of_pairs.calls) == 1 + len(LEFTS)  # once with lists, which it does not take
        of_lists = Counter(lambda lefts, rights: [len(left) for left, _ in zip(lefts, rights, strict=True)])
        scores(of_lists, twice)
        assert [len(left) for left, _ in of_lists.calls] == [3, len(LEFTS[0]), 18]

    def test_how_it_is_called_is_found_out_once(self):
        function = Counter(lambda lefts, rights: [len(left) for left in lefts])
        system = sim.system(function, name="mine")
        system.score(ITEMS)
        system.score(ITEMS)
        assert len(function.calls) == 4

    def test_lambda_partial_method_and_object(self):
        def scaled(left, right, by):
            return by * letters(left, right)

        double = [2 * each for each in EXPECTED]
        assert scores(functools.partial(scaled, by=2)).tolist() == double
        assert scores(Counter(letters)).tolist() == EXPECTED
        assert scores(Counter(letters).method).tolist() == EXPECTED

    def test_a_torch_module(self):
        torch = pytest.importorskip("torch")

        class Lengths(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.tensor(2.0))

            def forward(self, lefts, rights):
                return self.weight * torch.tensor(listed(lefts, rights))

        assert scores(Lengths()).tolist() == [2 * each for each in EXPECTED]

    def test_ten_thousand_pairs_take_little_more_than_the_function(self):
        lefts = [f"text {number}" for number in range(10_000)]
        many = sim.Items.from_pairs(lefts, lefts[::-1])
        start = time.process_time()
        scores(lambda left, right: len(left) - len(right), many)
        assert time.process_time() - start < 0.5


class TestConditionAndContext:
    DATA = sim.Benchmark.from_columns(
        left=["a", "b"], right=["c", "d"], score=[1, 2], condition=["colour", "size"], context=[["x", "a"], ["b"]]
    ).items

    def test_parameters_of_these_names_are_filled(self):
        seen = []

        def mine(left: str, right: str, condition, context=None):
            seen.append((condition, context))
            return 1.0

        system = sim.system(mine)
        assert system.reads == {"condition", "context"}
        system.score(self.DATA)
        assert seen == [("colour", ["x", "a"]), ("size", ["b"])]
        assert sim.system(mine)("a", "b", condition="shape") == 1.0
        assert seen[-1] == ("shape", None)

    def test_lists_of_them(self):
        def mine(lefts, rights, conditions):
            return [len(each) for each in conditions]

        assert sim.system(mine).score(self.DATA).scores.tolist() == [6, 4]

    def test_another_parameter_that_must_be_filled_is_refused(self):
        with pytest.raises(ArgumentError, match=r"'mine': the function needs 'by'.*functools.partial\(f, by=...\)"):
            sim.system(lambda left, right, by: 1, name="mine")
        with pytest.raises(ArgumentError, match="the function needs 'by'"):
            sim.system(lambda left, right, *, by: 1, name="mine")

    def test_one_parameter_is_refused(self):
        with pytest.raises(ArgumentError, match=r"takes one text, not two.*f\(list\(zip\(lefts, rights\)\)\)"):
            sim.system(lambda pairs: 1, name="mine")
        with pytest.raises(ArgumentError, match="takes one text, not two"):
            sim.system(lambda pairs, batch_size=32: 1, name="mine")
        with pytest.raises(ArgumentError, match=r"if it makes vectors, types.SimpleNamespace\(encode=f\)"):
            sim.system(lambda texts: [[1.0, 0.0]] * len(texts), name="mine")
        vectors = SimpleNamespace(encode=lambda texts: [[1.0, 0.0]] * len(texts))
        assert sim.system(vectors, name="mine")("a", "b") == 1.0
        assert scores(lambda left, right="": 1.0, takes="pairs").tolist() == [1.0] * 6

    def test_an_asynchronous_function_is_refused(self):
        async def mine(left, right):
            return 1.0

        with pytest.raises(ArgumentError, match=r"'mine': the function is asynchronous; wrap it: .*asyncio.run"):
            sim.system(mine)

    def test_what_it_does_not_read_is_refused_in_a_call(self):
        with pytest.raises(ArgumentError, match="'letters' reads no condition"):
            sim.system(letters)("a", "b", condition="colour")


class TestResults:
    @pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble, np.int8, np.bool_])
    def test_arrays_of_any_number(self, kind):
        assert scores(lambda lefts, rights: np.ones(len(lefts), kind), takes="lists").tolist() == [1.0] * 6

    def test_lists_columns_iterators_and_series(self):
        import pandas as pd
        import polars as pl

        given = [1, 0.5, np.float32(0.25), True, Decimal("0.125"), 0]
        expected = [1, 0.5, 0.25, 1, 0.125, 0]
        for made in (list, tuple, iter, np.array, pd.Series, lambda said: np.array(said, float)[:, None]):
            assert scores(lambda lefts, rights, made=made: made(given), takes="lists").tolist() == expected
        assert scores(lambda lefts, rights: pl.Series([1.0] * 6), takes="lists").tolist() == [1] * 6

    def test_tensors(self):
        torch = pytest.importorskip("torch")
        for kind in (torch.bfloat16, torch.float16, torch.float32, torch.float64):
            said = torch.full((6, 1), 0.5, dtype=kind, requires_grad=True)
            assert scores(lambda lefts, rights, said=said: said, takes="lists").tolist() == [0.5] * 6
            of_pair = torch.tensor([[0.5]], dtype=kind, requires_grad=True)
            assert scores(lambda left, right, said=of_pair: said, takes="pairs").tolist() == [0.5] * 6
        zero_dimensions = [torch.tensor(0.5, requires_grad=True)] * 6
        assert scores(lambda lefts, rights: zero_dimensions, takes="lists").tolist() == [0.5] * 6

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ([1.0] * 5, "gave 5 numbers for 6 pairs"),
            (0.5, "gave one number (0.5) for 6 pairs"),
            (np.ones((6, 6)), "gave a table of 6 x 6 numbers for 6 pairs"),
            ("0.5", "gave the text '0.5'"),
            (["0.5"] * 6, "gave the text '0.5' for item '1' ('a man plays a guitar', 'somebody plays guitar')"),
            ([1.0, None, 1, 1, 1, 1], "gave None for item '2' ('the market fell', 'it rains')"),
            ([1.0, 1, 1j, 1, 1, 1], "gave a complex (1j) for item '3' ('word', 'word')"),
            (None, "gave None"),
            ({"a": 1}, "gave a dict ({'a': 1})"),
            (np.array(["2020-01-01"] * 6, "datetime64[D]"), "for item '1'"),
        ],
    )
    def test_what_is_not_one_number_each_is_refused(self, said, words):
        with pytest.raises(PredictionError) as caught:
            scores(lambda lefts, rights: said, takes="lists")
        assert str(caught.value).startswith("system 'mine': ")
        assert words in str(caught.value)
        assert "return a list, an array or a tensor of one number for each pair" in str(caught.value)

    def test_what_is_not_one_number_for_a_pair_is_refused(self):
        for said, words in ((None, "None"), ("x", "the text 'x'"), (1j, "a complex (1j)"), ([1, 2], "2 numbers")):
            with pytest.raises(PredictionError) as caught:
                scores(lambda left, right, said=said: said, takes="pairs")
            assert words in str(caught.value)
            assert "for item '1' ('a man plays a guitar', 'somebody plays guitar'); return one number" in str(
                caught.value
            )

    def test_nan_names_system_and_item(self):
        data = sim.read("sample:opinions")
        first = data.items.lefts[0]
        mine = {"mine": lambda left, right: float("nan") if left == first else len(left)}
        with pytest.raises(PredictionError, match=r"system 'object\(mine\)' gave nan for item"):
            sim.run(data, mine, ["spearman"], resamples=0)
        found = sim.run(data, mine, ["spearman"], resamples=0, on_error="skip")
        assert found.data.items < len(data)


class TestFailures:
    def test_an_exception_names_the_pair_and_is_the_cause(self):
        def fails(left, right):
            if left == "word":
                raise ZeroDivisionError("by nothing")
            return float(len(left.strip()))

        with pytest.raises(
            PredictionError, match=r"'mine': raised ZeroDivisionError: by nothing for item '3'"
        ) as caught:
            scores(fails)
        assert "('word', 'word')" in str(caught.value)
        assert isinstance(caught.value.__cause__, ZeroDivisionError)

    def test_in_lists_the_pair_is_searched(self):
        def fails(lefts, rights):
            return [1 / (left != "it rains") for left in lefts]

        with pytest.raises(
            PredictionError, match=r"raised ZeroDivisionError: .* for item '5' \('it rains', 'it snows'\)"
        ):
            scores(fails)

    def test_a_function_that_fails_on_pairs_and_lists_says_both(self):
        def fails(left, right):
            raise ValueError(f"not {type(left).__name__}")

        with pytest.raises(
            PredictionError, match=r"raised ValueError: not str .* with lists of texts it raised .*not list"
        ):
            scores(fails)

    def test_a_function_of_lists_that_fails_on_the_trial_is_shown_why(self):
        def fails(lefts, rights):
            return [1 / (left != "the market fell") for left in lefts]

        with pytest.raises(PredictionError, match=r"numbers for one pair .* with lists .* raised ZeroDivision"):
            scores(fails)

    def test_an_interruption_is_not_caught(self):
        def stop(left, right):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            scores(stop)


class TestNames:
    def test_a_function_has_its_own(self):
        assert sim.system(letters).label == "letters"
        assert str(sim.system(letters).identity) == "object(letters)"
        assert sim.run("sample:opinions", [letters], ["spearman"], resamples=0).systems[0].label == "letters"

    def test_a_lambda_has_none(self):
        with pytest.raises(ArgumentError, match=r"system 2 is a function without a name.*sim.system\(..., name="):
            sim.run("sample:opinions", ["jaro", lambda left, right: 1])

    def test_names_in_order(self):
        mine = lambda left, right: len(left)  # noqa: E731
        run = sim.run("sample:opinions", ["jaro", mine], ["spearman"], names=["one", "two"], resamples=0)
        assert [record.label for record in run.systems] == ["one", "two"]

    def test_a_key_wins_over_its_own(self):
        run = sim.run("sample:opinions", {"b": sim.system(letters, name="a")}, ["spearman"], resamples=0)
        assert (run.systems[0].label, run.systems[0].identity) == ("b", "object(b)")

    def test_one_function_under_two_names(self):
        run = sim.run("sample:opinions", {"a": letters, "b": letters}, ["spearman"], resamples=0)
        assert run["a", "spearman"] == run["b", "spearman"]

    @pytest.mark.parametrize("name", ["", "  ", 3])
    def test_no_name(self, name):
        with pytest.raises(ArgumentError, match="is no name"):
            sim.system(letters, name=name)
