"""Benchmarks and judgements as objects of other libraries, and back; frames are read like their files."""

import sys
from dataclasses import replace

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, InputError, MissingExtraError

SAMPLES = ["sample:opinions", "sample:dialogues", "sample:conditions", "sample:world"]
FORMS = ["to_polars", "to_pandas", "to_dict", "to_hf"]


def with_splits(benchmark, splits):
    names = [splits[number % len(splits)] for number in range(len(benchmark))]
    return replace(benchmark, frame=benchmark.frame.with_columns(split=pl.Series(names, dtype=pl.String)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_benchmark_comes_back_the_same(name, form):
    """With contexts, conditions, ratings, raters, groups: whatever the samples have."""
    benchmark = sim.read(name)
    again = sim.read(getattr(benchmark, form)())
    assert again.fingerprint == benchmark.fingerprint
    assert (again.name, again.scale, again.licence) == (benchmark.name, benchmark.scale, benchmark.licence)
    assert again.is_simulated == benchmark.is_simulated


@pytest.mark.parametrize("splits", [["train"], ["train", "dev"], ["train", None, "te/st"]])
@pytest.mark.parametrize("form", FORMS)
def test_splits_and_the_order_of_rows_come_back(form, splits):
    benchmark = with_splits(sim.read("sample:opinions"), splits)
    assert sim.read(getattr(benchmark, form)()).fingerprint == benchmark.fingerprint


def test_a_dataset_has_splits_if_the_benchmark_has(tmp_path):
    plain = sim.read("sample:opinions")
    assert isinstance(plain.to_hf(), datasets.Dataset)
    sorted_by_split = replace(plain, frame=plain.frame.with_columns(split=pl.Series(["train"] * 40 + ["test"] * 20)))
    found = sorted_by_split.to_hf()
    assert {name: len(part) for name, part in found.items()} == {"train": 40, "test": 20}
    assert "position" not in found["train"].column_names
    mixed = with_splits(plain, ["train", "test"])
    assert "position" in mixed.to_hf()["train"].column_names
    mixed.to_hf().save_to_disk(str(tmp_path / "saved"))
    assert sim.read(tmp_path / "saved").fingerprint == mixed.fingerprint


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SAMPLES[:3])
def test_judgements_come_back_the_same(name, form):
    judgements = sim.read_judgements(name)
    again = sim.read_judgements(getattr(judgements, form)(), items=judgements.items)
    assert again.frame.equals(judgements.frame)
    assert again.items.equals(judgements.items)
    assert (again.kind, again.scale, again.name) == (judgements.kind, judgements.scale, judgements.name)


def test_what_is_not_installed_is_named(monkeypatch):
    benchmark = sim.read("sample:opinions")
    monkeypatch.setitem(sys.modules, "datasets", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[huggingface\]'"):
        benchmark.to_hf()
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[pandas\]'"):
        benchmark.to_pandas()


# --- what was read before --------------------------------------------------------------------------------------------


def test_what_was_read_before_comes_back_as_it_is():
    benchmark, judgements = sim.read("sample:opinions"), sim.read_judgements("sample:opinions")
    assert sim.read(benchmark) is benchmark
    assert sim.read(benchmark, scale=None, columns={}, missing=(), on_error="stop") is benchmark
    assert sim.read_judgements(judgements) is judgements
    with pytest.raises(ArgumentError, match="scale=, name= would change nothing; leave out scale=, name="):
        sim.read(benchmark, scale="0..5", name="x")
    with pytest.raises(ArgumentError, match="a sample has its own items, scale and layout, and split= would"):
        sim.read("sample:opinions", split="test")


def test_judgements_get_the_texts_of_their_items():
    judgements = sim.read_judgements("sample:dialogues")
    bare = replace(judgements, items=None)
    assert sim.read_judgements(bare, items=judgements.items).items.equals(judgements.items)
    with pytest.raises(InputError, match="58 of 60 judged items are not in 'unnamed'"):
        sim.read_judgements(bare, items=judgements.items[:2])
    more = pl.concat([judgements.items, judgements.items[:1].with_columns(id=pl.lit("new"))])
    assert sim.read_judgements(bare, items=more).items.equals(judgements.items)


# --- frames like their files -----------------------------------------------------------------------------------------


def layouts(seed):
    rng = np.random.default_rng(seed)
    people, items = [f"p{n}" for n in range(4)], [f"i{n}" for n in range(12)]
    words = ["cat", "dog", "runs", "a, b", 'say "hi"', "Stra\u00dfe", "\u65e5\u672c", "x;y"]
    left, right = ({item: " ".join(rng.choice(words, 4)) for item in items} for _ in range(2))
    long = pd.DataFrame(
        [(p, i, int(rng.integers(0, 6))) for i in items for p in people], columns=["annotator", "item", "value"]
    )
    wide = long.pivot(index="item", columns="annotator", values="value").reset_index().rename_axis(columns=None)
    tuples = [[*rng.choice(items, 4, replace=False)] for _ in range(20)]
    chosen = [(p, t, *rng.permutation(4)[:2]) for t in tuples for p in people]
    named = [{"annotator": p, **{f"item{n + 1}": t[n] for n in range(4)}} for p, t, _, _ in chosen]
    best = pd.DataFrame(named).assign(best=[t[b] for _, t, b, _ in chosen], worst=[t[w] for _, t, _, w in chosen])
    pairs = pd.DataFrame([{"annotator": p, "a": t[0], "b": t[1], "winner": t[b % 2]} for p, t, b, _ in chosen])
    counts = pd.DataFrame({"item": items, **{name: rng.integers(1, 5, 12) for name in ("low", "middle", "high")}})
    texts = long.assign(left=long["item"].map(left), right=long["item"].map(right))
    return {
        "long": (long, {}),
        "long, halves": (long.assign(value=long["value"] / 2), {}),
        "long, texts": (texts, {}),
        "long, texts under other names": (texts.rename(columns={"left": "sentence1", "right": "sentence2"}), {}),
        "long, numbers for ids": (long.assign(item=long["item"].str[1:].astype(int)), {}),
        "long, words": (long.assign(value=[["low", "middle", "high"][v % 3] for v in long["value"]]), {}),
        "long, categories": (long.assign(value=long["value"].mod(3).map(str).add("!").astype("category")), {}),
        "long, does it apply": (long.assign(applies=rng.random(len(long)) > 0.3), {}),
        "long, two rounds": (pd.concat([long.assign(round=name) for name in ("first", "second")]), {}),
        "long, times": (long.assign(time=pd.date_range("2024-01-01", periods=len(long), freq="min")), {}),
        "wide": (wide, {"columns": {"raters": "p*"}}),
        "wide, gaps": (
            wide.mask(rng.random(wide.shape) < 0.1).assign(item=wide["item"]),
            {"columns": {"raters": "p*"}},
        ),
        "wide, texts": (
            wide.assign(sentence1=wide["item"].map(left), sentence2=wide["item"].map(right)),
            {"columns": {"raters": "p*"}},
        ),
        "best-worst": (best, {}),
        "best-worst, texts": (best.replace({i: f"{left[i]} / {right[i]}" for i in items}), {}),
        "pairs": (pairs, {}),
        "counts": (counts, {"kind": "counts"}),
    }


def facts(judgements):
    items = None if judgements.items is None else judgements.items.to_dicts()
    return judgements.kind, judgements.frame.to_dicts(), str(judgements.scale), items, judgements.categories


@pytest.mark.parametrize("name", layouts(0))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_frame_of_judgements_is_read_like_its_file(tmp_path, name, seed):
    frame, options = layouts(seed)[name]
    frame.to_csv(tmp_path / "answers.csv", index=False)
    expected = facts(sim.read_judgements(tmp_path / "answers.csv", **options))
    plain = pl.from_pandas(frame.reset_index(drop=True))
    hub = datasets.Dataset.from_polars(plain.with_columns(pl.col(pl.Categorical).cast(pl.String)))
    for data in (frame, plain, plain.to_arrow(), frame.to_dict("records"), iter(frame.to_dict("records")), hub):
        assert facts(sim.read_judgements(data, **options)) == expected


def test_texts_in_rows_of_ratings_are_kept():
    rows = [{"annotator": a, "item": i, "value": v, "left": f"l{i}", "right": f"r{i}"} for a, i, v in
            [("x", "1", 1), ("y", "1", 2), ("x", "2", 4), ("y", "2", 5)]]  # fmt: skip
    gold = sim.gold(pd.DataFrame(rows))
    assert gold.frame.select("id", "left", "right", "score").rows() == [("1", "l1", "r1", 1.5), ("2", "l2", "r2", 4.5)]


BENCHMARKS = {
    "scores": {"left": ["a, b", "c"], "right": ["d", 'say "hi"'], "score": [0.5, 5]},
    "other names": {"sentence1": ["a", "b"], "sentence2": ["c", "d"], "similarity": [1, 4]},
    "ids, groups, splits": {
        "id": [7, 8, 9], "left": ["a", "b", "c"], "right": ["d", "e", "f"], "group": ["g", "g", "h"],
        "split": ["train", "train", "test"], "score": [1.0, 2.0, 3.5],
    },
    "hidden gold": {"left": ["a", "b", "c"], "right": ["c", "d", "e"], "score": [1.0, None, 4.0]},
    "conditions": {"left": ["a", "a"], "right": ["b", "b"], "condition": ["colour", "size"], "score": [1, 5]},
    "no scores": {"left": ["a", "b"], "right": ["c", "d"]},
}  # fmt: skip


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_frame_of_pairs_is_read_like_its_file(tmp_path, name):
    frame = pd.DataFrame(BENCHMARKS[name])
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    expected = sim.read(tmp_path / "pairs.csv").fingerprint
    plain = pl.from_pandas(frame)
    hub = datasets.Dataset.from_pandas(frame)
    for data in (frame, plain, plain.lazy(), plain.to_arrow(), BENCHMARKS[name], plain.to_dicts(), hub):
        assert sim.read(data).fingerprint == expected


def test_options_are_taken_in_the_forms_that_people_write():
    frame = pd.DataFrame({"q1": ["a", "b"], "q2": ["c", "d"], 3: [1, 99]})
    found = sim.read(frame, columns={"left": "q1", "right": "q2", "score": 3}, scale=(0, 5), missing=99, name="mine")
    assert found.frame["score"].to_list() == [1.0, None]
    assert repr(found) == "<Benchmark 'mine': 2 items, scale 0..5 (declared)>"
    columns = {"left": ["a", "b"], "right": ["c", "d"], "score": [1, 2]}
    assert str(sim.Benchmark.from_columns(scale=(0, 5), **columns).scale) == "0..5"
    with pytest.raises(ArgumentError, match="scale=5 has no two ends"):
        sim.Benchmark.from_columns(scale=5, **columns)


def test_a_report_of_checks_is_a_table():
    same = sim.check({"left": ["one", "two"], "right": ["eins", "zwei"], "score": [3, 3]})
    assert next(iter(same)).code == "constant-scores"
    assert same.to_polars()["code"].to_list() == [finding.code for finding in same]
    assert len(same) == len(same.findings)
    assert repr(same).startswith("<Report on 'unnamed': 1 error, ")
    fine = sim.check("sample:opinions")
    assert bool(fine)
    assert fine.to_polars().columns == ["code", "severity", "message", "count", "remedy", "examples"]


def test_columns_whose_labels_have_different_orders_are_refused():
    left, right = pd.Series(["a", "b", "c"]), pd.Series(["x", "y", "z"])
    score = pd.Series([3.0, 1.0, 2.0], index=[2, 0, 1])
    told = (
        r"score and left have the same index in different orders: .*; labels: score.loc\[left.index\]; rows: score.to_"
    )
    with pytest.raises(ArgumentError, match=f"dict: {told}"):
        sim.read({"left": left, "right": right, "score": score})
    with pytest.raises(ArgumentError, match=told):
        sim.Benchmark.from_columns(left=left, right=right, score=score)
    by_label = sim.read({"left": left, "right": right, "score": score.loc[left.index]})
    assert by_label.gold.scores.tolist() == [1.0, 2.0, 3.0]
    assert sim.read({"left": left, "right": right, "score": score.to_numpy()}).gold.scores.tolist() == [3.0, 1.0, 2.0]
    assert sim.read({"left": left, "right": right.to_list(), "score": left.index}).gold.scores.tolist() == [0, 1, 2]


def test_a_list_of_texts_is_not_taken_for_names_of_files(tmp_path):
    with pytest.raises(
        ArgumentError, match=r"a list of texts \('A cat sleeps.', ...\) .* list\(zip\(lefts, rights, scores"
    ):
        sim.run(["A cat sleeps.", "A dog runs.", "A cat sleeps."], ["One cat.", "Two dogs.", "A cat."], [1, 2, 3])
    with pytest.raises(ArgumentError, match="a list of texts"):
        sim.read(["a very long text " * 500, "a text of\nseveral lines"])
    with pytest.raises(InputError, match="no such file"):
        sim.read(["no such file.csv", "another such file.csv"])
    with pytest.raises(InputError, match="no such file"):
        sim.read(["nosuchfile", "another"])
