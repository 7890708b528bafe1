"""Gold that can be read off the order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from similitude.data import Benchmark
from similitude.inspect.checks import Finding, check
from similitude.inspect.checks.association import Association
from similitude.inspect.checks.row_features import FEATURES, GROUP_KEY, RowNumbers
from similitude.stats import average_ranks, kruskal_wallis_p_value
from similitude.testing.unchecked_benchmark import unchecked_benchmark

Scores = NDArray[np.float64]


def benchmark(scores: Scores | list[float | None], **columns: Any) -> Benchmark:
    texts = [str(number) for number in range(len(scores))]
    rights = [f"r{text}" for text in texts]
    return unchecked_benchmark(left=texts, right=rights, score=scores, scale="1..5", **columns)


def found(of: Benchmark) -> list[Finding]:
    return list(check(of, only=["row-order"]).findings)


def by_feature(of: Benchmark) -> dict[str, Finding]:
    return {each.message.split(" alone ")[0]: each for each in found(of)}


def pairs_with_the_higher_first(number: int, seed: int = 0, gap: float = 1.5) -> Scores:
    """As in C-STS: two rows a pair, labels 1 to 5, the higher first. A wider gap makes order tell more."""
    rng = np.random.default_rng(seed)
    middle = rng.normal(3, 0.9, number)
    half = np.abs(rng.normal(0, gap, number)) / 2
    noise = rng.normal(0, 0.3, (2, number))
    both = np.clip(np.round(np.array([middle + half, middle - half]) + noise), 1, 5)
    return np.sort(both, axis=0)[::-1].T.ravel()


def test_spearman_and_p_values_agree_with_scipy() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 6, 80).astype(float), rng.normal(size=80)
    expected = stats.spearmanr(one, other)
    found = Association.of_ranks("one", average_ranks(one), average_ranks(other))
    assert found == ("one", pytest.approx(expected.statistic), pytest.approx(expected.pvalue), 80)
    classes = np.arange(80) % 3
    kruskal = stats.kruskal(*(one[classes == each] for each in range(3)))
    assert kruskal_wallis_p_value(classes, average_ranks(one)) == pytest.approx(kruskal.pvalue)
    assert Association.of_ranks("constant", np.ones(80), average_ranks(other)).rho == 0.0


def test_c_sts_like_rows_give_gold_away_by_parity() -> None:
    scores = pairs_with_the_higher_first(700, gap=2.2)
    expected = stats.spearmanr(-(np.arange(1400) % 2), scores).statistic
    assert expected == pytest.approx(0.62, abs=0.03)  # what C-STS validation has
    findings = by_feature(benchmark(scores, group=[str(place // 2) for place in range(1400)]))
    parity = findings["row parity"]
    assert parity.severity == "error"
    assert parity.count == 1400
    assert f"Spearman {expected:.2f} (p < 1e-16) in the whole file: rows must be shuffled" in parity.message
    # the first of two has place -0.5 and the higher score: the same figure with the other sign
    assert f"Spearman -{expected:.2f}" in findings["the place inside its group"].message
    assert "the row number" not in findings
    assert "the row number modulo 4" not in findings  # holds parity, adds nothing


def test_shuffling_is_the_remedy() -> None:
    scores = pairs_with_the_higher_first(700)
    for seed in range(20):
        assert found(benchmark(np.random.default_rng(seed).permutation(scores))) == []


def test_groups_without_a_group_column_are_runs_of_the_same_pair() -> None:
    texts = [f"pair {place // 2}" for place in range(400)]
    made = unchecked_benchmark(
        left=texts, right=[f"r {text}" for text in texts], score=pairs_with_the_higher_first(200), scale="1..5"
    )
    assert by_feature(made)["the place inside its group"].severity == "error"


def test_uneven_groups_hide_parity_but_not_the_place_in_the_group() -> None:
    # groups of 2, 3 and 4 rows in random order, highest first in each; parity and modulus drift out of step
    rng = np.random.default_rng(5)
    sizes = rng.integers(2, 5, 300)
    scores = np.concatenate([np.sort(rng.uniform(1, 5, size))[::-1] for size in sizes])
    groups = [str(number) for number in np.repeat(np.arange(300), sizes)]
    findings = by_feature(benchmark(scores, group=groups))
    assert findings["the place inside its group"].severity == "error"
    assert "the row number" not in findings


def test_large_groups_with_other_scores_are_no_leak() -> None:
    # scores depend on the size of the group, not on the place in it; groups are in random order
    rng = np.random.default_rng(6)
    sizes = rng.permutation(np.repeat([2, 8], 100))
    scores = np.clip(np.repeat(np.where(sizes == 8, 4.0, 2.0), sizes) + rng.normal(0, 0.5, sizes.sum()), 1, 5)
    findings = by_feature(benchmark(scores, group=[str(number) for number in np.repeat(np.arange(200), sizes)]))
    assert "the place inside its group" not in findings
    assert findings["the score of the row before"].severity == "error"  # groups are blocks of like scores


@pytest.mark.parametrize(("direction", "sign"), [(1, ""), (-1, "-")])
def test_sorted_files(direction: int, sign: str) -> None:
    scores = np.sort(np.random.default_rng(2).uniform(1, 5, 300))[::direction]
    finding = by_feature(benchmark(scores))["the row number"]
    assert finding.severity == "error"
    assert f"Spearman {sign}1.00 (p < 1e-16)" in finding.message


def test_files_in_blocks() -> None:
    # 40 blocks of 20 rows, each with its own level, levels in random order
    rng = np.random.default_rng(3)
    scores = np.clip(np.repeat(rng.uniform(1, 5, 40), 20) + rng.normal(0, 0.4, 800), 1, 5)
    assert by_feature(benchmark(scores))["the score of the row before"].severity == "error"


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_best_modulus_is_named(size: int) -> None:
    rng = np.random.default_rng(size)
    pattern = np.array([0.0, 2.0, 0.7, 1.5, 0.2])[:size]
    scores = 2 + pattern[np.arange(600) % size] + rng.normal(0, 0.4, 600)
    assert by_feature(benchmark(scores))[f"the row number modulo {size}"].severity == "error"


def test_a_weak_leak_is_a_warning() -> None:
    # a shift of 0.2 on an sd of 0.5 between odd and even rows: Pearson 0.1 / sqrt(0.25 + 0.01) = 0.20
    rng = np.random.default_rng(4)
    scores = np.clip(3 + 0.5 * rng.normal(size=3000) + 0.2 * (np.arange(3000) % 2), 1, 5)
    (finding,) = found(benchmark(scores))
    assert finding.severity == "warning"
    assert 0.1 <= float(finding.message.split("Spearman ")[1].split()[0]) < 0.3


def test_each_split_is_looked_at() -> None:
    """Only test is in the order of C-STS; train, three times as large, is random."""
    rng = np.random.default_rng(7)
    leaky = pairs_with_the_higher_first(200)
    scores = np.concatenate([rng.permutation(np.tile(leaky, 3)), leaky])
    finding = by_feature(benchmark(scores, split=["train"] * 1200 + ["test"] * 400))["row parity"]
    assert "in split 'test'" in finding.message
    assert finding.count == 400
    assert finding.examples[0].startswith("split 'test': Spearman 0.")
    assert finding.examples[-1].startswith("first rows of split 'test': 1201 = ")
    assert not any(example.startswith("split 'train'") for example in finding.examples)


def test_rows_without_gold_keep_their_number() -> None:
    # every third row is hidden: parity is that of the row in the file, not among those with gold
    scores = pairs_with_the_higher_first(300, gap=3.0)
    hidden = np.where(np.arange(600) % 3 == 0, np.nan, scores)
    made = benchmark([None if np.isnan(each) else each for each in hidden])
    assert by_feature(made)["row parity"].count == 400


def test_fewer_than_thirty_items_are_not_judged() -> None:
    assert found(benchmark(np.linspace(1, 5, 29))) == []
    assert found(benchmark(np.linspace(1, 5, 30))) != []


@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.slow
def test_random_order_fires_as_rarely_as_it_says(discrete: bool) -> None:
    """Over 200 files in random order, 7 features in 4 scopes each: p < 0.001 after correction, so 0.2 are expected.

    The chance of more than 2 is below 0.2 % even if the level were used up in full.
    """
    fired = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        scores = rng.integers(1, 6, 240).astype(float) if discrete else rng.uniform(1, 5, 240)
        splits = np.repeat(["train", "dev", "test"], 80).tolist()
        fired += bool(found(benchmark(scores, split=splits, group=[str(place // 2) for place in range(240)])))
    assert fired <= 2


@pytest.mark.slow
def test_p_values_are_uniform_under_random_order() -> None:
    """Over 400 files the share of p < 0.05 is 0.05 with a standard error of 0.011: within 4.5 of those.

    The first feature takes the best of four moduli, so that its share may be up to four times that.
    """
    small = np.zeros(len(FEATURES))
    for seed in range(400):
        scores = np.random.default_rng(seed).integers(1, 6, 120).astype(float)
        made = benchmark(scores, group=[str(place // 3) for place in range(120)])
        rows = RowNumbers.of(made.frame.select("score", group_key=GROUP_KEY))
        small += [feature(rows).p < 0.05 for feature in FEATURES]
    assert (small / 400 < [0.25, 0.10, 0.10, 0.10]).all()
    assert (small / 400 > 0.015).all()
