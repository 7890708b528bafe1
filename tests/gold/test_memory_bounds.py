"""Weights, halves and tables are made in pieces that fit into memory, and the pieces make no difference."""

from importlib import import_module

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.reliability import alpha, bootstrap, jackknife, rater_plan, tuple_plan
from similitude.gold.reliability.bootstrap import Resampling, bootstrap_estimates
from similitude.gold.reliability.jackknife import jackknife_estimates
from similitude.gold.reliability.random_halves import HalfScores
from similitude.gold.reliability.split_half import Halving

split_half = import_module("similitude.gold.reliability.split_half")  # the package has functions of these names
score_reliability = import_module("similitude.gold.reliability.score_reliability")
VALUES = np.array([1.0, 2.0, 4.0, 9.0, 12.0])
FIVE = Resampling(resamples=5)


class Mean:
    """The mean of some values, which remembers how many rows of weights it was given at a time."""

    def __init__(self, values=VALUES) -> None:
        self.values, self.rows = values, []

    def __call__(self, weights):
        self.rows.append(len(weights))
        return (weights @ self.values / weights.sum(axis=1))[None]


@pytest.mark.parametrize(
    ("cells", "width", "rows"),
    [(10, 0, [2, 2, 1]), (10, 10, [1] * 5), (3, 0, [1] * 5), (19, 9, [2, 2, 1]), (25, 0, [5]), (24, 0, [4, 1])],
)
def test_rows_of_weights_fit_into_memory(monkeypatch: pytest.MonkeyPatch, cells: int, width: int, rows: list[int]):
    """Five units: so many rows at a time as cells hold, of as many numbers as there are units, or as is said."""
    monkeypatch.setattr(bootstrap, "CHUNK_CELLS", cells)
    drawn = Mean()
    bootstrap_estimates(drawn, 5, width=width, resampling=FIVE)
    assert drawn.rows == [1, *rows]
    monkeypatch.setattr(jackknife, "CHUNK_CELLS", cells)
    left_out = Mean()
    found = jackknife_estimates(left_out, 5, width=width)
    assert left_out.rows == [1, *rows]
    assert found == jackknife_estimates(Mean(), 5)


def test_pieces_are_as_large_as_is_said():
    assert (bootstrap.CHUNK_CELLS, split_half.CHUNK_CELLS, score_reliability.CELLS) == (4_000_000, 1_250_000, 4_000_000)
    assert (bootstrap.MOST_UNITS, jackknife.EXACT_UP_TO, jackknife.BLOCKS) == (2000, 1000, 250)
    assert (alpha.FEW_VALUES, bootstrap.RESAMPLES, bootstrap.LEVEL) == (256, 1000, 0.95)


def test_from_more_than_a_thousand_units_on_blocks_are_left_out():
    exact, blocks = Mean(np.arange(1000.0)), Mean(np.arange(1001.0))
    jackknife_estimates(exact, 1000)
    jackknife_estimates(blocks, 1001)
    assert (sum(exact.rows), sum(blocks.rows)) == (1 + 1000, 1 + 250)


@pytest.mark.parametrize("level", ["ordinal", "ratio"])
def test_alpha_says_how_many_numbers_it_holds(monkeypatch: pytest.MonkeyPatch, level):
    """Three items, rated 1, 2, 3 and 5 in all: one number for each item and for each value."""
    said = []
    whole = alpha.jackknife_estimates
    monkeypatch.setattr(
        alpha, "jackknife_estimates", lambda *a, **k: said.append((k["width"], k["resampling"])) or whole(*a, **k)
    )
    ratings = np.array([[1.0, 2.0, 5.0], [2.0, 2.0, 3.0]])
    alpha.krippendorff_alpha(ratings, level, resampling=FIVE)
    assert said == [(3 + 4, FIVE)]


def halves_drawn(monkeypatch: pytest.MonkeyPatch, module, cells: str, number: int) -> list[int]:
    """How many halvings are drawn at a time."""
    monkeypatch.setattr(module, cells, number)
    drawn = []
    whole = module.RatingHalves.draw

    def draw(self, repeats, *rest):
        drawn.append(repeats)
        return whole(self, repeats, *rest)

    monkeypatch.setattr(module.RatingHalves, "draw", draw)
    return drawn


def ratings(items: int = 4) -> Judgements:
    rng = np.random.default_rng(0)
    rows = [(f"r{r}", f"i{i}", i + float(rng.normal())) for r in range(4) for i in range(items)]
    return Judgements(name="made", frame=pl.DataFrame(rows, schema=["annotator", "item", "value"], orient="row"))


