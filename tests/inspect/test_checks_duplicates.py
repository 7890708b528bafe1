"""Pairs that stand more than once."""

from __future__ import annotations

from typing import Any

import pytest

from similitude.data import Benchmark
from similitude.inspect.checks import Finding, check

FAMILY = ("exact-duplicates", "swapped-duplicates", "conflicting-scores")


def found(**columns: Any) -> dict[str, Finding]:
    report = check(Benchmark.from_columns(scale="0..5", **columns), only=FAMILY)
    return {each.code: each for each in report.findings}


def test_exact_duplicates_count_rows_beyond_the_first() -> None:
    # a|b three times with score 1 (2 beyond the first), c|d twice with score 2 (1 beyond): 3
    codes = found(left=["a", "a", "c", "a", "c", "e"], right=["b", "b", "d", "b", "d", "f"], score=[1, 1, 2, 1, 2, 1])
    assert set(codes) == {"exact-duplicates"}
    assert codes["exact-duplicates"].count == 3
    assert codes["exact-duplicates"].severity == "warning"
    assert codes["exact-duplicates"].examples == ("1, 2, 4: 'a' | 'b' = 1", "3, 5: 'c' | 'd' = 2")


def test_rows_without_gold_can_be_duplicates_too() -> None:
    assert found(left=["a", "a"], right=["b", "b"], score=[None, None])["exact-duplicates"].count == 1


@pytest.mark.parametrize("column", ["condition", "context"])
def test_another_condition_or_context_makes_another_item(column: str) -> None:
    values = {"condition": ["colour", "size"], "context": [["hello", "a"], ["bye", "a"]]}[column]
    assert found(left=["a", "a"], right=["b", "b"], score=[1, 4], **{column: values}) == {}


def test_swapped_duplicates_count_pairs() -> None:
    # {a, b} stands in both orders, {c, d} twice in one order (so exact), {e, e} has no order
    codes = found(left=["a", "B", "c", "c", "e"], right=["b", "a", "d", "d", "e"], score=[1, 1, 2, 2, 3])
    assert codes["swapped-duplicates"].count == 1
    assert codes["swapped-duplicates"].examples == ("1, 2: 'a' | 'b'",)
    assert codes["exact-duplicates"].count == 1
    assert "conflicting-scores" not in codes


def test_conflicting_scores_as_fractions_of_the_scale() -> None:
    # {a, b}: 1 and 2 in either order, gap 1 of 5 = 20 %; {c, d}: 4, 4.5 and 4.25, gap 0.5 of 5 = 10 %; mean 15 %
    codes = found(left=["a", "b", "c", "c", "c"], right=["b", "a", "d", "d", "d"], score=[1, 2, 4, 4.5, 4.25])
    conflict = codes["conflicting-scores"]
    assert (conflict.count, conflict.severity) == (2, "error")
    assert "15.0% of the scale on average and by 20.0% at most" in conflict.message
    assert conflict.examples[0] == "1, 2: 'a' | 'b' (scores 1.0, 2.0)"


def test_small_conflicts_are_a_warning_and_float_noise_is_none() -> None:
    # gap 0.25 of 5 = 5 %, not above 10 %
    assert found(left=["a", "a"], right=["b", "b"], score=[1, 1.25])["conflicting-scores"].severity == "warning"
    assert "conflicting-scores" not in found(left=["a", "a"], right=["b", "b"], score=[0.3, 0.1 + 0.2])


def test_a_hidden_score_conflicts_with_nothing() -> None:
    assert found(left=["a", "a"], right=["b", "b"], score=[1, None]) == {}


def test_pairs_that_share_one_text_are_no_duplicates() -> None:
    assert found(left=["a", "a", "b"], right=["b", "c", "c"], score=[1, 2, 3]) == {}
