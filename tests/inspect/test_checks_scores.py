"""Scores, scale, and what is there at all."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from similitude.data import Benchmark, Provenance, Scale, Skipped
from similitude.inspect.checks import Finding, check
from similitude.testing.unchecked_benchmark import unchecked_benchmark

CHECKED = ("unreadable-rows", "hidden-gold", "too-few-items", "off-scale", "scale-inferred", "scale-barely-used",
           "constant-scores", "dominating-score")  # fmt: skip


def benchmark(scores: Sequence[float | None], scale: str | Scale | None = "0..5", **columns: Any) -> Benchmark:
    texts = [str(number) for number in range(len(scores))]
    rights = [f"r{text}" for text in texts]
    return unchecked_benchmark(left=texts, right=rights, score=scores, scale=scale, **columns)


def codes(of: Benchmark) -> dict[str, Finding]:
    return {each.code: each for each in check(of, only=CHECKED).findings}


EVEN: list[float | None] = [number / 8 for number in range(41)]  # 0, 0.125, ..., 5


def test_even_scores_on_a_declared_scale_are_fine() -> None:
    assert codes(benchmark(EVEN)) == {}


def test_rows_left_out_by_the_reader() -> None:
    skipped = tuple(Skipped(where=f"file.tsv:{line}", why="no score") for line in (3, 9))
    finding = codes(dataclasses.replace(benchmark(EVEN), provenance=Provenance(skipped=skipped)))["unreadable-rows"]
    assert (finding.severity, finding.count) == ("error", 2)
    assert finding.examples == ("file.tsv:3: no score", "file.tsv:9: no score")


def test_hidden_gold_by_split() -> None:
    finding = codes(benchmark([*EVEN, None, None], split=["train"] * 42 + ["test"]))["hidden-gold"]
    assert (finding.severity, finding.count) == ("note", 2)
    assert finding.examples == ("train: 1 item", "test: 1 item")
    assert "2 items of 43 (4.65 %) without a gold score" in finding.message


def test_too_few_items_tell_the_interval() -> None:
    # n = 28: atanh(0.7) = 0.8673, 1.96 / sqrt(25) = 0.392: tanh(0.4753) = 0.4425, tanh(1.2593) = 0.8509
    finding = codes(benchmark(EVEN[::2] + EVEN[1:15:2]))["too-few-items"]
    assert (finding.severity, finding.count) == ("note", 28)
    assert "0.44 to 0.85" in finding.message
    assert "too-few-items" not in codes(benchmark(EVEN[:30]))
    assert "no interval" in codes(benchmark([0, 5, 3]))["too-few-items"].message


def test_off_scale_scores_at_both_ends_and_not_finite() -> None:
    # -0.5, 5.5 and inf are off; 0 and 5 themselves, and float noise at the end, are on
    finding = codes(benchmark([*EVEN, -0.5, 5.5, 5 + 1e-12, float("inf"), None]))["off-scale"]
    assert (finding.severity, finding.count) == ("error", 3)
    assert "from -0.5 to inf" in finding.message
    assert codes(benchmark([*EVEN, float("nan")]))["off-scale"].count == 1


def test_an_inferred_scale_should_be_declared() -> None:
    finding = codes(benchmark(EVEN, scale=None))["scale-inferred"]
    assert finding.severity == "note"
    assert finding.remedy == "declare it: --scale 0..5"
    assert codes(benchmark(EVEN, scale=Scale(low=0, high=5, origin="format"))) == {}
    assert codes(dataclasses.replace(benchmark(EVEN), scale=None))["scale-inferred-none"].severity == "warning"


def test_scale_barely_used_below_half() -> None:
    # 0..5 declared on 0..100 fills 5 %; on 0..10 it fills exactly half, which is enough
    finding = codes(benchmark(EVEN, scale="0..100"))["scale-barely-used"]
    assert finding.severity == "warning"
    assert "from 0 to 5 and fill only 5% of the scale 0..100" in finding.message
    assert codes(benchmark(EVEN, scale="0..10")) == {}


def test_constant_scores() -> None:
    finding = codes(benchmark([3.0] * 40))["constant-scores"]
    assert (finding.severity, finding.count) == ("error", 40)
    assert set(codes(benchmark([3.0] * 40))) == {"constant-scores"}  # not also "dominating" or "barely used"


def test_scores_constant_in_one_split() -> None:
    finding = codes(benchmark([*EVEN, 2, 2, 2], split=["train"] * 41 + ["test"] * 3))["constant-scores"]
    assert finding.count == 3
    assert "'test'" in finding.message
    assert "constant-scores" not in codes(benchmark([*EVEN, 2], split=["train"] * 41 + ["test"]))  # one item only


def test_dominating_score_above_four_fifths() -> None:
    # 81 of 100 zeros are more than 80 %, 80 of 100 are not
    rest = [1.0, 2.0, 3.0, 4.0, 5.0] * 4
    finding = codes(benchmark([0.0] * 81 + rest[:19]))["dominating-score"]
    assert (finding.severity, finding.count) == ("warning", 81)
    assert "81 of 100 scores (81 %) are 0" in finding.message
    assert codes(benchmark([0.0] * 80 + rest)) == {}
