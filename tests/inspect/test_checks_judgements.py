"""Best-worst judgements."""

from __future__ import annotations

import bz2
import dataclasses
from pathlib import Path

import polars as pl

from similitude.data import Benchmark
from similitude.data.judgement import BEST_WORST_SCHEMA
from similitude.inspect.checks import Finding, check

RUDDIT = Path(__file__).parents[2] / "evidence" / "ruddit"
Row = tuple[str, str, str]  # items as letters, best, worst


def codes(rows: list[Row], items: str = "abcdefgh") -> dict[str, Finding]:
    table = pl.DataFrame(
        {
            "question": [f"q{number}" for number in range(len(rows))],
            "annotator": ["ann"] * len(rows),
            "items": [list(shown) for shown, _, _ in rows],
            "best": [best for _, best, _ in rows],
            "worst": [worst for _, _, worst in rows],
        }
    )
    table = table.with_columns(pl.lit(None).alias("round"), pl.lit(None).alias("seconds"))
    table = table.select(BEST_WORST_SCHEMA.names()).cast(BEST_WORST_SCHEMA)
    benchmark = Benchmark.from_columns(id=list(items), left=list(items), right=list(items.upper()))
    findings = check(dataclasses.replace(benchmark, judgements=table), only=["judgements"]).findings
    return {each.code.removeprefix("judgements-"): each for each in findings}


def test_sound_judgements() -> None:
    assert codes([("abcd", "a", "d"), ("dcba", "b", "c"), ("efgh", "e", "h"), ("efgh", "f", "h")]) == {}


def test_no_judgements() -> None:
    assert codes([]) == {}


def test_same_item_best_and_worst() -> None:
    finding = codes([("abcd", "a", "a"), ("efgh", "e", "h")])["same-answer"]
    assert (finding.severity, finding.count) == ("warning", 1)
    assert finding.examples == ("q0 by ann: (a, b, c, d), best a, worst a",)


def test_item_repeated_in_a_tuple() -> None:
    finding = codes([("abca", "a", "b"), ("efgh", "e", "h")])["repeated-item"]
    assert (finding.severity, finding.count) == ("warning", 1)


def test_answers_that_were_not_shown() -> None:
    finding = codes([("abcd", "e", "a"), ("abcd", "a", "f"), ("efgh", "e", "h"), ("efgh", "e", "h")])["stray-answer"]
    assert (finding.severity, finding.count) == ("error", 2)


def test_ids_that_no_item_has() -> None:
    # x is shown twice, y once: 2 ids, 3 times
    finding = codes([("abcx", "a", "b"), ("efxy", "e", "f")])["unknown-item"]
    assert (finding.severity, finding.count) == ("warning", 2)
    assert "(shown 3 times)" in finding.message
    assert finding.examples == ("x: 2 times", "y: 1 time")


def test_tuples_judged_more_or_less_often() -> None:
    # abcd twice (once in another order), efgh twice, aceg once
    finding = codes([("abcd", "a", "b"), ("bacd", "a", "b"), *[("efgh", "e", "f")] * 2, ("aceg", "a", "c")])["uneven"]
    assert (finding.severity, finding.count) == ("note", 1)
    assert "1 of 3 tuples not judged 2 times, as most are, but 1 to 2 times" in finding.message
    assert finding.examples == ("(a, c, e, g): 1 time",)


def test_ruddit_as_published() -> None:
    """557 rows name one item best and worst, 3,455 repeat an item, always the placeholder `gold_comment`."""
    raw, scores = (
        pl.read_csv(bz2.decompress((RUDDIT / f"{name}.csv.bz2").read_bytes()), infer_schema=False)
        for name in ("Ruddit_individual_annotations", "Ruddit")
    )
    ids = scores["comment_id"]
    table = raw.select(
        items=pl.concat_list(pl.col("^Item.$")), best="BestItem", worst="WorstItem", question=pl.lit("q")
    ).with_columns(pl.lit(None).alias(name) for name in ("annotator", "round", "seconds"))
    benchmark = Benchmark.from_columns(id=ids, left=ids, right=ids)
    report = check(dataclasses.replace(benchmark, judgements=table), only=["judgements"])
    counts = {each.code.removeprefix("judgements-"): each.count for each in report.findings}
    assert (counts["same-answer"], counts["repeated-item"]) == (557, 3455)
    unknown = next(each for each in report.findings if each.code == "judgements-unknown-item")
    assert unknown.examples[0].startswith("gold_comment: ")
