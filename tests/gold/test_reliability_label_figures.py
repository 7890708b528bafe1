"""Figures of labels: what random answers would give, weights, agreement on each item, effective components."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.annotator_table import annotator_table
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.component_table import component_table
from similitude.gold.reliability.item_agreement import item_agreement


def labels(*rows, categories=("no", "maybe", "yes")):
    frame = pl.DataFrame(
        [(who, item, float(categories.index(word))) for who, item, word in rows],
        schema={"annotator": pl.String, "item": pl.String, "value": pl.Float64},
        orient="row",
    )
    return Judgements(name="made", frame=frame, categories=categories)


def ratings(values, scale=None):
    rater, item = np.nonzero(~np.isnan(values))
    frame = pl.DataFrame(
        {
            "annotator": [f"r{place}" for place in rater],
            "item": [f"i{place}" for place in item],
            "value": values[rater, item],
        }
    )
    return Judgements(name="made", frame=frame, scale=scale)


def by_name(judgements, **options):
    found = agreement_figures(judgements, resampling=options.pop("resampling", NO_INTERVALS), **options)
    return {figure.name: figure for figure in found}


MADE = labels(
    ("x", "a", "yes"), ("y", "a", "yes"), ("x", "b", "no"), ("y", "b", "yes"), ("x", "c", "no"), ("y", "c", "no")
)


def test_what_random_answers_would_give():
    # Shares: no 1/2, yes 1/2, maybe 0, so two random answers agree in half of the cases. Three categories are possible:
    # Brennan-Prediger has Pe 1/3, so random answers give (1/2 - 1/3) / (2/3); AC1 has Pe = 1/2 * 1/2 = 1/4.
    found = by_name(MADE)
    assert found["percent agreement"].by_chance == pytest.approx(0.5)
    assert found["Brennan-Prediger"].by_chance == pytest.approx(0.25)
    assert found["Gwet's AC1"].by_chance == pytest.approx(1 / 3)
    assert found["agreement on 'yes'"].by_chance == pytest.approx(0.5)
    for name in ("Krippendorff's alpha, nominal", "Fleiss' kappa", "Cohen's kappa"):
        assert found[name].by_chance == 0.0


def test_undefined_figures_have_neither_error_nor_chance():
    same = labels(*((who, item, "no") for who in "xy" for item in "abc"))
    found = by_name(same)
    for name in ("Fleiss' kappa", "Cohen's kappa"):
        assert (found[name].standard_error, found[name].by_chance) == (None, None)
        assert "all answers are the same" in found[name].estimate.reason
    # All answers are the same, and random ones with these shares would be, too.
    assert (found["Gwet's AC1"].standard_error, found["Gwet's AC1"].by_chance) == (0.0, 1.0)


def test_simulated_random_answers_give_what_is_said():
    rng = np.random.default_rng(0)
    words = ("no", "maybe", "yes")
    given = rng.choice(3, p=[0.8, 0.15, 0.05], size=(3, 4000))
    rows = [(f"r{rater}", f"i{item}", words[given[rater, item]]) for rater in range(3) for item in range(4000)]
    found = by_name(labels(*rows))
    for name, figure in found.items():
        assert figure.estimate.value == pytest.approx(figure.by_chance, abs=0.03), name
    assert found["Gwet's AC1"].by_chance > 0.5


def test_agreement_on_a_label_has_the_error_of_a_ratio():
    # yes: item a 2 of 2, item b 1 of 2: 2 * 1 / (2 * 1 + 1 * 1) = 2/3. Residuals 2 - 2/3 * 2 and 0 - 2/3, over the
    # mean 3/2: 4/9 and -4/9; sqrt((16/81 + 16/81) / (2 * 1)) = 4/9.
    found = by_name(MADE)["agreement on 'yes'"]
    assert found.estimate.value == pytest.approx(2 / 3)
    assert found.standard_error == pytest.approx(4 / 9)
    assert found.n_units == 2


def test_weights_need_an_order():
    with pytest.raises(ArgumentError, match=r"linear weights need an order.*--categories 'no,maybe,yes'"):
        agreement_figures(MADE, weights="linear")
    assert list(by_name(MADE, weights="identity")) == list(by_name(MADE))
    pairs = pl.DataFrame({"items": [["a", "b"]] * 2, "best": ["a", "a"], "worst": ["b", "b"]})
    with pytest.raises(ArgumentError, match="weights are for labels, and these are best-worst answers"):
        agreement_figures(Judgements(name="made", frame=pairs), weights="linear")


def test_weights_are_for_few_values():
    rng = np.random.default_rng(0)
    with pytest.raises(ArgumentError, match=r"40 different ratings are not labels.*--weights"):
        agreement_figures(
            ratings(rng.permutation(np.arange(40.0)).reshape(2, 20), Scale(low=0, high=40)), weights="linear"
        )
    twenty = ratings(np.tile(np.arange(20.0), (2, 1)), Scale(low=0, high=20))
    assert "Cohen's weighted kappa, linear weights" in by_name(twenty, weights="linear")
    more = ratings(np.tile(np.arange(21.0), (2, 1)), Scale(low=0, high=21))
    assert "percent agreement" not in by_name(more)


def test_weighted_figures_of_ratings():
    values = np.random.default_rng(1).integers(1, 6, (3, 30)).astype(float)
    usual, linear, plain = (
        by_name(ratings(values, Scale(low=1, high=5)), weights=name) for name in (None, "linear", "identity")
    )
    assert "Gwet's AC2, quadratic weights" in usual
    assert "Krippendorff's alpha, linear weights" in linear
    assert not any("weights" in name for name in plain)
    # Alpha with quadratic weights is interval alpha, which is there already.
    assert "Krippendorff's alpha, quadratic weights" not in usual


def test_two_labels_have_no_weights():
    values = np.random.default_rng(1).integers(0, 2, (3, 30)).astype(float)
    assert not any("weights" in name for name in by_name(ratings(values, Scale(low=0, high=1))))


def test_agreement_on_each_item():
    found = item_agreement(labels(("x", "a", "yes"), ("y", "a", "no"), ("z", "a", "yes"), ("x", "b", "no")))
    assert found.columns == ["item", "answers", "agreement", "entropy"]
    # Two of three say yes: one pair of three agrees; the entropy is ln 3 - 2/3 ln 2.
    assert found.row(0) == ("a", 3, pytest.approx(1 / 3), pytest.approx(np.log(3) - 2 / 3 * np.log(2)))
    assert found.row(1) == ("b", 1, None, 0.0)


def test_mean_agreement_on_items_is_percent_agreement():
    found = assess(MADE, resamples=0)
    figure = next(one for one in found.agreement if one.name == "percent agreement")
    assert found.per_item["agreement"].mean() == pytest.approx(figure.estimate.value)
    record = found.record()
    assert record["per_item"][1] == {"item": "b", "answers": 2, "agreement": 0.0, "entropy": pytest.approx(np.log(2))}
    assert {"standard_error", "by_chance"} <= record["agreement"][0].keys()


def test_agreement_on_each_rated_item():
    values = np.array([[1.0, 2, np.nan], [1, 4, 5]])
    found = item_agreement(ratings(values))
    assert found.columns == ["item", "answers", "mean", "sigma", "agreement", "entropy"]
    assert found.row(1) == ("i1", 2, 3.0, 1.0, 0.0, pytest.approx(np.log(2)))
    many = item_agreement(ratings(np.tile(np.arange(21.0), (2, 1))))
    assert many.columns == ["item", "answers", "mean", "sigma"]


def test_agreement_on_each_tuple():
    rows = {"annotator": list("xyz"), "items": [["a", "b", "c"]] * 3, "best": list("aab"), "worst": list("ccc")}
    found = item_agreement(Judgements(name="made", frame=pl.DataFrame(rows)))
    assert found.row(0, named=True) == {
        "question": "a|b|c",
        "answers": 3,
        "best_agreement": pytest.approx(1 / 3),
        "best_entropy": pytest.approx(np.log(3) - 2 / 3 * np.log(2)),
        "worst_agreement": 1.0,
        "worst_entropy": 0.0,
    }


def test_effective_components_of_two_kinds():
    rng = np.random.default_rng(0)
    values = np.repeat([1.0, 4.0], 60) + rng.normal(0, 0.3, (4, 120))
    values[0, 5] = np.nan
    found = component_table(ratings(values, Scale(low=0, high=5)), 2, np.random.default_rng(0))
    assert (found.components, found.items.height) == (2, 119)
    assert found.notes == ("1 item without a rating of every rater left out",)
    assert found.table.select("split", "effective", "items").rows() == [("test", 1, 39), ("training", 1, 80)]
    assert found.table["share"].to_list() == [1.0, 1.0]
    assert found.likelier == pytest.approx(38 / 39)
    sigma = values[:, found.items["item"].str.slice(1).cast(pl.Int64).to_numpy()].std(axis=0)
    assert found.items["sigma"].to_numpy() == pytest.approx(sigma)
    chosen = component_table(ratings(values, Scale(low=0, high=5)), "bic", np.random.default_rng(0))
    assert chosen.components == 2
    assert "the Bayesian information criterion chooses 2" in chosen.notes[-1]


@pytest.mark.parametrize(("gain", "chosen"), [(2.9, 1), (3.1, 6)])
def test_a_gaussian_of_two_raters_has_six_parameters(monkeypatch, gain, chosen):
    # A weight, two means, two variances and a covariance cost 6 ln(60) on 60 items. Each Gaussian gains twice its log
    # likelihood: above 3 ln(60) another one pays, below it does not.
    def fit(rows, number, rng):
        assert rows.shape == (60, 2)
        return SimpleNamespace(log_likelihood=gain * number * np.log(60))

    monkeypatch.setattr("similitude.gold.reliability.component_table.fit_vector_mixture", fit)
    values = np.random.default_rng(0).normal(2, 0.5, (2, 90))
    found = component_table(ratings(values, Scale(low=0, high=5)), "bic", np.random.default_rng(0))
    assert found.components == chosen
    assert found.notes == (f"of 1 to 6 Gaussians, the Bayesian information criterion chooses {chosen}",)


def test_effective_components_are_refused():
    values = np.random.default_rng(0).normal(2, 0.5, (4, 20))
    with pytest.raises(InputError, match=r"13 items with a rating of all 4 raters to fit 2 Gaussians to, and 16"):
        component_table(ratings(values, Scale(low=0, high=5)), 2, np.random.default_rng(0))
    five = component_table(ratings(values[:, :12], Scale(low=0, high=5)), "bic", np.random.default_rng(0))
    assert five.notes == ("of 1 to 1 Gaussians, the Bayesian information criterion chooses 1",)
    with pytest.raises(ArgumentError, match="a mixture of 0 Gaussians"):
        component_table(ratings(values, Scale(low=0, high=5)), 0, np.random.default_rng(0))
    unnamed = pl.DataFrame({"item": list("aabb"), "value": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(InputError, match="--positions-are-people"):
        component_table(Judgements(name="made", frame=unnamed), 1, np.random.default_rng(0))


def test_the_table_of_annotators_has_random_clickers_with_a_flag():
    rng = np.random.default_rng(0)
    rows = []
    for place in range(60):
        shown = rng.choice(30, 4, replace=False)
        for who in range(6):
            seen = shown + rng.normal(0, 4, 4) if who else rng.random(4)
            rows.append(
                (
                    f"p{who}",
                    [f"{item}" for item in shown],
                    f"{shown[seen.argmax()]}",
                    f"{shown[seen.argmin()]}",
                    f"q{place}",
                )
            )
    frame = pl.DataFrame(rows, schema=["annotator", "items", "best", "worst", "question"], orient="row")
    table = annotator_table(Judgements(name="made", frame=frame), resampling=Resampling(resamples=0))
    clicks = dict(table.select("annotator", "random_clicking").iter_rows())
    assert clicks.pop("p0") > 0.99
    assert max(clicks.values()) < 0.01
    flags = dict(table.select("annotator", "flags").iter_rows())
    assert "seems to click at random: probability 100 %" in flags.pop("p0")
    assert not any("at random" in said for person in flags.values() for said in person)


def test_a_declared_scale_of_whole_numbers_names_the_possible_labels():
    # Nobody chose 3. P = 1/2; Brennan-Prediger is (1/2 - 1/2) / (1/2) with two labels, (1/2 - 1/3) / (2/3) with three.
    values = np.array([[1.0, 2, 1, 2], [1, 2, 2, 1]])
    unknown, guessed, known = (
        by_name(ratings(values, scale), weights="identity")["Brennan-Prediger"].estimate.value
        for scale in (None, Scale(low=1, high=3, origin="inferred"), Scale(low=1, high=3))
    )
    assert (unknown, guessed, known) == pytest.approx((0.0, 0.0, 0.25))
    halves = by_name(ratings(values + 0.5, Scale(low=1, high=3)), weights="identity")["Brennan-Prediger"]
    assert halves.estimate.value == pytest.approx(0.0)


@pytest.mark.parametrize(("number", "has_agreement"), [(20, True), (21, False)])
def test_ratings_agree_label_by_label_up_to_twenty_labels(number, has_agreement):
    found = item_agreement(ratings(np.tile(np.arange(float(number)), (2, 1))))
    assert ("agreement" in found.columns) == has_agreement


def test_ratings_of_three_values_have_weights_and_of_two_have_none():
    three = by_name(ratings(np.array([[1.0, 2, 3, 1], [1, 2, 2, 3]])))
    assert "Gwet's AC2, quadratic weights" in three
    two = by_name(ratings(np.array([[1.0, 2, 2, 1], [1, 2, 1, 2]])))
    assert [name for name in two if "weights" in name] == []


def test_agreement_on_a_label_by_hand():
    # Of yes: a has 2 of 2, b and c have 1 of 2: 2 / 4. Gaps of 1, -1/2 and -1/2 over a mean of 4/3, squared: 27/32;
    # over 3 items times 2, the root is 3/8.
    rows = [("x", "a", "yes"), ("y", "a", "yes"), ("x", "b", "no"), ("y", "b", "yes"), ("x", "c", "yes")]
    found = by_name(labels(*rows, ("y", "c", "no"), ("x", "d", "maybe")))
    figure = found["agreement on 'yes'"]
    assert (figure.estimate.value, figure.standard_error, figure.n_units) == (0.5, pytest.approx(3 / 8), 3)
    unknown = found["agreement on 'maybe'"]
    assert (unknown.estimate.reason, unknown.n_units) == ("no item with two answers has this label", 0)


def test_items_with_one_answer_are_told():
    whole = by_name(MADE)["percent agreement"].what
    rows = [(who, item, "no") for item in "ab" for who in "xy"] + [("x", "a2", "yes")]
    assert by_name(labels(*rows))["percent agreement"].what == (
        f"{whole}; 1 item with one answer tells nothing about agreement"
    )
    more = by_name(labels(*rows, ("y", "b2", "yes")))["percent agreement"].what
    assert more == f"{whole}; 2 items with one answer tell nothing about agreement"


def test_of_equally_common_labels_the_first_are_told():
    names = tuple(f"c{code:02}" for code in range(45))
    rows = [(who, name, name) for name in names for who in ("xyz" if name >= "c05" else "x")]
    told = [name for name in by_name(labels(*rows, categories=names)) if name.startswith("agreement on")]
    assert told == [f"agreement on 'c{code:02}'" for code in range(5, 17)]
