"""Gold that length predicts."""

from __future__ import annotations

import numpy as np

from similitude.data import Benchmark
from similitude.inspect.checks import Finding, check


def found(lefts: list[int], rights: list[int], scores: list[float]) -> list[Finding]:
    benchmark = Benchmark.from_columns(
        left=["x" * length for length in lefts], right=["y" * length for length in rights], score=scores, scale="0..5"
    )
    return list(check(benchmark, only=["length-bias"]).findings)


def test_difference_in_length_predicts_gold() -> None:
    # right is longer by 0, 1, ..., 49 and gold falls with it: rho of difference and total -1, of ratio +1
    (finding,) = found([50] * 50, [50 + place for place in range(50)], [5 - place / 10 for place in range(50)])
    assert (finding.code, finding.severity, finding.count) == ("length-bias", "warning", 50)
    assert "Spearman 1.00 (p < 1e-16): difference -1.00, total -1.00, ratio 1.00" in finding.message


def test_total_length_alone_is_enough() -> None:
    # both sides have the same length, so that the difference is constant and predicts nothing
    (finding,) = found(list(range(1, 51)), list(range(1, 51)), [place / 10 for place in range(50)])
    assert "difference 0.00, total 1.00" in finding.message


def test_no_finding_where_length_says_nothing() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        lefts, rights = rng.integers(5, 50, (2, 100)).tolist()
        assert found(lefts, rights, rng.uniform(0, 5, 100).tolist()) == []


def test_too_few_items_to_say() -> None:
    assert found(list(range(1, 21)), list(range(1, 21)), [place / 4 for place in range(20)]) == []
