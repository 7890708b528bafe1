"""Findings, the report, the registry of checks, and data in which nothing is wrong."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from similitude.data import Benchmark
from similitude.data.reading import read
from similitude.errors import ArgumentError, ExtensionError, UnknownNameError
from similitude.inspect.checks import CHECKS, SEVERITIES, Finding, Report, Severity, check
from similitude.testing.unchecked_benchmark import unchecked_benchmark

USTS = Path(__file__).parents[2] / "evidence" / "usts"


def finding(severity: Severity = "note", code: str = "code") -> Finding:
    return Finding(code=code, severity=severity, message="m", count=1, remedy="r")


def clean(number: int = 600, seed: int = 0) -> Benchmark:
    """Distinct texts, scores on the whole scale in random order, three splits, four ratings with their mean."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0, 5, number)
    ratings = np.clip(level[:, None] + rng.normal(0, 0.5, (number, 4)), 0, 5)
    return unchecked_benchmark(
        "clean",
        left=[f"Satz Nummer {place} über Katzen: schön, oder?" for place in range(number)],
        right=[f"第{place}个句子，关于狗。" for place in range(number)],
        score=ratings.mean(axis=1),
        sigma=ratings.std(axis=1),
        ratings=ratings.tolist(),
        split=rng.choice(["train", "dev", "test"], number).tolist(),
        scale="0..5",
    )


def test_clean_data_has_no_findings() -> None:
    report = check(clean())
    assert report.findings == ()
    assert report.worst is None
    assert report.counts == {"error": 0, "warning": 0, "note": 0}
    assert report.checks == tuple(CHECKS.names())


def test_a_single_item_without_gold_passes_every_check() -> None:
    report = check(unchecked_benchmark(left=["a"], right=["b"]))
    assert [each.code for each in report.findings] == ["hidden-gold"]


def test_texts_that_are_null_do_not_stop_any_check() -> None:
    report = check(unchecked_benchmark(left=["a", None], right=[None, "b"], score=[1, 4], scale="0..5"))
    assert next(each.count for each in report.findings if each.code == "blank-texts") == 2


def test_report_is_sorted_and_ready_for_json() -> None:
    report = check(unchecked_benchmark(left=["a", "b", ""], right=["x", "b", "y"], score=[1, 5, 7], scale="0..5"))
    record = json.loads(json.dumps(report.record()))
    severities = [SEVERITIES.index(each["severity"]) for each in record["findings"]]
    assert severities == sorted(severities)
    assert record["worst"] == report.worst == "error"
    assert record["counts"]["error"] == 2  # the empty text, and 7 on 0..5
    assert record["items"] == 3
    assert set(record["findings"][0]) == {"code", "severity", "message", "count", "remedy", "examples"}


def test_worst_is_the_worst() -> None:
    report = Report(benchmark="b", items=1, checks=(), findings=(finding("note"), finding("warning")))
    assert report.worst == "warning"


def test_finding_is_frozen_keeps_five_examples_and_refuses_unknown_severities() -> None:
    many = dataclasses.replace(finding(), examples=tuple("abcdefg"))
    assert many.examples == ("a", "b", "c", "d", "e")
    with pytest.raises(dataclasses.FrozenInstanceError):
        many.code = "other"  # type: ignore[misc]
    with pytest.raises(ArgumentError, match="known: error, warning, note"):
        finding("fatal")  # type: ignore[arg-type]


def test_only_some_checks() -> None:
    report = check(clean(), only=["row-order", "off-scale"])
    assert report.checks == ("row-order", "off-scale")
    with pytest.raises(UnknownNameError, match="did you mean 'row-order'"):
        check(clean(), only=["row-oder"])


def test_other_packages_add_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    def shouting(benchmark: Benchmark) -> Iterator[Finding]:
        yield finding(code=f"shouting-{benchmark.name}")

    monkeypatch.setitem(CHECKS._makers, "shouting", shouting)
    report = check(clean())
    assert "shouting" in report.checks
    assert [each.code for each in report.findings] == ["shouting-clean"]


@pytest.mark.parametrize("name", CHECKS.names())
def test_every_check_says_what_and_why(name: str) -> None:
    documentation = CHECKS.maker(name).__doc__ or ""
    assert "Why:" in documentation
    assert any(word in documentation for word in ("Error", "Warning", "Note", "error", "warning", "note"))


def test_the_benchmark_is_not_changed() -> None:
    benchmark = clean(60)
    before = benchmark.fingerprint
    check(benchmark)
    assert benchmark.fingerprint == before


def test_usts_as_published() -> None:
    """USTS-U: ratings, means and population sigmas agree to their two decimals, and no score is off the scale."""
    report = check(read(USTS / "ustsu" / "dev.json.bz2"))
    codes = {each.code for each in report.findings}
    assert not codes & {"off-scale", "ratings-off-scale", "ratings-mean", "ratings-sigma", "constant-scores"}


def test_a_printed_report_lists_its_findings():
    shown = str(check(read([("a cat", "one cat", 3), ("a cat", "one cat", 3), ("a dog", "rain", 0)]))).splitlines()
    assert shown[0] == "<Report on 'unnamed': 1 warning, 2 notes in 3 items>"
    assert [line.partition(":")[0] for line in shown[1:]] == [
        "warning exact-duplicates",
        "note too-few-items",
        "note scale-inferred",
    ]


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            lambda benchmark: None,
            "check 'theirs': it raised TypeError: 'NoneType' object is not iterable",
        ),
        (lambda benchmark: ["text"], "check 'theirs': it yields str, not a Finding; mend its package"),
        (lambda benchmark: {}["key"], "check 'theirs': it raised KeyError: 'key'; mend its package"),
    ],
)
def test_a_check_of_another_package_that_fails_is_one_error(monkeypatch: pytest.MonkeyPatch, found, told: str) -> None:
    monkeypatch.setattr(CHECKS, "_makers", {"theirs": found} | CHECKS._makers)
    with pytest.raises(ExtensionError, match=told):
        check(clean(30))
    assert check(clean(30), "off-scale").checks == ("off-scale",)
