"""Ratings behind gold."""

from __future__ import annotations

from typing import Any

import numpy as np

from similitude.inspect.checks import Finding, check
from similitude.testing.unchecked_benchmark import unchecked_benchmark


def codes(ratings: list[list[float | None] | None], scale: str = "0..5", **columns: Any) -> dict[str, Finding]:
    texts = [str(number) for number in range(len(ratings))]
    benchmark = unchecked_benchmark(left=texts, right=texts[::-1], ratings=ratings, scale=scale, **columns)
    findings = check(benchmark, only=["ratings"]).findings
    return {each.code.removeprefix("ratings-"): each for each in findings}


def test_ratings_that_fit() -> None:
    # mean of 1, 2, 3 = 2, population sd = sqrt(2/3) = 0.8165, written 0.82: off by 0.0035 < 0.006
    assert codes([[1, 2, 3], [4, 5], None], score=[2, 4.5, 1], sigma=[0.82, 0.5, None]) == {}


def test_no_ratings_at_all() -> None:
    assert codes([None, None], score=[1, 2]) == {}
    assert codes([[], None], score=[1, 2]) == {}


def test_items_with_one_rating() -> None:
    finding = codes([[1], [2, 3], [4, None]], score=[1, 2.5, 4])["single"]
    assert (finding.severity, finding.count) == ("note", 2)


def test_ratings_off_the_scale() -> None:
    # float noise such as 5.000000000000001 is on the scale; 6 and -1 are off
    finding = codes([[5.000000000000001, 4], [6, 4], [-1, 3]], score=[4.5, 5, 1])["off-scale"]
    assert (finding.severity, finding.count) == ("error", 2)
    assert "from -1 to 6" in finding.message


def test_scores_that_are_not_the_mean() -> None:
    # 1 % of 0..5 is 0.05: 2.05 against 2 passes, 2.06 does not, nor does 3 against 4
    finding = codes([[1, 3], [1, 3], [3, 5]], score=[2.05, 2.06, 3])["mean"]
    assert (finding.severity, finding.count) == ("warning", 2)
    assert "at most by 1" in finding.message
    assert finding.examples[0].endswith("= 2.06 (mean 2.0)")


def test_sigmas_of_the_other_kind() -> None:
    # of 1 and 3 the population sd is 1, the sample sd is sqrt(2) = 1.414; 1.006 is within 0.006 of 1
    finding = codes([[1, 3], [1, 3], [1, 3]], score=[2, 2, 2], sigma=[1.0, 1.414, 1.006])["sigma"]
    assert (finding.severity, finding.count) == ("warning", 1)
    assert finding.examples == ("2: '1' | '1' = 2 (sigma 1.414, ratings give 1.0)",)


def test_tolerances_grow_with_the_scale() -> None:
    # on 0..100, 1 % is 1 and 0.12 % is 0.12
    assert codes([[10, 30], [50, 90]], scale="0..100", score=[20.9, 70], sigma=[10.1, 20]) == {}


def test_no_spread_everywhere() -> None:
    finding = codes([[1, 1, 1], [4, 4], [2]], score=[1, 4, 2])["no-spread"]
    assert (finding.severity, finding.count) == ("warning", 2)
    assert "no-spread" not in codes([[1, 1, 1], [4, 4.1]], score=[1, 4.05])


def test_summaries_agree_with_numpy() -> None:
    """Ragged ratings with gaps: every mean and population sd as numpy gives them, so nothing is found."""
    rng = np.random.default_rng(3)
    ragged = [rng.uniform(0, 5, rng.integers(2, 7)).tolist() for _ in range(200)]
    with_gaps: list[list[float | None] | None] = [[None, *ratings] for ratings in ragged]
    with_gaps[7] = None
    assert codes(with_gaps, score=[np.mean(each) for each in ragged], sigma=[np.std(each) for each in ragged]) == {}
