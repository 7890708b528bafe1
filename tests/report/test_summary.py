from dataclasses import replace

import numpy as np
import pytest

import similitude as sim
from similitude.evaluate.measures import Figure, make_measure
from similitude.evaluate.significance import Confidence, Interval, TiedRank
from similitude.report.page.summary import summary

NOT_WORSE = "not significantly worse than the best by spearman at 95 %"


def standing(plain: sim.Run, values: dict[str, list[float]], letters: list[str] | None = None) -> sim.Run:
    """A run with these figures, as far as a summary looks."""
    names = [str(measure) for measure in map(make_measure, values)]
    figures = tuple(zip(*([Figure(value) for value in column] for column in values.values()), strict=True))
    systems = tuple(replace(plain.systems[0], identity=f"s{place}", label=f"s{place}") for place in range(len(figures)))
    made = replace(
        plain, measures=tuple(map(make_measure, names)), figures=figures, systems=systems, confidence=None, trivial=()
    )
    made = replace(made, ceiling=None)
    if letters is None:
        return made
    size = len(systems)
    p_values = np.array([[0.01 if not set(one) & set(other) else 1.0 for other in letters] for one in letters])
    sure = Confidence(
        level=0.95,
        method="bca",
        test="bootstrap",
        resamples=2000,
        groups=None,
        seed=0,
        methods=("bca",) * len(names),
        tests=("bootstrap",) * len(names),
        differences=(((Interval(-0.1, 0.1),) * size,) * size,) * len(names),
        is_floor=np.zeros((len(names), size, size), dtype=bool),
        intervals=tuple(tuple(Interval(f.value - 0.02, f.value + 0.02) for f in row) for row in figures),
        p_values=np.array([p_values] * len(names)),
        criticals=np.full((len(names), size, size), 2.0),
        single_p_values=np.ones((len(names), size, size)),
        units=100,
        covariances=np.full((len(names), size, size), np.nan),
        freedoms=np.full((len(names), size), np.nan),
        ranks=tuple(tuple(TiedRank(1, size, own) for _ in names) for own in letters),
    )
    return replace(made, confidence=sure)


@pytest.mark.parametrize(
    ("letters", "words"),
    [
        (["a", "b", "b"], "s0 is best by spearman (0.780), significantly better than both others."),
        (["a", "a", "b"], f"2 of 3 systems are {NOT_WORSE}: s0 (0.780), s1 (0.700)."),
        (["a", "b", "a"], f"2 of 3 systems are {NOT_WORSE}: s0 (0.780), s2 (0.600)."),
        (["ab", "a", "b"], f"None of 3 systems is {NOT_WORSE[4:]}: s0 (0.780), s1 (0.700), s2 (0.600)."),
    ],
)
def test_the_conclusion_comes_first_and_names_keep_their_letters(plain, letters, words):
    assert summary(standing(plain, {"spearman": [0.78, 0.7, 0.6]}, letters)) == words


def test_no_figure(plain):
    none = replace(standing(plain, {"spearman": [0.7]}), figures=((Figure(np.nan, "gold is constant"),),))
    assert summary(none).startswith("No system has a figure on spearman: gold is constant.")


def test_whether_measures_agree(plain):
    agree = summary(standing(plain, {"spearman": [0.9, 0.5, 0.1], "mae": [0.1, 0.5, 0.9]}))
    assert "s0 is first on both measures. All measures order the systems alike." in agree
    differ = summary(standing(plain, {"spearman": [0.9, 0.5, 0.1], "mae": [0.9, 0.5, 0.1]}))
    # ranks 1 2 3 against 3 2 1: (2 + 0 + 2) / 3
    assert "Other measures put other systems first: s2 on mae (0.100)." in differ
    assert "between spearman and mae a system moves 1.3 places on average, and s0 moves 2." in differ


def test_a_winner_elsewhere_that_cannot_be_told_apart_is_not_made_much_of(plain):
    said = summary(standing(plain, {"spearman": [0.9, 0.5, 0.1], "pearson": [0.5, 0.6, 0.1]}, ["a", "a", "b"]))
    assert "s1 on pearson (0.600, not significantly different from s0)" in said


def test_undefined_figures_are_counted(plain):
    assert "1 of 4 figures is undefined" in summary(standing(plain, {"spearman": [0.9, 0.5], "kl": [np.nan, 0.1]}))
