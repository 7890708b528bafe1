"""Plans for best-worst scaling: parts, their scores and what follows from them, by hand."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, InputError
from similitude.gold.reliability import tuple_plan
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.estimate import undefined
from similitude.gold.reliability.opinion_figures import opinion_figures
from similitude.gold.reliability.sample_size import spearman_brown
from similitude.gold.reliability.tuple_answers import TupleAnswers, _may_differ
from similitude.gold.reliability.tuple_plan import part_by_annotation, plan_tuples, scores_of_parts
from similitude.gold.reliability.value_counts import count_values
from similitude.gold.reliability.variance_components import crossed_components, nested_components

NAMES = ["question", "annotator", "items", "best", "worst"]


def chosen(rows) -> Judgements:
    return Judgements(name="made", frame=pl.DataFrame(rows, schema=NAMES, orient="row"))


def pilot(answers: int = 4, tuples: int = 30, items: int = 12) -> Judgements:
    """Tuples of three items, each answered so often; an item's number is its score, but for noise."""
    rng, rows = np.random.default_rng(0), []
    for question in range(tuples):
        shown = rng.choice(items, 3, replace=False)
        for who in range(answers):
            order = np.argsort(shown + rng.normal(0, 5, 3))
            names = [f"i{number}" for number in shown]
            rows.append((f"q{question}", f"r{who}", names, names[order[-1]], names[order[0]]))
    return chosen(rows)


@pytest.fixture(scope="module")
def planned():
    return plan_tuples(pilot(), resampling=NO_INTERVALS)


def test_the_reliability_of_the_pilot_is_that_of_its_number_of_annotations(planned):
    assert planned.pilot == 4
    assert planned.table["annotations"].to_list() == list(range(1, 21))
    assert planned.reliability.value == pytest.approx(planned.table["reliability"][3])
    assert planned.reliability.value != pytest.approx(planned.needed.value)
    assert planned.table["answers"].to_list() == [30 * number for number in range(1, 21)]


def test_a_thousand_annotations_are_planned_for_and_no_more(planned):
    one = np.array(planned.table["reliability"][0])
    at_most, beyond = (float(spearman_brown(one, np.array(number))) for number in (1000.0, 1001.0))
    assert plan_tuples(pilot(), reliability=at_most, resampling=NO_INTERVALS).needed.value == 1000
    assert plan_tuples(pilot(), reliability=beyond, resampling=NO_INTERVALS).needed.reason.startswith("more than 1,000")


def test_the_observed_correlation_is_the_mean_of_twenty_splits(monkeypatch: pytest.MonkeyPatch):
    parts = {1: [], 2: []}

    def recorded(answers, size, rng):
        parts[size].append(part_by_annotation(answers, size, rng))
        return parts[size][-1]

    monkeypatch.setattr(tuple_plan, "part_by_annotation", recorded)
    made = pilot()
    found = plan_tuples(made, resampling=Resampling(resamples=5)).table["observed"]
    answers = TupleAnswers.of(made)
    for size, drawn in parts.items():
        scores = [scores_of_parts(answers, part) for part in drawn]
        known = [each[:, np.isfinite(each).all(axis=0)] for each in scores]
        assert len(drawn) == 20
        assert found[size - 1] == pytest.approx(np.mean([np.corrcoef(both)[0, 1] for both in known]))
    assert found[2:].null_count() == 18


def test_parts_of_a_quarter_and_of_half_of_the_tuples():
    """30 tuples of three items show 12 items 7.5 times each, if no tuple is shown twice."""
    answers = TupleAnswers.of(pilot(answers=3))
    halves = tuple_plan._by_tuples(answers)
    assert halves.sizes == [7, 15]
    assert halves.pilot == pytest.approx(90 / 12)
    assert halves.amounts.tolist() == pytest.approx([7.5 * 7 / 30, 7.5 / 2])
    plan = plan_tuples(pilot(answers=3), by="tuples", resampling=NO_INTERVALS)
    # 90 answers for 7.5 tuples an item: 12 for one more; in other designs the number is rounded up
    assert plan.table["answers"].to_list() == [12 * number for number in range(1, 21)]
    fewer = chosen(pilot(answers=3).frame[:-1].select(NAMES).rows())
    expected = [int(np.ceil(number * 89 / 7.5)) for number in range(1, 21)]
    assert plan_tuples(fewer, by="tuples", resampling=NO_INTERVALS).table["answers"].to_list() == expected