@pytest.mark.parametrize(("cells", "expected"), [(32, [2, 2, 1]), (15, [1] * 5), (47, [2, 2, 1]), (80, [5])])
def test_halvings_fit_into_memory(monkeypatch: pytest.MonkeyPatch, cells: int, expected: list[int]):
    """Four items with four ratings each: 16 answers."""
    drawn = halves_drawn(monkeypatch, split_half, "CHUNK_CELLS", cells)
    split_half.split_half(ratings(), repeats=5, resampling=FIVE)
    assert drawn == expected
    assert Halving().repeats == 100


def test_plans_say_how_many_numbers_they_hold(monkeypatch: pytest.MonkeyPatch):
    said = []
    whole = rater_plan.bootstrap_estimates

    def estimates(*arguments, **options):
        said.append(options["width"])
        return whole(*arguments, **options)

    monkeypatch.setattr(rater_plan, "bootstrap_estimates", estimates)
    monkeypatch.setattr(tuple_plan, "bootstrap_estimates", estimates)
    rater_plan.plan_raters(ratings(12), resampling=FIVE)
    items = list("abcdefghijkl")
    shown = [items[place : place + 4] for place in range(9)]
    rows = [(str(n), who, tuple_, tuple_[0], tuple_[-1]) for n, tuple_ in enumerate(shown) for who in "xy"]
    names = ["question", "annotator", "items", "best", "worst"]
    tuple_plan.plan_tuples(
        Judgements(name="made", frame=pl.DataFrame(rows, schema=names, orient="row")), resampling=FIVE
    )
    assert said == [rater_plan.forecast.MOST, tuple_plan.MOST]


@pytest.mark.parametrize(
    ("cells", "at_once", "expected"),
    [
        (100, 25, [2, 2, 2, 2, 2]),  # 100 / 10 answers: 10 halvings, two at a time
        (109, 29, [2, 2, 2, 2, 2]),
        (1000, 1000, [50]),  # no more than 50
        (10, 9, [1, 1, 1, 1, 1]),  # no fewer than 5, and one at a time at least
    ],
)
def test_more_answers_are_halved_less_often(monkeypatch: pytest.MonkeyPatch, cells, at_once, expected):
    monkeypatch.setattr(score_reliability, "CELLS", cells)
    monkeypatch.setattr(score_reliability, "AT_ONCE", at_once)

    class Halves:
        def draw(self, repeats, odd_to, rng):
            return HalfScores(np.zeros((repeats, 3)), np.zeros((repeats, 3)))

    drawn = [len(halves.first) for halves in score_reliability._random_halves(Halves(), 10)]
    assert drawn == expected
    assert at_once == score_reliability.AT_ONCE


def test_a_plan_in_which_no_part_has_a_whole_tuple_an_item():
    """Three tuples of four items each: half of them show an item half a time, which is no line of the table."""
    shown = ["abcd", "efgh", "ijkl"]
    rows = [(items, who, list(items), items[0], items[-1]) for items in shown for who in "xy"]
    names = ["question", "annotator", "items", "best", "worst"]
    pilot = Judgements(name="made", frame=pl.DataFrame(rows, schema=names, orient="row"))
    plan = tuple_plan.plan_tuples(pilot, by="tuples", resampling=Resampling(resamples=0))
    assert plan.table["observed"].dtype == pl.Float64
    assert plan.table["observed"].null_count() == plan.table.height == tuple_plan.LONGEST


@pytest.mark.parametrize("zeros", [0, 2])
def test_proportions_of_many_values_are_those_of_few(monkeypatch: pytest.MonkeyPatch, zeros: int):
    """With many values, distances are integrated and not tabulated: the figure and its interval stay the same."""
    ratings = np.round(np.random.default_rng(0).uniform(0.5, 5, (3, 12)), 1)
    ratings[0, :zeros] = 0.0
    ratings[1, 5] = np.nan
    tabulated = alpha.krippendorff_alpha(ratings, "ratio", resampling=FIVE)
    monkeypatch.setattr(alpha, "FEW_VALUES", 0)
    assert alpha.krippendorff_alpha(ratings, "ratio", resampling=FIVE)[:3] == pytest.approx(tabulated[:3], abs=1e-10)
    assert tabulated.low < tabulated.value < tabulated.high
