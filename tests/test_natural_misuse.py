"""What people try first by mistake: each ends in one typed error of one line that says what to do."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import similitude as sim

PAIRS = pd.DataFrame({"left": ["a b", "c d", "e f"], "right": ["a", "d", "x y"], "score": [1.0, 2.0, 3.0]})
STRANGE = PAIRS.rename(columns={"left": "foo", "right": "bar"})
RATED = {"annotator": ["x", "y", "z"] * 2, "item": ["1"] * 3 + ["2"] * 3, "value": [1, 2, 3, 4, 4, 5]}
ANSWERS = pd.DataFrame({**RATED, "left": "a", "right": "b"})
TWO = ["levenshtein", "jaro"]
BENCHMARK = sim.read(PAIRS)
DESIGN = sim.design(list("abcdef"), size=3)

MISUSES = {
    # data that is none
    "read: None": lambda: sim.read(None),
    "read: a number": lambda: sim.read(5),
    "read: bytes": lambda: sim.read(b"left,right\n"),
    "read: a Series": lambda: sim.read(PAIRS["left"]),
    "read: a polars Series": lambda: sim.read(pl.Series(["a"])),
    "read: an Index": lambda: sim.read(PAIRS.columns),
    "read: an empty frame": lambda: sim.read(pd.DataFrame()),
    "read: no rows": lambda: sim.read(PAIRS.iloc[:0]),
    "read: an empty list": lambda: sim.read([]),
    "read: an empty dict": lambda: sim.read({}),
    "read: an empty path": lambda: sim.read(""),
    "read: an empty generator": lambda: sim.read(row for row in ()),
    "read: a list of texts that are no files": lambda: sim.read(["a text", "another"]),
    "read: frames in a list": lambda: sim.read([PAIRS, PAIRS]),
    "read: an array": lambda: sim.read(np.zeros((3, 2))),
    "read: a set": lambda: sim.read({("a", "b")}),
    "read: a class": lambda: sim.read(dict),
    "read: judgements": lambda: sim.read(sim.read_judgements(ANSWERS)),
    # columns and options
    "read: unknown columns": lambda: sim.read(STRANGE),
    "read: a misspelt option": lambda: sim.read(PAIRS, column={"left": "left"}),
    "read: columns as a list": lambda: sim.read(STRANGE, columns=["foo", "bar"]),
    "read: columns the wrong way round": lambda: sim.read(STRANGE, columns={"foo": "left"}),
    "read: columns that are not there": lambda: sim.read(PAIRS, columns={"left": "question1"}),
    "read: a column that is None": lambda: sim.read(PAIRS, columns={"left": None}),
    "read: scale as a number": lambda: sim.read(PAIRS, scale=5),
    "read: scale without a high end": lambda: sim.read(PAIRS, scale="0.."),
    "read: missing as a dict": lambda: sim.read(PAIRS, missing=[{}]),
    "read: a split that is a number": lambda: sim.read(PAIRS, split=1),
    "read: a name that is a number": lambda: sim.read(PAIRS, name=1),
    "read: a benchmark with options": lambda: sim.read(BENCHMARK, scale="0..5"),
    "read: a sample with options": lambda: sim.read("sample:opinions", columns={"left": "x"}),
    "read_judgements: None": lambda: sim.read_judgements(None),
    "read_judgements: pairs": lambda: sim.read_judgements(PAIRS),
    "read_judgements: a Series": lambda: sim.read_judgements(ANSWERS["value"]),
    "read_judgements: a benchmark without": lambda: sim.read_judgements(BENCHMARK),
    "read_judgements: a misspelt option": lambda: sim.read_judgements(ANSWERS, item="item"),
    "read_judgements: an unknown kind": lambda: sim.read_judgements(ANSWERS, kind="ratings"),
    "read_judgements: another kind than a sample's": lambda: sim.read_judgements("sample:opinions", kind="best-worst"),
    "read_judgements: read before": lambda: sim.read_judgements(sim.read_judgements(ANSWERS), scale="1..5"),
    "write: None": lambda: sim.write(None, "x.jsonl"),
    "write: no path": lambda: sim.write(BENCHMARK, None),
    "write: an unknown suffix": lambda: sim.write(BENCHMARK, "x.docx"),
    # runs
    "run: None": lambda: sim.run(None, TWO),
    "run: unknown columns": lambda: sim.run(STRANGE, TWO),
    "run: no systems": lambda: sim.run(PAIRS, []),
    "run: systems None": lambda: sim.run(PAIRS, None),
    "run: a measure that is a number": lambda: sim.run(PAIRS, TWO, [5]),
    "run: measures as a number": lambda: sim.run(PAIRS, TWO, 5),
    "run: an unknown measure": lambda: sim.run(PAIRS, TWO, "spearmen"),
    "run: a level in percent": lambda: sim.run(PAIRS, TWO, "pearson", level=95),
    "run: a level as text": lambda: sim.run(PAIRS, TWO, "pearson", level="95"),
    "run: negative resamples": lambda: sim.run(PAIRS, TWO, "pearson", resamples=-1),
    "run: half a resample": lambda: sim.run(PAIRS, TWO, "pearson", resamples=0.5),
    "run: a seed as text": lambda: sim.run(PAIRS, TWO, "pearson", seed="a"),
    "run: no seed": lambda: sim.run(PAIRS, TWO, "pearson", seed=None),
    "run: a margin as text": lambda: sim.run(PAIRS, TWO, "pearson", margin="small"),
    "run: an unknown split": lambda: sim.run(PAIRS, TWO, "pearson", split="test"),
    "run: an unknown interval": lambda: sim.run(PAIRS, TWO, "pearson", interval="wald"),
    "run: an unknown way with errors": lambda: sim.run(PAIRS, TWO, "pearson", on_error="ignore"),
    "run: systems compared by number": lambda: sim.run(PAIRS, TWO, "pearson", resamples=0).compare(0, 1),
    "run: disagreements by number": lambda: sim.run(PAIRS, TWO, "pearson", resamples=0).disagreements(system=0),
    "run: a folder that is a number": lambda: sim.run(PAIRS, TWO, "pearson", out=5),
    "run: judgements that are none": lambda: sim.run(PAIRS, TWO, "pearson", judgements=PAIRS),
    "run_suite: None": lambda: sim.run_suite(None, TWO),
    "run_suite: an empty list": lambda: sim.run_suite([], TWO),
    "run_suite: unknown columns": lambda: sim.run_suite({"mine": STRANGE}, TWO),
    "load_run: None": lambda: sim.load_run(None),
    "load_run: a folder without a run": lambda: sim.load_run("no-such-run"),
    # choices and tasks
    "choose: nothing said": lambda: sim.choose(PAIRS, TWO),
    "choose: one system": lambda: sim.choose(PAIRS, "levenshtein", cardinality="1:1"),
    "choose: a text for requirements": lambda: sim.choose(PAIRS, TWO, "1:n"),
    "choose: said twice": lambda: sim.choose(PAIRS, TWO, sim.Requirements(cardinality="1:1"), interest="all"),
    "choose: an unknown interest": lambda: sim.choose(PAIRS, TWO, cardinality="1:n", interest="best"),
    "choose: a misspelt option": lambda: sim.choose(PAIRS, TWO, cardinality="1:1", resample=10),
    "choose: no queries": lambda: sim.choose(PAIRS, TWO, cardinality="1:n", interest="k-best"),
    "task: None": lambda: sim.task(None, TWO),
    "task: no labels": lambda: sim.task(PAIRS[["left", "right"]], TWO),
    "task: an unknown kind": lambda: sim.task(PAIRS, TWO, kind="duplicate-search"),
    "task: a kind that is a number": lambda: sim.task(PAIRS, TWO, kind=5),
    "task: columns as a list": lambda: sim.task(PAIRS, TWO, kind="related", columns=["left"]),
    # gold, reliability, design, checks, measures
    "gold: None": lambda: sim.gold(None),
    "gold: pairs": lambda: sim.gold(PAIRS),
    "gold: no texts": lambda: sim.gold(ANSWERS.drop(columns=["left", "right"])),
    "gold: an unknown method": lambda: sim.gold(ANSWERS, "average"),
    "gold: a method that is a number": lambda: sim.gold(ANSWERS, 5),
    "gold: a method for other answers": lambda: sim.gold(ANSWERS, "plackett-luce"),
    "gold: a seed as text": lambda: sim.gold(ANSWERS, seed="a"),
    "gold: items that are none": lambda: sim.gold(ANSWERS, items=5),
    "aggregate: None": lambda: sim.aggregate(None),
    "reliability: None": lambda: sim.reliability(None),
    "reliability: a Series": lambda: sim.reliability(ANSWERS["value"]),
    "reliability: by a number": lambda: sim.reliability(ANSWERS, by=5),
    "reliability: by an unknown column": lambda: sim.reliability(ANSWERS, by="colour"),
    "reliability: unknown halving": lambda: sim.reliability(ANSWERS, halving={"times": 3}),
    "reliability: targets that are none": lambda: sim.reliability(ANSWERS, targets=5),
    "reliability: components as text": lambda: sim.reliability(ANSWERS, components="many"),
    "reliability: gold answers that are none": lambda: sim.reliability(ANSWERS, gold_answers=5),
    "reliability: an unknown figure": lambda: sim.reliability(ANSWERS, resamples=0)["kappa of Cohen"],
    "design: None": lambda: sim.design(None),
    "design: an empty list": lambda: sim.design([]),
    "design: an id twice": lambda: sim.design(["a", "a", "b", "c"]),
    "design: an unknown kind": lambda: sim.design(PAIRS, "ratings"),
    "design: a factor as text": lambda: sim.design(PAIRS, factor="2"),
    "design: half an item": lambda: sim.design(PAIRS, size=2.5),
    "design: too few items": lambda: sim.design(PAIRS, size=9),
    "design: an option of ratings": lambda: sim.design(PAIRS, size=2, gold_share=0.1),
    "design: an option of tuples": lambda: sim.design(PAIRS, "rating", factor=2),
    "design: saved nowhere": lambda: DESIGN.save(None),
    "check: None": lambda: sim.check(None),
    "check: unknown columns": lambda: sim.check(STRANGE),
    "check: an unknown check": lambda: sim.check(PAIRS, "spelling"),
    "check: a check that is a number": lambda: sim.check(PAIRS, [5]),
    "measure: different lengths": lambda: sim.measure([1, 2, 3], [1, 2], "pearson"),
    "measure: texts": lambda: sim.measure(["a", "b"], ["c", "d"], "pearson"),
    "measure: a frame for gold": lambda: sim.measure(PAIRS, [1, 2, 3], "pearson"),
    "measure: None": lambda: sim.measure(None, None, "pearson"),
    "make_measure: None": lambda: sim.make_measure(None),
    "contentious: a system that knows no doubt": lambda: sim.contentious(PAIRS, "levenshtein"),
    "Requirements: a number": lambda: sim.Requirements(cardinality=1),
    "Scale: a number": lambda: sim.Scale.parse(5),
    "select: an unknown split": lambda: BENCHMARK.select(split="test"),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_a_natural_misuse_gets_one_typed_error_with_a_remedy(misuse):
    with pytest.raises(sim.SimilitudeError) as caught:
        MISUSES[misuse]()
    error = caught.value
    assert type(error) is not sim.SimilitudeError
    assert error.what
    assert error.remedy
    assert "\n" not in str(error)
    assert "--" not in str(error)


USES = {
    "one measure as a text": lambda: sim.run(PAIRS, TWO, "pearson", resamples=0)["jaro", "pearson"],
    "no measure": lambda: sim.run(PAIRS, TWO, None, resamples=0)["jaro", "pearson"],
    "one system as a text": lambda: sim.run(PAIRS, "jaro", "pearson", resamples=0)["jaro", "pearson"],
    "a generator": lambda: sim.read(row for row in PAIRS.to_dict("records")),
    "a generator of tuples": lambda: sim.read(iter([("a", "b", 1), ("c", "d", 2)])),
    "a scale as two numbers": lambda: sim.read(PAIRS, scale=(0, 5)),
    "a missing code as a number": lambda: sim.read(PAIRS, missing=2),
    "one check as a text": lambda: sim.check(PAIRS, "exact-duplicates"),
    "ids in a Series": lambda: sim.design(pd.Series(list("abcdef")), size=3),
    "a frame for a suite": lambda: sim.run_suite(PAIRS, TWO, "pearson", resamples=0),
    "frames by name for a suite": lambda: sim.run_suite({"mine": PAIRS}, TWO, ["pearson"], resamples=0),
    "a frame to write": lambda: sim.read(PAIRS.to_dict("list")),
}


@pytest.mark.parametrize("use", USES)
def test_what_people_expect_to_work_does(use):
    assert USES[use]() is not None


RESULTS = {
    "run": lambda: sim.run(PAIRS, {"mine": lambda left, right: len(left), "jaro": "jaro"}, ["pearson", "f1_low"]),
    "suite": lambda: sim.run_suite({"a": PAIRS, "b": PAIRS[1:]}, TWO, resamples=0),
    "choice": lambda: sim.choose(PAIRS, TWO, cardinality="1:1", resamples=0),
    "task": lambda: sim.task("sample:deduplication", ["length-ratio"], resamples=0),
    "report": lambda: sim.check(PAIRS),
    "design": lambda: DESIGN,
}


@pytest.mark.parametrize("result", RESULTS)
def test_results_can_be_pickled(result):
    made = RESULTS[result]()
    again = pickle.loads(pickle.dumps(made))
    assert repr(again) == repr(made)
    assert again.to_pandas().equals(made.to_pandas())
