"""Every figure of the reference files, at 1e-9."""

import json
from pathlib import Path

import numpy as np
import pytest

from similitude.data import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.stats import Ordering, average_ranks, competition_ranks, pearson

HERE = Path(__file__).parent
REFERENCE = HERE.parent / "reference"
FIVE = Scale(low=0, high=5)

NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "ncg_all": "ncg(ties=stable)",
    "ndcg_all": "ndcg(ties=stable)",
    "ndcg_all_tie_averaged": "ndcg",
    "ncg_avgrank": "ncg@avgrank(ties=stable)",
    "ndcg_avgrank": "ndcg_avgrank(ties=stable)",
    "ndcg_avgrank_tie_averaged": "ndcg_avgrank",
    "accuracy_low_binary": "accuracy_low",
    "accuracy_high_binary": "accuracy_high",
    "accuracy_3bin": "accuracy_3bin",
    # the reference gives 0 where a precision is 0/0; ours is nan unless asked
    "precision_low": "precision_low(when_empty=0)",
    "precision_high": "precision_high(when_empty=0)",
    "recall_low": "recall_low",
    "recall_high": "recall_high",
    "f1_low": "f1_low",
    "f1_high": "f1_high",
    "f1_macro_3bin": "f1_macro_3bin",
    "hmean_f1low_f1high": "f1",
    "macro_avg_f1low_f1high": "macro_avg(f1_low, f1_high)",
    "hmean_acclow_acchigh_binary": "hmean(accuracy_low, accuracy_high)",
    "hmean_pearson_hmeanf1": "hmean(pearson, f1)",
    "hmean_spearman_hmeanf1": "hmean(spearman, hmean(f1_low, f1_high))",
    "hmean_pearson_ncgavgrank": "hmean(pearson, ncg@avgrank(ties=stable))",
    "hmean_spearman_ncgavgrank": "hmean(spearman, ncg_avgrank(ties=stable))",
}
for _k in (1, 3, 5, 10, 50):
    for _gain in ("ncg", "ndcg"):
        NAMES[f"{_gain}_{_k}"] = f"{_gain}@{_k}(ties=stable)"
        NAMES[f"{_gain}_{_k}_tie_averaged"] = f"{_gain}@{_k}"


def value(written: str, gold: list[float], system: list[float]) -> float:
    return make_measure(written)(Comparison.of_scores(np.array(gold), np.array(system), FIVE))[0].value


def check_all(reference: dict) -> int:
    """All systems in one comparison, every figure that the reference lists."""
    systems = list(reference["systems"])
    comparison = Comparison.of_scores(np.array(reference["gold"]), np.array(list(reference["systems"].values())), FIVE)
    checked = 0
    listed = {name for figures in reference["measures"].values() for name in figures}
    assert listed == set(NAMES)
    for name in listed:
        figures = make_measure(NAMES[name])(comparison)
        for system, figure in zip(systems, figures, strict=True):
            assert figure.value == pytest.approx(reference["measures"][system][name], abs=1e-9), (system, name)
            checked += 1
    return checked


def test_figures_of_three_systems_copied_here():
    assert check_all(json.loads((HERE / "reference_smtnews.json").read_text())) == 3 * len(NAMES)


def test_figures_of_all_systems_and_the_ranks_they_give():
    reference = json.loads((REFERENCE / "measures_smtnews.json").read_text())["SMTnews"]
    assert check_all(reference) == 10 * len(NAMES)
    for name, ranks in reference["ranks"].items():
        figures = np.array([reference["measures"][system][name] for system in reference["system_order"]])
        assert average_ranks(-figures.round(12)).tolist() == ranks["average"]
        assert competition_ranks(figures.round(12)).tolist() == ranks["min"]
    for pair, expected in reference["rank_difference"].items():
        a, b = (np.array(reference["ranks"][name]["average"]) for name in pair.split("|"))
        assert pearson(a, b) == pytest.approx(expected["average"]["rho"], abs=1e-9)


def test_a_precision_of_nothing_is_undefined_with_a_reason():
    reference = json.loads((HERE / "reference_smtnews.json").read_text())
    comparison = Comparison.of_scores(np.array(reference["gold"]), np.array(reference["systems"]["length_ratio"]), FIVE)
    figure = make_measure("precision_low")(comparison)[0]
    assert np.isnan(figure.value)
    assert figure.reason == "the system calls no pair low"


