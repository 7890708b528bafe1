"""Writing: what is read back is what was written, and nothing half-written is ever seen."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from similitude.data import Benchmark, Provenance
from similitude.data.judgement import BEST_WORST_SCHEMA
from similitude.data.reading import read, recognise
from similitude.data.scale import Scale
from similitude.data.writing.atomic import write_atomically
from similitude.data.writing.benchmark import WRITERS, write
from similitude.errors import ArgumentError, UnknownNameError

TARGETS = {"jsonl": "rows.jsonl", "parquet": "rows.parquet", "csv": "rows.csv", "huggingface": "folder"}


@pytest.fixture
def full() -> Benchmark:
    """Every column, null scores, and texts that trip careless writers."""
    benchmark = Benchmark.from_columns(
        "odd texts",
        id=["1", "002", "drei", "四", "5 "],
        left=['a, "b"; c', "line\nbreak\r\nand\ttab", "你好，世界", " leading", "lone\rreturn"],
        right=["'single'", "\u2028 and \x0b", "再见", "#hash", "{}"],
        context=[["x", 'a, "b"; c'], None, [], ["只", "有"], None],
        condition=["colour", None, None, "数量", None],
        group=["g1", "g1", None, None, "g2"],
        language=["en", "en", "zh", "zh", "en"],
        domain=[None, "news", None, None, None],
        split=["train", "test", "train", None, "dev/odd"],
        score=[0.1 + 0.2, None, 5.0, 0.49999999999999994, 1e-7],
        sigma=[0.5, None, None, 0.0, None],
        ratings=[[0.1, 0.49999999999999994], None, [], [5.0], None],
        raters=[["r1", "r,2"], None, [], ["丙"], None],
        rounds=[["second", "first"], None, [], ["first"], None],
        scale="0..5",
    )
    provenance = Provenance(judged_by="simulated annotators, seed 1", aggregation="mean of ratings")
    return dataclasses.replace(benchmark, licence="CC BY 4.0", provenance=provenance)


@pytest.mark.parametrize("format", TARGETS)
def test_round_trip(full, tmp_path, format):
    path = write(full, tmp_path / TARGETS[format], format=format)
    again = read(path)
    assert again.frame.equals(full.frame)
    assert again.fingerprint == full.fingerprint
    assert (again.name, again.licence) == ("odd texts", "CC BY 4.0")
    assert again.provenance.judged_by == "simulated annotators, seed 1"
    assert again.provenance.aggregation == "mean of ratings"
    assert again.is_simulated
    assert again.scale is not None
    assert again.scale.origin == "declared"


@pytest.mark.parametrize("format", TARGETS)
def test_round_trip_of_the_least(tmp_path, format):
    """No splits, no gold, no scale: nothing may be made up on the way."""
    least = Benchmark.from_columns("least", left=["a", "b"], right=["c", "d"])
    again = read(write(least, tmp_path / TARGETS[format], format=format))
    assert again.fingerprint == least.fingerprint
    assert again.scale is None


@pytest.mark.parametrize("format", TARGETS)
def test_written_files_are_recognised(full, tmp_path, format):
    assert recognise(write(full, tmp_path / TARGETS[format], format=format)) == format


def test_a_single_split_survives_a_folder(tmp_path):
    one = Benchmark.from_columns("one", left=["a"], right=["b"], score=[1.0], split=["test"])
    again = read(write(one, tmp_path / "folder", format="huggingface"))
    assert again.fingerprint == one.fingerprint


@pytest.mark.parametrize("format", TARGETS)
def test_scale_with_many_digits_still_holds_its_scores(tmp_path, format):
    scores = [-3.141592653589793, 1e-9, 12.3456789012345]
    odd = Benchmark.from_columns("odd", left=list("abc"), right=list("def"), score=scores)
    again = read(write(odd, tmp_path / TARGETS[format], format=format))
    assert again.scale is not None
    assert odd.scale is not None
    assert again.scale.same_ends(odd.scale)
    assert again.fingerprint == odd.fingerprint


TEXTS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), min_size=1, max_size=12).filter(
    lambda text: text.strip() != "" and not text.isspace()
)
MAYBE = st.none() | TEXTS
SCORES = st.floats(0, 5, allow_subnormal=False)
ROWS = st.fixed_dictionaries(
    {
        "left": TEXTS,
        "right": TEXTS,
        "context": st.none() | st.lists(st.text(st.characters(blacklist_categories=("Cs",)), max_size=5), max_size=3),
        "condition": MAYBE,
        "group": MAYBE,
        "split": st.none() | st.sampled_from(["train", "dev", "a b"]),
        "score": st.none() | SCORES,
        "ratings": st.none() | st.lists(SCORES, max_size=3),
    }
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(ROWS, min_size=1, max_size=5))
@pytest.mark.slow
def test_any_benchmark_comes_back_the_same(tmp_path, rows):
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    schema = {"score": pl.Float64, "ratings": pl.List(pl.Float64), "context": pl.List(pl.String)}
    typed = {name: pl.Series(values, dtype=schema.get(name, pl.String)) for name, values in columns.items()}
    benchmark = Benchmark.from_columns("any", scale="0..5", **typed)
    folder = tmp_path / os.urandom(8).hex()
    folder.mkdir()
    for target, name in TARGETS.items():
        again = read(write(benchmark, folder / name, format=target))
        assert again.frame.to_dicts() == benchmark.frame.to_dicts()
        assert again.fingerprint == benchmark.fingerprint


# --- judgements -------------------------------------------------------------------------------------------------------


@pytest.fixture
def judged(full) -> Benchmark:
    row = {"question": "q1", "annotator": "ann", "round": "first", "seconds": 2.5, "items": ["1", "002", "drei"],
           "best": "1", "worst": "drei"}  # fmt: skip
    return dataclasses.replace(full, judgements=pl.DataFrame([row, {**row, "seconds": None}], schema=BEST_WORST_SCHEMA))


@pytest.mark.parametrize("format", TARGETS)
def test_judgements_travel_along(judged, tmp_path, format):
    again = read(write(judged, tmp_path / TARGETS[format], format=format))
    assert again.judgements is not None
    assert again.judgements.equals(judged.judgements)


def test_judgements_of_an_older_file_do_not_stay_behind(full, judged, tmp_path):
    write(judged, tmp_path / "rows.csv")
    assert (tmp_path / "rows.judgements.jsonl").exists()
    write(full, tmp_path / "rows.csv")
    assert read(tmp_path / "rows.csv").judgements is None


# --- the hub ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def offline(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    return pytest.importorskip("datasets")


def test_datasets_loads_the_folder(judged, tmp_path, offline):
    folder = write(judged, tmp_path / "folder", format="huggingface")
    loaded = offline.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {split: rows.num_rows for split, rows in loaded.items()} == {"train": 2, "test": 1, "items": 1, "dev_odd": 1}
    assert loaded["train"]["left"][1] == "你好，世界"
    assert loaded["train"]["ratings"][0] == [0.1, 0.49999999999999994]
    assert set(loaded["train"]["judged_by"]) == {"simulated annotators, seed 1"}


def test_datasets_loads_data_without_splits_as_train(tmp_path, offline):
    least = Benchmark.from_columns("least", left=["a", "b"], right=["c", "d"], score=[1, 2])
    folder = write(least, tmp_path / "folder", format="huggingface")
    loaded = offline.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == ["train"]
    assert read(f"hf:{folder}").items.lefts == ["a", "b"]


def test_the_card_says_what_the_data_are(full, tmp_path):
    yaml = pytest.importorskip("yaml")
    card = (write(full, tmp_path / "folder", format="huggingface") / "README.md").read_text(encoding="utf-8")
    _, head, body = card.split("---\n", 2)
    facts = yaml.safe_load(head)
    assert facts["license"] == "cc-by-4.0"
    assert facts["language"] == ["en", "zh"]
    assert facts["configs"][0]["data_files"][0] == {"split": "train", "path": "data/train-*.parquet"}
    assert "**The judgements in this data set are simulated.**" in body
    assert "scale: 0..5" in body


def test_the_card_of_real_judgements_does_not_say_simulated(tmp_path):
    yaml = pytest.importorskip("yaml")
    people = dataclasses.replace(
        Benchmark.from_columns('a "name": odd', left=["a"], right=["b"], score=[1.0]),
        licence="House rules, v2",
        provenance=Provenance(judged_by="crowd"),
    )
    card = (write(people, tmp_path / "folder", format="huggingface") / "README.md").read_text(encoding="utf-8")
    facts = yaml.safe_load(card.split("---\n")[1])
    assert (facts["license"], facts["license_name"]) == ("other", "House rules, v2")
    assert facts["pretty_name"] == 'a "name": odd'
    assert "simulated" not in card


# --- safety -----------------------------------------------------------------------------------------------------------


def test_the_format_comes_from_the_suffix(full, tmp_path):
    for name, signature in {"a.parquet": b"PAR1", "a.jsonl": b'{"id"', "a.CSV": b"id,left"}.items():
        assert write(full, tmp_path / name).read_bytes().startswith(signature)
    assert write(full, str(tmp_path / "no-suffix"), format="csv") == tmp_path / "no-suffix"


def test_a_suffix_that_says_nothing(full, tmp_path):
    with pytest.raises(ArgumentError, match=r"'a.xlsx' does not tell the format; .* jsonl, parquet, csv, huggingface"):
        write(full, tmp_path / "a.xlsx")


def test_an_unknown_format(full, tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean 'parquet'"):
        write(full, tmp_path / "a", format="parkett")


@pytest.mark.parametrize("format", ["jsonl", "parquet", "csv"])
def test_a_folder_is_not_overwritten(full, tmp_path, format):
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(ArgumentError, match=r"a.csv: is a folder; name a file"):
        write(full, tmp_path / "a.csv", format=format)


def test_a_folder_with_something_in_it_is_not_replaced(full, tmp_path):
    write(full, tmp_path / "folder", format="huggingface")
    with pytest.raises(ArgumentError, match="is a folder that is not empty; name a folder that does not exist yet"):
        write(full, tmp_path / "folder", format="huggingface")
    (tmp_path / "file").write_text("x")
    with pytest.raises(ArgumentError, match="is a file"):
        write(full, tmp_path / "file", format="huggingface")


def test_an_empty_folder_is_filled(full, tmp_path):
    (tmp_path / "folder").mkdir()
    assert len(read(write(full, tmp_path / "folder", format="huggingface"))) == 5


@pytest.mark.parametrize("format", TARGETS)
def test_no_folder_to_write_in(full, tmp_path, format):
    with pytest.raises(ArgumentError, match=r"its folder does not exist; create .*gone first"):
        write(full, tmp_path / "gone" / TARGETS[format], format=format)


def test_a_failure_leaves_the_old_file_and_nothing_else(full, tmp_path):
    path = write(full, tmp_path / "a.csv")
    before = path.read_bytes()

    def fail(draft: Path) -> None:
        draft.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(ArgumentError, match=r"a.csv: cannot be written: the disk is full; free some space"):
        write_atomically(path, fail)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]


def test_an_interrupted_write_leaves_nothing(tmp_path):
    def interrupt(draft: Path) -> None:
        draft.write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a.csv", interrupt)
    assert list(tmp_path.iterdir()) == []


def test_files_are_synced_before_they_are_seen(full, tmp_path, monkeypatch):
    events = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (events.append("sync"), sync(handle))[1])
    monkeypatch.setattr(Path, "replace", lambda self, target: (events.append("replace"), replace(self, target))[1])
    write(full, tmp_path / "a.csv")
    assert events == ["sync", "replace", "sync"]


def test_permissions_are_the_usual_ones(full, tmp_path):
    (tmp_path / "plain").write_text("x")
    path = write(full, tmp_path / "a.csv")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_every_writer_is_tested():
    assert set(WRITERS) == set(TARGETS)
    assert Scale.parse("0..5").same_ends(Scale(low=0, high=5))


def test_facts_with_commas_quotes_and_line_breaks_come_back_from_csv(tmp_path):
    texts = {"left": ["a,b", 'c"d'], "right": ["e\nf", "g"]}
    made = Benchmark.from_columns('odd, "name"', **texts, score=[1, 4.5], scale="0..5")
    made = dataclasses.replace(made, licence='CC BY, "4.0"\nor later')
    again = read(write(made, tmp_path / "odd.csv"))
    assert (again.name, again.licence, str(again.scale)) == (made.name, made.licence, "0..5")
    assert again.frame.equals(made.frame)
