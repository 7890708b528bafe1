"""Objects as systems in runs, suites, choices and tasks; and what is left of them in a folder."""

import json

import numpy as np
import pytest
from scipy.stats import spearmanr

import similitude as sim
from similitude.errors import ArgumentError
from similitude.evaluate.measures import make_measure

DATA = sim.read("sample:opinions")
FRAME = DATA.frame.select("left", "right", "score").to_pandas()
GOLD = DATA.gold.scores
SCORES = np.linspace(0, 1, len(DATA)) ** 2


def words(left, right):
    return len(set(left.split()) & set(right.split()))


class Letters:
    def encode(self, texts):
        return [[text.count(letter) for letter in "aeinrst"] for text in texts]


EVERYTHING = {
    "mine": words,
    "lists": lambda lefts, rights: [len(left) - len(right) for left, right in zip(lefts, rights, strict=True)],
    "letters": Letters(),
    "old scores": SCORES,
    "built in": "levenshtein",
}


def rho(scores) -> float:
    return float(spearmanr(GOLD, scores)[0])


def test_everything_in_one_run():
    run = sim.run(FRAME, EVERYTHING, ["spearman"], resamples=0)
    assert [record.label for record in run.systems] == list(EVERYTHING)
    pairs = list(zip(DATA.items.lefts, DATA.items.rights, strict=True))
    assert run["mine", "spearman"] == pytest.approx(rho([words(*pair) for pair in pairs]))
    assert run["lists", "spearman"] == pytest.approx(rho([len(left) - len(right) for left, right in pairs]))
    assert run["old scores", "spearman"] == pytest.approx(rho(SCORES))
    assert run["built in", "spearman"] == sim.run(FRAME, "levenshtein", "spearman")["levenshtein", "spearman"]


def test_the_order_of_the_systems_eyes_does_not_matter():
    """Systems see items shuffled, by the seed; scores in memory still belong to their rows."""
    first, other = (sim.run(FRAME, EVERYTHING, ["spearman"], seed=seed, resamples=0) for seed in (0, 7))
    for name in EVERYTHING:
        assert first[name, "spearman"] == pytest.approx(other[name, "spearman"])


def test_a_choice_a_suite_and_a_task():
    choice = sim.choose(FRAME, EVERYTHING, cardinality="1:1", resamples=0)
    assert {record.label for record in choice.run.systems} == set(EVERYTHING)
    no_array = {name: thing for name, thing in EVERYTHING.items() if name != "old scores"}
    suite = sim.run_suite({"one": FRAME, "two": "sample:dialogues"}, no_array, resamples=0)
    assert suite.labels == tuple(no_array)
    assert np.isfinite(suite.main.values).all()
    task = sim.task("sample:deduplication", no_array, resamples=0)
    assert [record.label for record in task.systems] == list(no_array)


def test_one_object_to_choose_from_is_too_few():
    with pytest.raises(ArgumentError, match="there is only one system to choose from"):
        sim.choose(FRAME, {"mine": words}, cardinality="1:1")
    with pytest.raises(ArgumentError, match="there is only one system to choose from"):
        sim.choose(FRAME, words, cardinality="1:1")
    assert sim.choose(FRAME, iter([words, "jaro"]), cardinality="1:1", resamples=0).fitting.best in ("words", "jaro")


class TestFolders:
    def test_a_saved_run_is_loaded_and_measured_again_without_the_objects(self, tmp_path):
        run = sim.run(FRAME, EVERYTHING, ["spearman"], out=tmp_path / "run", resamples=0)
        again = sim.load_run(tmp_path / "run")
        assert again.labels == list(EVERYTHING)
        for one, other in zip(run.predictions, again.predictions, strict=True):
            assert (one.scores == other.scores).all()
        for name, figure in zip(again.labels, make_measure("kendall")(again.comparison), strict=True):
            expected = sim.run(FRAME, {name: EVERYTHING[name]}, ["kendall"], resamples=0)[name, "kendall"]
            assert figure.value == pytest.approx(expected)
        record = json.loads((tmp_path / "run" / "run.json").read_text())
        assert record["systems"][0]["identity"] == "object(mine)"
        assert record["systems"][3]["identity"] == "object(old scores)"

    def test_without_the_object_it_cannot_be_run_again(self, tmp_path):
        sim.run(FRAME, EVERYTHING, ["spearman"], out=tmp_path / "run", resamples=0)
        identity = sim.load_run(tmp_path / "run").systems[3].identity
        with pytest.raises(ArgumentError, match=r"'old scores' was an object in Python.*\{\"old scores\""):
            sim.run(FRAME, [identity], out=tmp_path / "run")

    def test_a_suite_keeps_what_an_object_said(self, tmp_path):
        both = {"one": FRAME, "two": "sample:dialogues"}
        first = sim.run_suite(both, {"mine": words}, out=tmp_path, resamples=0)
        again = sim.run_suite(both, ["jaro"], out=tmp_path, resamples=0)
        assert sorted(again.labels) == ["jaro", "mine"]
        assert again["mine", "one"] == first["mine", "one"]

    def test_a_name_that_a_system_of_ours_has(self, tmp_path):
        run = sim.run(FRAME, {"levenshtein": words, "edits": "levenshtein"}, ["spearman"], out=tmp_path, resamples=0)
        assert [record.identity for record in run.systems] == ["object(levenshtein)", "levenshtein"]
        assert run["levenshtein", "spearman"] == pytest.approx(sim.run(FRAME, words, "spearman")["words", "spearman"])
        assert sim.load_run(tmp_path)["levenshtein", "spearman"] == run["levenshtein", "spearman"]

    def test_a_baseline(self):
        run = sim.run(FRAME, EVERYTHING, ["spearman"], against="old scores")
        assert run.against == "object(old scores)"
