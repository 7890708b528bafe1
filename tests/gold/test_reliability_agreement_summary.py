from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from similitude.data.addresses import open_benchmark
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError, UnknownNameError
from similitude.gold.reliability.agreement_by_label import agreement_by, labels_of
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.split_half import Halving


def ratings(values, scale=None, named=True) -> Judgements:
    values = np.asarray(values, dtype=float)
    rater, item = np.nonzero(~np.isnan(values))
    frame = pl.DataFrame(
        {
            "annotator": [f"r{r}" if named else None for r in rater],
            "item": [f"i{i}" for i in item],
            "value": values[rater, item],
        },
        schema_overrides={"annotator": pl.String},
    )
    return Judgements(name="made", frame=frame, scale=scale)


@pytest.fixture(scope="module")
def dialogues() -> Judgements:
    return Judgements.of_benchmark(open_benchmark("sample:dialogues"))


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    return np.clip(np.round(rng.uniform(1, 5, 30) + rng.normal(0, 0.7, (4, 30))), 1, 5)


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int]] = []
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self.heard.append((stage, done, total))

    def note(self, text: str) -> None:
        self.notes.append(text)


def test_figures_of_ratings(values):
    ear = Ear()
    made = ratings(values, Scale(low=1, high=5))
    figures = agreement_figures(made, resampling=Resampling(resamples=50), halving=Halving(repeats=5), listener=ear)
    names = [figure.name for figure in figures]
    assert names == [
        "Krippendorff's alpha, interval",
        "Krippendorff's alpha, ordinal",
        "Krippendorff's alpha, nominal",
        "percent agreement",
        "Fleiss' kappa",
        "Conger's kappa",
        "Gwet's AC1",
        "Brennan-Prediger",
        "percent agreement, quadratic weights",
        "Fleiss' weighted kappa, quadratic weights",
        "Conger's weighted kappa, quadratic weights",
        "Gwet's AC2, quadratic weights",
        "weighted Brennan-Prediger, quadratic weights",
        "ICC(1,1)",
        "ICC(1,k)",
        "ICC(2,1)",
        "ICC(2,k)",
        "ICC(3,1)",
        "ICC(3,k)",
        "mean pairwise r",
        "mean pairwise rho",
        "split-half, Spearman",
        "split-half, Pearson",
    ]
    for figure in figures:
        assert figure.estimate.low <= figure.estimate.value <= figure.estimate.high, figure.name
        assert (figure.n_units, figure.n_raters) == (30, 4)
    assert figures[0].estimate.value == pytest.approx(
        krippendorff_alpha(values, resampling=NO_INTERVALS).value, abs=1e-12
    )
    steps = [done for stage, done, _ in ear.heard if stage == "agreement"]
    assert steps == list(range(1, ear.heard[0][2] + 1))
    assert [heard for heard in ear.heard if heard[0] == "split-half"] == [("split-half", 5, 5)]
    assert ear.notes == []


def test_items_of_one_group_are_left_out_together(values):
    made = ratings(values, Scale(low=1, high=5))
    groups = np.arange(30) // 3
    items = pl.DataFrame({"id": made.judged, "group": [f"g{groups[int(item[1:])]}" for item in made.judged]})
    alone, together = (
        agreement_figures(one, halving=Halving(repeats=1))[0] for one in (made, replace(made, items=items))
    )
    assert together.estimate[:3] == pytest.approx(krippendorff_alpha(values, groups=groups)[:3], abs=1e-12)
    assert together.estimate.low != alone.estimate.low
    assert together.what.endswith("; the interval treats 10 groups of items as units")


def test_what_does_not_count_is_said(values):
    values[1:, :3] = np.nan
    made = ratings(values)
    again = Judgements(name="again", frame=pl.concat([made.frame, made.frame.head(2)]))
    ear = Ear()
    figures = agreement_figures(again, resampling=NO_INTERVALS, halving=Halving(repeats=1), listener=ear)
    assert ear.notes == ["2 answers are followed by a later one of the same annotator; the last one counts"]
    assert figures[0].what.endswith("3 items with one rating are left out")
    assert figures[0].n_units == 27
    before = agreement_figures(made, resampling=NO_INTERVALS, halving=Halving(repeats=1))
    assert figures[0].estimate == before[0].estimate


def test_ratio_only_where_the_scale_begins_at_zero_and_kappa_only_for_few_values(values):
    rng = np.random.default_rng(1)
    figures = agreement_figures(
        ratings(values - 1 + rng.uniform(0, 0.5, values.shape), Scale(low=0, high=5)), resampling=NO_INTERVALS
    )
    names = [figure.name for figure in figures]
    assert "Krippendorff's alpha, ratio" in names
    assert "Fleiss' kappa" not in names


def test_ratings_without_names(values):
    by_name = {
        figure.name: figure for figure in agreement_figures(ratings(values, named=False), resampling=NO_INTERVALS)
    }
    named = {figure.name: figure for figure in agreement_figures(ratings(values), resampling=NO_INTERVALS)}
    assert by_name["ICC(1,1)"].estimate == pytest.approx(named["ICC(1,1)"].estimate, nan_ok=True)
    assert by_name["ICC(1,1)"].n_raters is None
    for name in ("ICC(2,1)", "ICC(2,k)", "ICC(3,1)", "ICC(3,k)", "mean pairwise r", "mean pairwise rho"):
        assert by_name[name].estimate.reason == (
            "annotators are not named: positions in a list are not people; --positions-are-people if they are"
        )