# The six items are ranked 4 3 2 1 5 0 (gold) by the system.
HAND_GOLD, HAND_SYSTEM = [5, 4, 3, 2, 1, 0], [1, 5, 4, 3, 2, 0]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("ndcg", 0.8857282892665652),
        ("ncg@3", 0.75),
        ("ndcg@3", 0.7584705174587288),
        ("ncg", 1.0),
        ("ncg@99", 1.0),
        # dissimilar first: gains 5 - gold; lowest scores first collect 5 0 4 | 3 2 1, best is 5 4 3: (5+0+4)/(5+4+3)
        ("ncg@3(reverse=true)", 0.75),
    ],
)
def test_hand_ranking(written: str, expected: float):
    assert value(written, HAND_GOLD, HAND_SYSTEM) == pytest.approx(expected, abs=1e-9)


def test_the_discount_is_not_log2_of_i_plus_1():
    assert value("ndcg", HAND_GOLD, HAND_SYSTEM) != pytest.approx(0.9012653335318261, abs=1e-3)


@pytest.mark.parametrize(
    ("written", "expected"),
    [("accuracy_low", 2 / 3), ("accuracy_high", 2 / 3), ("accuracy_3bin", 1 / 3), ("f1_macro_3bin", 1 / 3)]
    + [(f"{kind}_{level}", 0.5) for kind in ("precision", "recall", "f1") for level in ("low", "high")],
)
def test_scores_on_a_border_are_in_the_middle(written: str, expected: float):
    gold, system = [1.5, 1.4, 3.5, 3.6, 0, 5], [1.4, 1.5, 3.6, 3.5, 1.0, 4.0]
    assert value(written, gold, system) == pytest.approx(expected, abs=1e-9)


ANSCOMBE_X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
ANSCOMBE = {
    "I": (ANSCOMBE_X, [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]),
    "II": (ANSCOMBE_X, [9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74]),
    "III": (ANSCOMBE_X, [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73]),
    "IV": ([8] * 7 + [19] + [8] * 3, [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89]),
}
ANSCOMBE_FIGURES = {
    "I": (0.81642051634484, 0.8181818181818182, 0.9661756290402226),
    "II": (0.8162365060002428, 0.6909090909090909, 0.9803475540507877),
    "III": (0.8162867394895981, 0.990909090909091, 1.0),
    "IV": (0.8165214368885029, 0.5, 0.9562037418888588),
}


@pytest.mark.parametrize("quarter", list(ANSCOMBE))
def test_anscombe_one_pearson_four_stories(quarter: str):
    x, y = ANSCOMBE[quarter]
    found = [value(written, y, x) for written in ("pearson", "spearman", "ndcg")]
    assert found == pytest.approx(ANSCOMBE_FIGURES[quarter], abs=1e-9)


@pytest.mark.parametrize(
    ("gold", "system", "written", "expected"),
    [
        ([1, 2, 3], [2, 2, 2], "pearson", "all predictions are the same"),
        ([1, 2, 3], [2, 2, 2], "spearman", "all predictions are the same"),
        ([1, 2, 3], [2, 2, 2], "kendall", "all predictions are the same"),
        ([1, 2, 3], [2, 2, 2], "ndcg", 0.9344566061769006),
        ([2, 2, 2], [1, 2, 3], "pearson", "all gold scores are the same"),
        ([2, 2, 2], [1, 2, 3], "ndcg", 1.0),
        ([0, 0, 0], [1, 2, 3], "ndcg", "the ideal gain is 0 or less"),
        ([3, 1], [1, 2], "ndcg@10", 1.0),
        ([2, 3], [2, 3], "f1_low", "no pair is low, neither in gold nor for the system"),
        ([0.1 + 0.2, 0.3, 0.3], [0.1, 0.1, 0.1], "pearson", "all predictions are the same"),
        # F1 is 0 for low pairs and for high pairs, so the harmonic mean of both is 0/0
        ([0, 5], [5, 0], "f1", "f1_low and f1_high add up to 0"),
    ],
)
def test_edge_cases(gold: list[float], system: list[float], written: str, expected: float | str):
    figure = make_measure(written)(Comparison.of_scores(np.array(gold), np.array(system), FIVE))[0]
    if isinstance(expected, str):
        assert (np.isnan(figure.value), figure.reason) == (True, expected)
    else:
        assert figure.value == pytest.approx(expected, abs=1e-9)


def test_ordering_is_a_view_of_one_sort():
    ordering = Ordering(np.array([[3.0, 1.0, 3.0], [1.0, 2.0, 3.0]]))
    assert ordering.ranks.tolist() == [[2.5, 1.0, 2.5], [1.0, 2.0, 3.0]]
    assert ordering.tie_sizes.tolist() == [1, 2, 1, 1, 1]
