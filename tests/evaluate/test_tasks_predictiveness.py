"""Predictiveness: worked values, the printed ranks of table 2, and intervals that cover."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from similitude.errors import ArgumentError
from similitude.evaluate.tasks.predictiveness import Standings, predictiveness, rank_agreement
from similitude.stats import competition_ranks, percentile_interval

REFERENCE = Path(__file__).parents[1] / "reference"


def test_worked_values():
    for case in json.loads((REFERENCE / "predictiveness.json").read_text())["hand"]:
        found = rank_agreement(np.array(case["ir"]), np.array(case["er"]))
        for name in ("rho", "mad", "msd"):
            assert float(getattr(found, name)) == pytest.approx(case[name], abs=1e-12)


def test_the_rank_columns_of_table_2():
    table = json.loads((REFERENCE / "published_tables.json").read_text())["reimers2016_table2"]
    for task in ("task1", "task2", "task3"):
        assert competition_ranks(np.array(table[f"{task}_rho"])).tolist() == table[f"{task}_rank"]


def standings(values, noise=0.0, resamples=0, seed=0, names=None):
    values = np.asarray(values, dtype=float)
    rng = np.random.default_rng(seed)
    drawn = values.T[:, :, None] + rng.normal(0, noise, (*values.T.shape, resamples)) if resamples else None
    names = names or tuple(f"c{n}" for n in range(values.shape[1]))
    return Standings(names=tuple(names), values=values, resampled=drawn)


def test_a_measure_that_ranks_as_the_task_does_is_perfect():
    # Measure 0 is the task's own order, measure 1 its reverse: rho 1 and -1; of 4 systems MAD 2 and MSD 5 (reversed).
    task = np.array([[4.0], [3.0], [2.0], [1.0]])
    found = predictiveness(standings(np.hstack([task, -task])), standings(task), rng=np.random.default_rng(0))
    assert [(cell.rho, cell.mad, cell.msd) for (cell,) in found.by_measure] == [(1.0, 0.0, 0.0), (-1.0, 2.0, 5.0)]
    assert found.places == ((1,), (2,))
    assert found.sorted_measures() == [0, 1]
    assert "4 systems are too few" in found.notes[0]
    assert np.isnan(found.by_measure[0][0].interval.low)
    assert "too few" in found.by_measure[0][0].interval.reason


def test_ties_share_ranks():
    # The task ranks 1.5, 1.5, 3, the measure 1, 2, 3: differences 0.5, 0.5, 0.
    task, measure = np.array([[2.0], [2.0], [1.0]]), np.array([[3.0], [2.0], [1.0]])
    found = predictiveness(standings(measure), standings(task), rng=np.random.default_rng(0))
    assert found.by_measure[0][0].mad == pytest.approx(1 / 3)


def test_systems_without_a_figure_are_left_out_of_that_row_and_counted():
    task, measures = np.arange(7.0)[:, None], np.stack([np.arange(7.0), [3.0, 2, np.nan, 1, 5, 6, 7]], axis=1)
    found = predictiveness(standings(measures), standings(task), rng=np.random.default_rng(0))
    assert [cell.systems for (cell,) in found.by_measure] == [7, 6]
    assert found.by_measure[0][0].rho == 1.0
    assert "c1: over the 6 of 7 systems that have a figure" in found.notes


def test_one_system_is_refused():
    with pytest.raises(ArgumentError, match="1 system cannot be ranked; give two or more"):
        predictiveness(standings([[1.0]]), standings([[1.0]]), rng=np.random.default_rng(0))


def test_intervals_widen_with_noise_and_pearson_is_compared():
    truth = np.linspace(0, 1, 14)[:, None]
    bad = np.random.default_rng(5).permutation(14)[:, None] / 14
    measured = standings(np.hstack([bad, truth]), 0.02, 500, 1, ("pearson", "ndcg@10"))
    found = predictiveness(measured, standings(truth, 0.02, 500, 2), rng=np.random.default_rng(3))
    assert found.by_measure[1][0].interval.low > 0.9
    assert found.by_measure[1][0].ahead_of_pearson.low > 0  # the truth predicts itself better than a random order does
    assert found.by_measure[0][0].ahead_of_pearson[:2] == (0.0, 0.0)
    noisy = predictiveness(measured, standings(truth, 0.6, 500, 2), rng=np.random.default_rng(3))
    narrow, wide = (one.by_measure[1][0].interval for one in (found, noisy))
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_the_same_seed_gives_the_same():
    values = np.random.default_rng(0).random((9, 3))
    made = [
        predictiveness(
            standings(values, 0.1, 200, 1), standings(values[:, :1], 0.1, 200, 2), rng=np.random.default_rng(7)
        ).by_measure
        for _ in range(2)
    ]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("systems", "note"),
    [
        (4, "4 systems are too few: give at least 5 (the paper had 14)"),
        (5, "5 systems: intervals are wide; the paper had 14"),
        (13, "13 systems: intervals are wide; the paper had 14"),
        (14, None),
    ],
)
def test_how_many_systems_are_enough(systems: int, note: str | None):
    values = np.arange(float(systems))[:, None]
    made = standings(values, 0.01, 50)
    found = predictiveness(made, made, rng=np.random.default_rng(0))
    assert found.notes == (() if note is None else (note,))
    interval = found.by_measure[0][0].interval
    assert interval.reason == (note if systems < 5 else None)
    assert np.isnan(interval.low) == (systems < 5)


def test_two_systems_are_ranked_and_one_is_not():
    task = np.array([[1.0], [2.0], [3.0]])
    measures = np.array([[1.0, 1.0], [2.0, np.nan], [np.nan, np.nan]])
    found = predictiveness(standings(measures), standings(task), rng=np.random.default_rng(0))
    two, one = (cell for (cell,) in found.by_measure)
    assert (two.rho, two.mad, two.msd, two.systems) == (pytest.approx(1.0), 0.0, 0.0, 2)
    assert two.ahead_of_pearson.reason == "pearson is not among the measures"
    assert one.interval.reason == one.ahead_of_pearson.reason == "1 systems have both figures"
    assert np.isnan([one.rho, one.mad, one.msd]).all()
    assert found.places == ((1,), (2,))  # what cannot be told comes last


def test_pearson_is_compared_over_the_systems_that_have_it():
    values = np.append(np.arange(8.0), np.nan)[:, None]
    measured = standings(values, 1.0, 200, 1, ("pearson",))
    found = predictiveness(measured, standings(np.arange(9.0)[:, None], 1.0, 200, 2), rng=np.random.default_rng(3))
    assert found.by_measure[0][0].ahead_of_pearson[:2] == (0.0, 0.0)
    assert found.by_measure[0][0].systems == 8


def test_rho_in_resamples_is_spearman_s_of_the_drawn_systems():
    """System 2 has no figure; the others are drawn with replacement, and one without a figure there comes last."""
    rng = np.random.default_rng(11)
    values, task = rng.normal(size=(7, 2)), rng.normal(size=(7, 1))
    values[2, 1] = np.nan
    drawn, achieved = rng.normal(size=(2, 7, 30)), rng.normal(size=(1, 7, 30))
    drawn[1, 4, 5:25] = np.nan
    measured = Standings(names=("pearson", "other"), values=values, resampled=drawn)
    found = predictiveness(
        measured, Standings(names=("t",), values=task, resampled=achieved), rng=np.random.default_rng(3), level=0.8
    )
    shares = np.random.default_rng(3).random((30, 7))
    rhos = []
    for place, systems in ((0, np.arange(7)), (1, np.array([0, 1, 3, 4, 5, 6]))):
        rows = [systems[np.floor(share[: systems.size] * systems.size).astype(int)] for share in shares]
        sides = [
            (np.nan_to_num(drawn[place, row, each], nan=-1e9), achieved[0, row, each]) for each, row in enumerate(rows)
        ]
        rhos.append(np.array([spearmanr(*side).statistic for side in sides]))
    plain, other = (cells[0] for cells in found.by_measure)
    assert plain.interval[:2] == pytest.approx(percentile_interval(rhos[0], 0.8)[:2])
    assert other.interval[:2] == pytest.approx(percentile_interval(rhos[1], 0.8)[:2])
    assert other.ahead_of_pearson[:2] == pytest.approx(percentile_interval(rhos[1] - rhos[0], 0.8)[:2])
    assert (other.systems, found.level) == (6, 0.8)
    ahead = found.by_task[0][0]
    assert ahead.rho == pytest.approx(1.0)
    assert ahead.ahead_of_pearson[:2] == pytest.approx(percentile_interval(1 - rhos[0], 0.8)[:2])


class EverySystemOnce:
    """A generator that draws every one of five systems once."""

    def random(self, shape: tuple[int, int]) -> np.ndarray:
        return np.tile(np.arange(5) / 5 + 0.01, (shape[0], 1))


@pytest.mark.parametrize(
    ("tied", "resamples", "reason"),
    [(2, 4, None), (3, 5, "all systems tie in most resamples"), (2, 5, None)],
)
def test_resamples_in_which_all_systems_tie_do_not_count(tied: int, resamples: int, reason: str | None):
    values = np.arange(5.0)[:, None]
    drawn = np.tile(np.arange(5.0)[None, :, None], (1, 1, resamples))
    level = drawn.copy()
    level[..., :tied] = 7.0
    measured, task = (Standings(names=("c",), values=values, resampled=each) for each in (level, drawn))
    interval = predictiveness(measured, task, rng=EverySystemOnce()).by_measure[0][0].interval
    assert interval.reason == reason
    assert np.isnan(interval.low) == (reason is not None)
    if reason is None:
        assert interval[:2] == (1.0, 1.0)


def test_nothing_resampled_and_a_measure_that_cannot_be_told():
    values = np.arange(5.0)[:, None]
    found = predictiveness(
        standings(np.hstack([-values, values * 0, values * np.nan]), names=("pearson", "flat", "none")),
        standings(np.hstack([values, -values])),
        rng=np.random.default_rng(0),
    )
    assert found.by_measure[0][0].interval.reason == "nothing was resampled"
    assert found.by_measure[0][0].ahead_of_pearson.reason == "nothing was resampled"
    assert found.places == ((1, 1), (2, 2), (2, 2))  # -1 comes before what cannot be told
    assert found.sorted_measures() == [0, 1, 2]
    reverse = predictiveness(
        standings(np.hstack([values * np.nan, -values, values])),
        standings(np.hstack([values, -values])),
        rng=np.random.default_rng(0),
    )
    assert (reverse.sorted_measures(), reverse.sorted_measures(1)) == ([2, 1, 0], [1, 2, 0])
    assert reverse.level == 0.95
    assert [[cell.rho for cell in row] for row in reverse.by_task] == [
        pytest.approx([1.0, -1.0]),
        pytest.approx([-1.0, 1.0]),
    ]
    assert reverse.notes[1:] == ("c0: over the 0 of 5 systems that have a figure",)


def test_ranks_may_be_whole_numbers():
    found = rank_agreement(np.array([1, 2, 3]), np.array([[1, 2, 3], [3, 2, 1]]))
    assert found.rho.tolist() == pytest.approx([1, -1])
    assert (found.mad.tolist(), found.msd.tolist()) == (pytest.approx([0, 4 / 3]), pytest.approx([0, 8 / 3]))


def test_two_systems_can_be_ranked():
    found = predictiveness(standings([[1.0], [2.0]]), standings([[1.0], [2.0]]), rng=np.random.default_rng(0))
    assert found.by_measure[0][0].systems == 2


def test_a_task_of_which_nothing_was_resampled():
    values = np.arange(6.0)[:, None]
    found = predictiveness(standings(values, 0.1, 20), standings(values), rng=np.random.default_rng(0))
    assert found.by_measure[0][0].interval.reason == "nothing was resampled"
    found = predictiveness(standings(values), standings(values, 0.1, 20), rng=np.random.default_rng(0))
    assert found.by_measure[0][0].interval.reason == "nothing was resampled"


def test_the_fewest_systems_that_a_measure_shares_with_a_task_are_noted():
    tasks = np.stack([np.arange(6.0), [1, 2, np.nan, 4, 5, 6]], axis=1)
    found = predictiveness(standings(np.arange(6.0)[:, None]), standings(tasks), rng=np.random.default_rng(0))
    assert [cell.systems for cell in found.by_measure[0]] == [6, 5]
    assert found.notes[1:] == ("c0: over the 5 of 6 systems that have a figure",)