def test_one_rater_has_no_figure_and_every_one_says_why(values):
    for figure in agreement_figures(ratings(values[:1])):
        assert np.isnan(figure.estimate.value), figure.name
        assert figure.estimate.reason


def test_figures_of_best_worst(dialogues):
    figures = agreement_figures(dialogues, resampling=Resampling(resamples=50), halving=Halving(repeats=5))
    assert [figure.name for figure in figures] == [
        "Krippendorff's alpha, best and worst combined",
        "Krippendorff's alpha, per question by position",
        "Krippendorff's alpha, per question by item",
        "strong agreement, best",
        "strong agreement, worst",
        "split-half, Spearman",
        "split-half, Pearson",
    ]
    for figure in figures:
        assert figure.estimate.low <= figure.estimate.value <= figure.estimate.high, figure.name
        assert figure.n_raters == len(dialogues.annotators)
    assert figures[0].n_units == dialogues.frame["question"].n_unique()


def test_by_source_and_turns(dialogues):
    labels = labels_of(dialogues, "language", "turns")
    assert set(labels.values()) >= {"de, 3-turn", "de, 5-turn"}
    found = agreement_by(dialogues, labels, resampling=NO_INTERVALS, halving=Halving(repeats=2))
    assert list(found)[-1] == "overall"
    assert set(found) - {"overall"} == {labels[item] for item in dialogues.judged}
    alphas = {label: figures[0] for label, figures in found.items()}
    assert sum(each.n_units for label, each in alphas.items() if label != "overall") == alphas["overall"].n_units


def test_by_label_of_ratings(values):
    made = ratings(values)
    labels = {item: "odd" if int(item[1:]) % 2 else "even" for item in made.judged}
    found = agreement_by(made, labels, resampling=NO_INTERVALS, halving=Halving(repeats=1))
    assert list(found) == ["even", "odd", "overall"]
    assert found["odd"][0].estimate.value == pytest.approx(
        krippendorff_alpha(values[:, 1::2], resampling=NO_INTERVALS).value
    )


def test_bad_labels_are_refused(dialogues, values):
    made = ratings(values)
    with pytest.raises(InputError, match="30 items have no label, such as 'i0'"):
        agreement_by(made, {})
    with pytest.raises(ArgumentError, match="called 'overall'"):
        agreement_by(made, dict.fromkeys(made.judged, "overall"))
    mixed = {item: str(n) for n, item in enumerate(dialogues.judged)}
    with pytest.raises(InputError, match="mixes items of '0' and '1'"):
        agreement_by(dialogues, mixed)
    with pytest.raises(InputError, match="only the ids of the items are known"):
        labels_of(made, "source")
    with pytest.raises(UnknownNameError, match="did you mean 'domain'"):
        labels_of(dialogues, "domains")


def test_what_is_unknown_of_an_item_is_a_dash(dialogues):
    assert set(labels_of(dialogues, "condition").values()) == {"-"}


def test_categories_are_not_split_in_halves():
    rows = {"annotator": list("xxyy"), "item": list("abab"), "value": [0.0, 1.0, 0.0, 1.0]}
    named = Judgements(name="made", frame=pl.DataFrame(rows), categories=("no", "yes"))
    assert agreement_figures(named, resampling=NO_INTERVALS)
    with pytest.raises(ArgumentError, match=r"not split in halves; leave out .*--without"):
        agreement_figures(named, resampling=NO_INTERVALS, halving=Halving(without=("a",)))


def test_parts_leave_out_only_items_of_their_own_and_have_no_interval_unless_asked(values):
    made = ratings(values)
    labels = {item: "odd" if int(item[1:]) % 2 else "even" for item in made.judged}
    halving = Halving(repeats=2, without=("i0", "i1", "i2"))
    found = agreement_by(made, labels, resampling=NO_INTERVALS, halving=halving)
    correlated = {
        label: {figure.n_units for figure in figures if figure.name.startswith("split-half")}
        for label, figures in found.items()
    }
    assert correlated == {"even": {13}, "odd": {14}, "overall": {27}}
    assert all(np.isnan(figure.estimate.low) for figures in found.values() for figure in figures)


def test_the_first_tuple_that_mixes_labels_is_named_with_two_of_them_and_the_remedy():
    rows = {
        "question": ["q1", "q2", "q3"],
        "items": [["a", "b"], ["a", "c", "e"], ["d", "e"]],
        "best": ["a", "a", "d"],
        "worst": ["b", "c", "e"],
    }
    made = Judgements(name="made", frame=pl.DataFrame(rows))
    labels = {"a": "one", "b": "one", "c": "two", "d": "four", "e": "three"}
    said = "question 'q2' mixes items of 'one' and 'three'.*label items so that a tuple has one label"
    with pytest.raises(InputError, match=said) as refused:
        agreement_by(made, labels)
    assert "two'" not in str(refused.value)


def test_alphas_of_tuples_say_what_random_answers_would_give(dialogues):
    alphas = agreement_figures(dialogues, resampling=NO_INTERVALS, halving=Halving(repeats=1))[:3]
    for figure in alphas:
        expected = f"{figure.by_chance:.2f}".replace("-0.00", "0.00")
        assert figure.what.startswith(f"1: all agree, {expected}: as random answers to these tuples; "), figure.name
