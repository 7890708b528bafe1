"""The sample that ships is what was promised, and what the script makes."""

import runpy
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ExtensionError, UnknownNameError
from similitude.gold.aggregation import count_best_worst
from similitude.samples import REAL_PART, SAMPLE_PARTS, real_part_source
from similitude.samples.catalogue import PARTS, read_sample
from similitude.stats import spearman

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_sample.py"
FILES = Path(sim.__file__).parent / "samples" / "files"
EVIDENCE = Path(__file__).parents[2] / "evidence" / "nlu-de"


@pytest.mark.parametrize("part", SAMPLE_PARTS)
def test_says_simulated_everywhere(part: str):
    benchmark = sim.read(f"sample:{part}")
    assert benchmark.is_simulated
    assert benchmark.licence == "Apache-2.0"
    for line in (FILES / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
        assert '"judged_by":"simulated' in line.replace('": "', '":"')


def test_dialogues():
    dialogues = sim.read("sample:dialogues")
    frame = dialogues.frame
    assert frame["group"].n_unique() == 12
    assert frame.group_by("group").len()["len"].to_list() == [5] * 12
    assert set(frame["language"]) == {"de", "en"}
    assert frame["domain"].n_unique() >= 6
    assert set(frame["context"].list.len()) == {3, 5}
    assert (frame["context"].list.last() == frame["left"]).all()
    # ten triples of five candidates in each of twelve dialogues, five judgements each
    assert dialogues.judgements.height == 12 * 10 * 5
    assert set(count_best_worst(dialogues.judgements)["appearances"]) == {30}


def test_dialogues_scores_follow_from_the_judgements():
    dialogues = sim.read("sample:dialogues")
    counted = dict(count_best_worst(dialogues.judgements).select("id", "normalised").iter_rows())
    expected = [counted[name] for name in dialogues.items.ids]
    assert dialogues.gold.scores == pytest.approx(expected, abs=1e-6)


def test_conditions():
    frame = sim.read("sample:conditions").frame
    assert frame.height == 80
    assert frame.group_by("group").len()["len"].to_list() == [2] * 40
    spread = frame.group_by("group").agg(pl.col("score").max() - pl.col("score").min())
    assert spread["score"].min() > 0
    assert spread["score"].mean() > 2


def test_opinions():
    frame = sim.read("sample:opinions").frame
    assert frame.height == 60
    assert set(frame["ratings"].list.len()) == {10}
    assert set(frame["raters"].list.n_unique()) == {10}
    assert 12 <= frame.filter(pl.col("sigma") > 0.5).height <= 30  # contentious ones, as USTS draws the line
    assert frame["language"].value_counts().sort("count")["count"].to_list() == [10, 20, 30]
    assert frame["score"].to_list() == pytest.approx(frame["ratings"].list.mean().to_list(), abs=1e-6)


@pytest.mark.parametrize("part", SAMPLE_PARTS)
def test_gold_cannot_be_read_off_row_order_or_id(part: str):
    benchmark = sim.read(f"sample:{part}")
    scores = benchmark.gold.scores
    by_id = np.argsort(np.argsort(benchmark.items.ids)).astype(float)
    endings = np.array([float(ord(name[-1])) for name in benchmark.items.ids])
    for feature in (np.arange(len(scores)) % 2.0, np.arange(float(len(scores))), by_id, endings):
        assert abs(spearman(feature, scores)) < 0.3
    assert sim.check(benchmark).worst != "error"


def test_texts_are_all_different():
    for part in SAMPLE_PARTS:
        frame = sim.read(f"sample:{part}").frame
        assert frame.select("left", "right", "condition").is_unique().all()
        assert (frame["left"] != frame["right"]).all()


def test_what_ships_is_what_the_script_makes(tmp_path):
    runpy.run_path(str(SCRIPT))["build"](tmp_path)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in FILES.iterdir() if path.suffix == ".jsonl")
    for name in made:
        assert (tmp_path / name).read_bytes() == (FILES / name).read_bytes(), f"{name}: run 'make sample'"


def test_unknown_part():
    with pytest.raises(UnknownNameError, match="did you mean 'opinions'"):
        sim.read("sample:opinion")


def test_the_real_part_is_the_published_file():
    (published,) = EVIDENCE.glob("*.bz2")
    assert (FILES / f"{REAL_PART}.csv.bz2").read_bytes() == published.read_bytes()
    benchmark = sim.read(f"sample:{REAL_PART}")
    assert len(benchmark) == 1127
    assert str(benchmark.scale) == "0..5"
    assert not benchmark.is_simulated
    assert benchmark.frame.equals(sim.read(published).frame)


def test_the_real_part_says_whose_it_is():
    benchmark, source = sim.read(f"sample:{REAL_PART}"), real_part_source()
    assert benchmark.licence == source.licence == "CC BY 4.0"
    assert benchmark.provenance.judged_by == "one person (NLU-DE)"
    attribution = (FILES / f"{REAL_PART}.NOTICE").read_text(encoding="utf-8")
    for words in (source.home, "Philip May", "NLU-Evaluation-Data", "https://creativecommons.org/licenses/by/4.0/"):
        assert words in attribution


def test_a_part_of_another_package_that_is_no_benchmark(monkeypatch):
    monkeypatch.setattr(PARTS, "_makers", {"theirs": lambda: 3} | PARTS._makers)
    with pytest.raises(ExtensionError, match="part 'theirs' of the sample makes no Benchmark but int"):
        read_sample("theirs")