def test_a_target_of_zero_is_none():
    for target in (0.0, 1.0):
        with pytest.raises(ArgumentError, match="is not a target"):
            plan_tuples(pilot(), reliability=target)


@pytest.mark.parametrize("by", ["annotations", "tuples"])
def test_without_a_plan_the_table_is_empty(by: str):
    found = plan_tuples(pilot(items=6), by=by)
    assert found.table.schema == {by: pl.Int64, "reliability": pl.Float64}
    assert found.table.is_empty()
    assert found.notes == ("the pilot cannot tell: 6 items are too few, at least 10 are needed",)


def test_only_tuples_with_twice_the_answers_are_parted():
    """Tuples with 3, 4 and 5 answers: parts of two need four, and a fifth answer is in neither."""
    answers = SimpleNamespace(tuple_of=np.repeat(np.arange(3), [3, 4, 5]), sizes=np.array([3, 4, 5]))
    part = part_by_annotation(answers, 2, np.random.default_rng(0))
    assert part[:3].tolist() == [2, 2, 2]
    assert sorted(part[3:7].tolist()) == [0, 0, 1, 1]
    assert sorted(part[7:].tolist()) == [0, 0, 1, 1, 2]


def test_scores_of_parts_by_hand():
    """In the first part a is shown three times, best twice and worst once: 1/3. d is not shown there."""
    rows = [
        ("1", "x", list("abc"), "a", "c"),
        ("1", "y", list("abc"), "a", "b"),
        ("1", "z", list("abc"), "b", "a"),
        ("2", "x", list("abd"), "d", "b"),
    ]
    found = scores_of_parts(TupleAnswers.of(chosen(rows)), np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(found, [[1 / 3, 0, -1 / 3, np.nan], [0, -1, np.nan, 1]])


# Answers to one question must be about the same items


def test_different_items_are_found_whatever_they_are():
    """Any two pairs of ten items, under one question."""
    items = "abcdefghij"
    pairs = list(combinations(items, 2))
    frame = chosen([("q", "x", list(one), one[0], one[1]) for one in pairs]).frame
    every = pl.DataFrame({"id": list(items)})
    for one, other in combinations(range(len(pairs)), 2):
        made = SimpleNamespace(frame=frame[[one, other]], judged=every["id"].to_list())
        assert _may_differ(made)


def test_the_first_question_with_different_items_is_shown_with_its_own():
    rows = [
        ("1", "x", list("ab"), "a", "b"),
        ("2", "x", list("cd"), "c", "d"),
        ("2", "y", list("ce"), "c", "e"),
        ("1", "y", list("af"), "a", "f"),
    ]
    with pytest.raises(InputError, match=r"question '1' shows different items .*, such as a.*b and a.*f;"):
        TupleAnswers.of(chosen(rows))


# Tables of counts, and variances


def test_a_sparse_table_has_a_column_for_values_that_nobody_gave():
    found = count_values(np.array([0, 1, 1]), np.array([5, 7, 7]), 2, 3_000_000)
    assert found.shape == (2, 3_000_000)
    assert found.by_value(np.ones((1, 2)))[[4, 5, 7], 0].tolist() == [0, 1, 2]
    assert (found.squares.tolist(), found.most.tolist()) == ([1, 4], [1, 2])


@pytest.mark.parametrize("components", [crossed_components, nested_components])
def test_a_shift_of_all_ratings_changes_no_variance(components):
    """1 2 3 and 2 3 5, and the same a million higher: centring keeps the sums of squares precise."""
    values, weights = np.array([[1.0, 2, 3], [2.0, 3, 5]]), np.ones((1, 3))
    np.testing.assert_allclose(components(values + 3e6)(weights), components(values)(weights), rtol=1e-9)


def test_the_present_reliability_is_told_where_it_is_known(planned):
    *_, known = opinion_figures(pilot(), plan=planned, resampling=NO_INTERVALS)
    assert known.what == f"the fewest that do; the present 4 give a reliability of {planned.reliability.value:.3f}"
    unknown = replace(planned, reliability=undefined("for this test"))
    assert opinion_figures(pilot(), plan=unknown, resampling=NO_INTERVALS)[-1].what == "the fewest that do"
