"""Three bins: always three, whatever occurs."""

import numpy as np
import pytest

from similitude.data import Scale
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import make_measure

FIVE = Scale(low=0, high=5)
F1 = make_measure("f1_macro_3bin")


def of(gold, *systems) -> Comparison:
    return Comparison.of_scores(np.array(gold, float), np.array(systems, float), FIVE)


def test_macro_f1_divides_by_three_bins_whatever_occurs():
    # gold: low low high high. The first system is right everywhere: (1 + 0 + 1) / 3. The second calls one low pair
    # middle: low 2/3, middle 0, high 1, again over three. With two bins the first would have 1 and the second 5/9.
    made = of([1, 1, 4, 4], [1, 1, 4, 4], [2, 1, 4, 4])
    assert F1.values(made) == pytest.approx([2 / 3, (2 / 3 + 0 + 1) / 3])
    assert F1.values(of([1, 1, 1], [1, 1, 1])) == pytest.approx([1 / 3])
    assert F1.values(of([1, 2, 4], [1, 2, 4])) == pytest.approx([1])


def test_resamples_divide_by_three_too():
    # twice the first item alone: one bin of three
    made = of([1, 2, 4], [1, 2, 4])
    assert F1.weighted_values(made, np.array([[2.0, 0.0, 0.0], [1.0, 1.0, 0.0]])).tolist() == [
        pytest.approx([1 / 3, 2 / 3])
    ]


def test_gold_without_a_bin_is_noted():
    note = "f1_macro_3bin: gold has no middle pair, so that bin counts as 0 for every system"
    assert F1.caveats(of([1, 1, 4, 4], [2, 2, 2, 2])) == [note]
    assert F1.caveats(of([1, 2, 4], [1, 1, 1])) == []
    assert len(F1.caveats(of([4, 4], [1, 1]))) == 2
    assert F1.caveats(Comparison.of_scores(np.array([1.0]), np.array([1.0]))) == []


def test_notes_of_parts_are_those_of_the_whole():
    made = of([1, 1, 4, 4], [2, 2, 2, 2])
    assert make_measure("macro_avg(f1_macro_3bin, f1_low)").caveats(made) == F1.caveats(made)
    two = Comparison.of_scores(made.gold, made.predicted, FIVE, sources=Sources(np.array([0, 0, 1, 1]), ("a", "b")))
    found = make_measure("mean_over_sources(f1_macro_3bin)").caveats(two)
    assert len(found) == 4
    assert found[0].startswith("source 'a': f1_macro_3bin: gold has no middle pair")


@pytest.mark.parametrize(
    ("name", "trials"),
    # low in gold: 5 items; low for the system: 4; for both: 3; either: 6; of 10
    [("accuracy_low", 10), ("precision_low", 4), ("recall_low", 5), ("f1_low", 6), ("accuracy_3bin", 10)],
)
def test_trials_behind_a_share(name: str, trials: int):
    made = of([1, 1, 1, 1, 1, 4, 4, 4, 4, 4], [1, 1, 1, 4, 4, 1, 4, 4, 4, 4])
    shares = make_measure(name).shares(made)
    assert shares.trials.tolist() == [trials]
    value = make_measure(name).values(made)
    assert shares.to_figure(float(shares.of_figure(value)[0])) == pytest.approx(value[0])
    if name == "f1_low":
        assert shares.of_figure(value) == pytest.approx([0.5])
