"""Systems that are called on texts, and the misuse of ``sim.system`` and of ``systems=``."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, PredictionError, UnknownNameError

CONDITIONAL = lambda left, right, condition, context: len(condition or "") + len(context or ())  # noqa: E731


class TestCalls:
    def test_one_pair_two_lists_and_a_text_against_a_list(self):
        jaro = sim.system("jaro")
        one = jaro("Martha", "Marhta")
        assert type(one) is float
        assert one == pytest.approx(0.9444, abs=1e-4)
        both = jaro(["Martha", "Dixon"], ["Marhta", "Dicksonx"])
        assert both.dtype == np.float64
        assert both == pytest.approx([0.9444, 0.7667], abs=1e-4)
        assert jaro("Martha", ["Marhta", "Martha"]) == pytest.approx([0.9444, 1.0], abs=1e-4)
        assert jaro(["Marhta", "Martha"], "Martha") == pytest.approx([0.9444, 1.0], abs=1e-4)
        assert jaro(["a"], ["a"]).tolist() == [1.0]
        assert jaro([], []).shape == jaro([], "a").shape == (0,)

    def test_series_in_different_orders_are_refused(self):
        texts = pd.Series(["a", "b"])
        with pytest.raises(
            ArgumentError, match=r"right and left have .*; labels: right.loc\[left.index\]; rows: right"
        ):
            sim.system("levenshtein")(texts, texts[::-1])
        assert sim.system("levenshtein")(texts, texts[::-1].to_numpy()).tolist() == [0.0, 0.0]

    @pytest.mark.parametrize("made", [tuple, pl.Series, pd.Series, np.array, iter])
    def test_lists_of_any_kind(self, made):
        assert sim.system("jaro")(made(["a", "b"]), made(["a", "c"])).tolist() == [1.0, 0.0]

    @pytest.mark.parametrize(
        ("left", "right", "words"),
        [
            (["a", "b"], ["c"], "2 left texts and 1 right texts"),
            (None, "a", "the left side is None"),
            ("a", 3, r"the right side is an int \(3\)"),
            (["a", None], ["a", "b"], "left text 1 is None"),
            ("a", [1.5], r"right text 0 is a float \(1.5\)"),
            (b"a", "a", "the left side is a bytes"),
        ],
    )
    def test_what_is_no_text(self, left, right, words):
        with pytest.raises(ArgumentError, match=words):
            sim.system("jaro")(left, right)

    def test_condition_and_context(self):
        system = sim.system(CONDITIONAL, name="mine", takes="pairs")
        assert system("a", "b", condition="size") == 4
        assert system("a", "b", condition="size", context=["x", "y", "a"]) == 7
        assert system(["a", "b"], "c", condition=["size", None], context=[["x", "a"], None]).tolist() == [6, 0]
        assert system(["a", "b"], "c", context=["x", "a"]).tolist() == [2, 2]
        with pytest.raises(ArgumentError, match="3 of condition= for 2 pairs"):
            system(["a", "b"], "c", condition=["a", "b", "c"])
        with pytest.raises(ArgumentError, match="'jaro' reads no context; leave context= out"):
            sim.system("jaro")("a", "b", context=["a"])

    def test_one_that_learns_from_texts(self):
        tfidf = sim.system("tfidf-cosine")
        with pytest.warns(UserWarning, match=r"'tfidf-cosine' learned from the 2 texts given; .fitted_to\(texts\)"):
            assert 0 < tfidf("a cat", "a dog") < 1
        fitted = tfidf.fitted_to(["a cat", "a dog", "a cow"])
        assert fitted("a cat", "a dog") == pytest.approx(1 / (1 + (1 + np.log(4 / 2)) ** 2), abs=1e-9)
        with pytest.raises(ArgumentError, match="was fitted by hand, but a run fits it to the texts of its data"):
            sim.run("sample:opinions", [fitted])
        with pytest.raises(ArgumentError, match="'jaro' learns nothing from texts"):
            sim.system("jaro").fitted_to(["a"])

    def test_no_number(self):
        with pytest.raises(PredictionError, match="'mine': gave nan for 'a' and 'b'"):
            sim.system(lambda left, right: float("nan"), name="mine")("a", "b")

    def test_it_shows_what_it_is(self):
        assert repr(sim.system("jaro")) == "<system 'jaro', 0..1>"
        assert repr(sim.system(CONDITIONAL, name="mine")) == "<system 'mine', reads the condition, reads the context>"

    def test_it_is_taken_where_systems_are(self):
        jaro = sim.system("jaro", name="j")
        run = sim.run("sample:opinions", [jaro, sim.system("levenshtein")], ["spearman"], resamples=0)
        assert [(record.label, record.identity) for record in run.systems] == [("j", "jaro"), ("levenshtein",) * 2]
        assert sim.system(jaro) is jaro
        assert sim.system(jaro, name="k").label == "k"
        found = sim.task("sample:deduplication", {"mine": jaro}, resamples=0)
        assert found.systems[0].label == "mine"


class TestMisuse:
    @pytest.mark.parametrize(
        ("systems", "words"),
        [
            (None, "system 1: None is no system; give a name such as"),
            (3, r"system 1: an int \(3\) is no system"),
            ([None], "system 1: None is no system"),
            (["jaro", 1.5], r"system 2: a float \(1.5\) is no system"),
            ({"mine": None}, "system 'mine': None is no system"),
            ({"mine": object()}, "system 'mine': an object is no system"),
            ({"mine": {"a": "b"}}, "system 'mine': a dict .* is no system"),
            ({"mine": {}}, "system 'mine': a dict .* is no system"),
            (b"jaro", "system 1: a bytes .* is no system"),
            ([], "no system to run"),
            ({}, "no system to run"),
            ((), "no system to run"),
            ({"jaro", "levenshtein"}, "a set of systems has no order; give a list"),
            ([0.5, 0.1], "system 1 is an array of scores without a name"),
            (pd.DataFrame({"a": [1.0]}), "system .a.: 1 score for 60 items"),
            (np.ones(60), "system 1 is an array of scores without a name"),
            ([["jaro", "levenshtein"]], "system 1 is an array of scores without a name"),
            (["jaro", "jaro"], "'jaro' is named twice"),
        ],
    )
    def test_one_typed_error_with_a_remedy(self, systems, words):
        with pytest.raises(ArgumentError, match=words) as caught:
            sim.run("sample:opinions", systems, ["spearman"], resamples=0)
        assert caught.value.remedy
        assert "--" not in str(caught.value)

    def test_a_tokeniser_is_no_model_though_it_encodes(self):
        tokenizers = pytest.importorskip("tokenizers")
        words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, unk_token="a"))
        with pytest.raises(ArgumentError, match=r"system 'mine': a .*Tokenizer.* is a tokeniser: .*; give the model"):
            sim.run("sample:opinions", {"mine": words}, ["spearman"], resamples=0)

    @pytest.mark.parametrize(
        "systems",
        [
            "jaro",
            ["jaro"],
            ("jaro",),
            (name for name in ["jaro"]),
            {"jaro": "jaro"},
            {"jaro": 1}.keys(),
            sim.system("jaro"),
            np.array(["jaro"]),
            pl.Series(["jaro"]),
        ],
    )
    def test_one_system_in_any_form(self, systems):
        run = sim.run("sample:opinions", systems, ["spearman"], resamples=0)
        assert [record.label for record in run.systems] == ["jaro"]

    def test_options_that_say_nothing(self):
        with pytest.raises(ArgumentError, match="takes='both' is not known"):
            sim.system(len, takes="both")
        with pytest.raises(ArgumentError, match="takes= is about objects, but 'jaro' is a system already"):
            sim.system("jaro", takes="pairs")
        with pytest.raises(ArgumentError, match="takes='pairs' is about functions"):
            sim.system(np.ones(3), takes="pairs", name="x")
        for given in ("0..1", (0, 1), [0.0, 1.0], sim.Scale(low=0, high=1)):
            assert str(sim.system(CONDITIONAL, name="x", range=given).range) == "0..1"
        with pytest.raises(ArgumentError, match="range=3 is no range"):
            sim.system(CONDITIONAL, name="x", range=3)
        with pytest.raises(UnknownNameError, match="no system named 'jarro'; did you mean 'jaro'"):
            sim.system("jarro")

    def test_a_score_of_two_texts_is_given_itself(self):
        class Scorer:
            def score(self, left, right):
                return 1.0

        with pytest.raises(ArgumentError, match="is no system"):
            sim.system(Scorer(), name="mine")
        assert sim.system(Scorer().score, name="mine")("a", "b") == 1.0


class Mine:
    """Lengths."""

    def __init__(self, by=1.0):
        self.by = by

    def score(self, items):
        return [self.by * len(left) for left in items.lefts]


class TestClassesWithScore:
    def test_an_instance_a_class_and_two_of_one_class(self):
        run = sim.run("sample:opinions", {"a": Mine, "b": Mine(-1.0), "c": Mine(-1.0)}, ["spearman"], resamples=0)
        assert run["a", "spearman"] == pytest.approx(-run["b", "spearman"])
        assert run["b", "spearman"] == run["c", "spearman"]
        assert [record.identity for record in run.systems] == ["object(a)", "object(b)", "object(c)"]

    def test_without_a_name_it_has_that_of_its_class(self):
        run = sim.run("sample:opinions", [Mine(), Mine(2.0)], ["spearman"], resamples=0)
        assert [record.label for record in run.systems] == ["Mine", "Mine(by=2.0)"]

    def test_a_class_that_needs_arguments(self):
        class Needs:
            def __init__(self, by):
                self.by = by

            def score(self, items):
                return [self.by] * len(items)

        with pytest.raises(ArgumentError, match=r"the class Needs cannot be made without arguments .*Needs\(...\)"):
            sim.run("sample:opinions", {"a": Needs})

    def test_what_it_raises_is_the_cause(self):
        class Broken:
            def score(self, items):
                raise OSError("gone")

        with pytest.raises(PredictionError, match=r"system 'Broken': score\(\) raised OSError: gone") as caught:
            sim.run("sample:opinions", [Broken()])
        assert isinstance(caught.value.__cause__, OSError)

    @pytest.mark.parametrize("said", [[1.0], "x", None, [[1, 2]] * 60, ["0.5"] * 60])
    def test_what_is_not_one_number_an_item(self, said):
        class Odd:
            def score(self, items):
                return said

        with pytest.raises(PredictionError, match=r"Odd: score\(\) gave .*return a list or an array of one number"):
            sim.run("sample:opinions", [Odd()])

    def test_a_tensor_will_do(self):
        torch = pytest.importorskip("torch")

        class Tensor:
            def score(self, items):
                return torch.ones(len(items), 1, dtype=torch.bfloat16, requires_grad=True)

        assert set(sim.system(Tensor()).score(sim.Items.from_pairs(["a"], ["b"])).scores) == {1.0}
