"""Figures of agreement: what they are computed from, and what is said of them."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import UnknownNameError
from similitude.gold.reliability import disjoint_groups
from similitude.gold.reliability.agreement_by_label import labels_of
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling, sums_to_draw
from similitude.gold.reliability.categories import (
    classified_matrix,
    coefficient_estimate,
    conger,
    fleiss,
    gwet,
    krippendorff,
    score_estimate,
    share_estimate,
)
from similitude.gold.reliability.chance_alpha import chance_alphas
from similitude.gold.reliability.disjoint_groups import observed_errors
from similitude.gold.reliability.intraclass import intraclass_correlations
from similitude.gold.reliability.rating_spread import ratings_on
from similitude.gold.reliability.split_half import Halving
from similitude.samples import read_sample

component_table = import_module("similitude.gold.reliability.component_table")  # the package has the function
FIVE = Scale(low=0, high=5)
# Raters x items.
VALUES = np.array([[1.0, 2.0, 4.0, 5.0, 3.0], [2.0, 2.0, 5.0, 5.0, 3.0], [0.0, 2.0, 3.0, 4.0, 1.0]])


def rated(rows, **settings) -> Judgements:
    schema = {"annotator": pl.String, "item": pl.String, "value": pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return Judgements(name="made", frame=frame, **({"scale": FIVE} | settings))


def figures_of(judgements: Judgements, **options):
    found = agreement_figures(judgements, resampling=NO_INTERVALS, **({"halving": Halving(repeats=3)} | options))
    return {figure.name: figure for figure in found}


def test_a_rater_is_a_rater_in_whatever_order_ratings_stand():
    rows = [(f"r{r}", f"i{i}", VALUES[r, i]) for r in range(3) for i in range(5)]
    mixed = [rows[place] for place in np.random.default_rng(0).permutation(15)]
    expected = intraclass_correlations(VALUES, resampling=NO_INTERVALS)
    found = figures_of(rated(mixed))
    assert {form: found[form].estimate.value for form in expected} == pytest.approx(
        {form: estimate.value for form, estimate in expected.items()}
    )
    assert expected["ICC(3,1)"].value > expected["ICC(1,1)"].value + 0.05  # the third rater is stricter


def test_units_and_what_is_said_of_ratings():
    """Three items are rated twice, one once: x and y share a and b, x and z share c: too few for a correlation."""
    rows = [("x", "a", 1.0), ("y", "a", 2.0), ("x", "b", 3.0), ("y", "b", 3.0), ("x", "c", 5.0), ("z", "c", 4.0)]
    found = figures_of(rated([*rows, ("x", "d", 2.0)]))
    alpha = found["Krippendorff's alpha, interval"]
    assert (alpha.n_units, alpha.n_raters, alpha.by_chance) == (3, 3, 0.0)
    assert alpha.what == "1: all agree, 0: as by chance; distances count; 1 item with one rating is left out"
    assert found["ICC(2,1)"].estimate.reason == "not every rater rated every item: 5 of 12 ratings are missing"
    rejected = figures_of(rated([*rows, ("x", "d", 2.0), ("x", "e", None)]))["Krippendorff's alpha, interval"]
    assert (rejected.what, rejected.n_units) == (alpha.what, 3)  # an item without a rating has not one


def test_what_is_said_of_pairs_of_raters_and_of_halves():
    rows = [(f"r{r}", f"i{i}", VALUES[r, i]) for r in range(3) for i in range(5)]
    alike = "1: any two raters {} the items alike; mean over 3 pairs of raters, who share 5 items (median)"
    found = figures_of(rated(rows))
    assert found["mean pairwise r"].what == alike.format("space")
    assert found["mean pairwise rho"].what == alike.format("order")
    halves = "1: both halves of the answers give the same {}; mean of 3 random halvings, sd "
    assert found["split-half, Spearman"].what.startswith(halves.format("order"))
    assert found["split-half, Pearson"].what.startswith(halves.format("scores"))
    constant = [*rows, *(("flat", f"i{i}", 2.0) for i in range(5))]
    assert figures_of(rated(constant))["mean pairwise r"].what.endswith(
        "; 3 pairs left out: too few shared items, or only one value"
    )
    nobody = figures_of(rated([("x", "a", 1.0), ("y", "b", 2.0), ("x", "c", 1.0)]))
    assert nobody["mean pairwise r"].what == "1: any two raters space the items alike"


def test_labels_come_from_these_columns():
    dialogues = Judgements.of_benchmark(read_sample("dialogues"))
    with pytest.raises(UnknownNameError, match=r"column of items.*condition, domain, .*turns"):
        labels_of(dialogues, "nothing")
    texts = dialogues.items.head(1).with_columns(
        group=pl.lit("g"), language=pl.lit("l"), domain=pl.lit("d"), source=pl.lit("s"), split=pl.lit("p")
    )
    one = replace(dialogues, items=texts.with_columns(condition=pl.lit("c"), context=pl.lit(["u", "v"])))
    columns = ("group", "language", "domain", "source", "split", "condition", "turns")
    assert list(labels_of(one, *columns).values()) == ["g, l, d, s, p, c, 2-turn"]


def test_proportions_need_a_scale_from_zero_and_no_rating_below():
    name = "Krippendorff's alpha, ratio"
    rows = [(f"r{r}", f"i{i}", VALUES[r, i]) for r in range(3) for i in range(5)]
    assert name in figures_of(rated(rows))  # with a rating of 0
    assert name not in figures_of(rated(rows, scale=Scale(low=-5, high=5)))
    below = [(who, item, value - 1) for who, item, value in rows]
    assert name not in figures_of(rated(below))  # off the scale, at -1


def test_ratings_of_no_items():
    made = rated([("x", "a", 1.0)]).frame
    assert ratings_on(made, []).shape == (0, 0)
    assert ratings_on(made, ["b"]).shape == (0, 1)


def chosen(*rows: tuple[str, str, str, str, str]) -> Judgements:
    """Rows of (question, annotator, items as letters, best, worst)."""
    spelled = [(question, who, list(items), best, worst) for question, who, items, best, worst in rows]
    names = ["question", "annotator", "items", "best", "worst"]
    return Judgements(name="made", frame=pl.DataFrame(spelled, schema=names, orient="row"))


def test_what_is_said_of_tuples_and_of_pairs():
    rows = [("1", "x", "abc", "a", "c"), ("1", "y", "abc", "a", "b"), ("2", "x", "bcd", "b", "d")]
    found = figures_of(chosen(*rows, ("2", "y", "bcd", "c", "d"), ("3", "x", "acd", "a", "d")))
    strong = "share of tuples where at least 4 of 5 annotators (of n: 0.8 n, rounded up) name the same item {}"
    assert found["strong agreement, best"].what == strong.format("best")
    assert found["strong agreement, worst"].what == strong.format("worst")
    assert [found[f"strong agreement, {name}"].estimate.value for name in ("best", "worst")] == [0.5, 0.5]
    by_item = found["Krippendorff's alpha, per question by item"]
    assert by_item.what.endswith("; an answer is an item among all items; 1 tuples answered once are left out")
    assert (by_item.n_units, by_item.n_raters) == (2, 2)
    pairs = [
        ("1", "x", "ab", "a", "b"),
        ("1", "y", "ab", "a", "b"),
        ("2", "x", "bc", "b", "c"),
        ("2", "y", "bc", "c", "b"),
    ]
    two = figures_of(chosen(*pairs, ("3", "x", "ac", "a", "c")))
    assert two["Krippendorff's alpha, which of the two"].what.endswith("; 1 pairs answered once are left out")
    assert two["strong agreement"].what == (
        "share of pairs where at least 4 of 5 annotators (of n: 0.8 n, rounded up) name the same item"
    )


def test_up_to_two_thousand_units_are_drawn_one_by_one():
    features = np.arange(4002.0).reshape(2, 2001)
    np.testing.assert_array_equal(sums_to_draw(features[:, :2000], np.random.default_rng(0)), features[:, :2000])
    blocks = sums_to_draw(features, np.random.default_rng(0))
    assert blocks.shape == (2, 2000)
    np.testing.assert_allclose(blocks.sum(axis=1), features.sum(axis=1))


@pytest.mark.parametrize(("share", "error", "items"), [(0.5, 0.2, 2), (0.9, 0.05, 20), (0.02, 0.01, 9)])
def test_the_interval_of_a_share_is_wilsons_with_t(share: float, error: float, items: int):
    """The ends p solve (share - p)^2 = t^2 p (1 - p) / n, for as many answers n as have this standard error."""
    found = share_estimate(share, error, items, 0.95)
    size, quantile = share * (1 - share) / error**2, t.ppf(0.975, items - 1)
    for end in (found.low, found.high):
        assert (share - end) ** 2 == pytest.approx(quantile**2 * end * (1 - end) / size)
    assert 0 < found.low < share < found.high < 1
    assert np.isnan(share_estimate(share, error, 1, 0.95).low)


def test_agreement_on_the_twelve_commonest_labels():
    names = tuple("abcdefghijklm")
    rows = [(who, f"i{code}{n}", float(code)) for code in range(13) for n in range(1 + (code != 4)) for who in "xy"]
    found = figures_of(rated(rows, categories=names, scale=None))
    labels = [name for name in found if name.startswith("agreement on")]
    assert labels == [f"agreement on '{name}'" for name in names if name != "e"]


def test_labels_in_words_have_the_intervals_of_their_coefficients():
    """Alpha has the jackknife's, as for numbers; the kappas those of their standard errors."""
    values = np.array([[0.0, 1, 1, 0, 2, 1, 0, 2], [0.0, 1, 0, 0, 2, 1, 1, 2], [0.0, 1, 1, 0, 2, 2, 0, 1]])
    rows = [(f"r{r}", f"i{i}", values[r, i]) for r in range(3) for i in range(8)]
    made = rated(rows, categories=("no", "yes", "maybe"), scale=None)
    found = {one.name: one.estimate for one in agreement_figures(made)}
    assert found["Krippendorff's alpha, nominal"][:3] == pytest.approx(krippendorff_alpha(values, "nominal")[:3])
    answers = classified_matrix(values)
    assert found["Fleiss' kappa"][:3] == pytest.approx(coefficient_estimate(fleiss(answers), 0.95)[:3])
    assert found["Conger's kappa"][:3] == pytest.approx(coefficient_estimate(conger(answers), 0.95)[:3])
    assert found["Gwet's AC1"][:3] == pytest.approx(score_estimate(gwet(answers), 0.95)[:3])
    assert found["Krippendorff's alpha, nominal"].low != found["Fleiss' kappa"].low
    ordered = {one.name: one.estimate for one in agreement_figures(rated(rows), weights="linear")}
    weighted = coefficient_estimate(krippendorff(answers, "linear"), 0.95)
    assert ordered["Krippendorff's alpha, linear weights"][:3] == pytest.approx(weighted[:3])


def test_chance_is_unknown_of_a_single_answer():
    alone = chance_alphas(np.array([0, 0]), np.array([0, 1]), np.array([1.0]))
    assert np.isnan(alone.combined)


def test_components_are_fitted_to_the_training_items(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(0)
    values = rng.normal(2.5, 1, (2, 40)).clip(0, 5)
    rows = [(f"r{r}", f"i{i}", values[r, i]) for r in range(2) for i in range(40)]
    seen = []
    whole = component_table.effective_components

    def fitted(vectors, number, rng, **options):
        seen.append((vectors, number, options["fitted_to"]))
        return whole(vectors, number, rng, **options)

    monkeypatch.setattr(component_table, "effective_components", fitted)
    found = component_table.component_table(rated(rows), 2, np.random.default_rng(1))
    training = (found.items["split"] == "training").to_numpy()
    assert 0 < training.sum() < 40
    assert [number for _, number, _ in seen] == [2, 1]
    for vectors, _, used in seen:
        np.testing.assert_allclose(vectors, values.T)
        np.testing.assert_allclose(used, values.T[training])


def test_groups_are_compared_on_all_items_up_to_the_most(monkeypatch: pytest.MonkeyPatch):
    assert (disjoint_groups.SPLITS, disjoint_groups.MOST_ITEMS) == (50, 20_000)
    values = np.random.default_rng(0).normal(size=(4, 12)) + np.arange(12)
    errors = [observed_errors(values, "crossed", [1, 2], np.random.default_rng(1))]
    for most in (12, 11):
        monkeypatch.setattr(disjoint_groups, "MOST_ITEMS", most)
        errors.append(observed_errors(values, "crossed", [1, 2], np.random.default_rng(1)))
    assert errors[0].equals(errors[1])
    assert not errors[0].equals(errors[2])


def test_the_interval_of_an_incomplete_table_has_the_level_that_is_asked_for():
    values = np.vstack([VALUES, [1.0, 3.0, np.nan, 4.0, 2.0]])
    narrow, usual = (intraclass_correlations(values, resampling=Resampling(level=level)) for level in (0.5, 0.95))
    for form in ("ICC(1,1)", "ICC(1,k)"):
        assert usual[form].low < narrow[form].low < narrow[form].value < narrow[form].high < usual[form].high
    none = intraclass_correlations(values, resampling=NO_INTERVALS)["ICC(1,1)"]
    assert np.isnan(none.low)


def test_the_generalised_interval_is_that_of_its_definition():
    """Mean squares times their degrees of freedom over chi-squares are draws of the expected mean squares."""
    raters, items = VALUES.shape
    apart = VALUES - VALUES.mean()
    of_item, of_rater = apart.mean(axis=0), apart.mean(axis=1)
    rest = apart - of_item - of_rater[:, None]
    rng, many = np.random.default_rng(9), 100_000
    between, among, error = (
        square / rng.chisquare(freedom, many)
        for square, freedom in (
            (raters * of_item @ of_item, items - 1),
            (items * of_rater @ of_rater, raters - 1),
            ((rest**2).sum(), (items - 1) * (raters - 1)),
        )
    )
    true, leniency = (between - error) / raters, np.maximum(among - error, 0) / items
    drawn = true / (np.maximum(true, 0) + leniency + error)
    found = intraclass_correlations(VALUES)["ICC(2,1)"]
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist(), abs=0.01)


def test_the_noise_of_files_changes_no_figure():
    """0.1 + 0.2 is 0.3 to raters: ties stay ties."""
    rows = [(f"r{r}", f"i{i}", VALUES[r, i] / 10) for r in range(3) for i in range(5)]
    noisy = [(who, item, value + 1e-16 * (number % 3)) for number, (who, item, value) in enumerate(rows)]
    assert [row for row in noisy if row not in rows]
    plain, same = figures_of(rated(rows)), figures_of(rated(noisy))
    assert {name: figure.estimate.value for name, figure in same.items()} == pytest.approx(
        {name: figure.estimate.value for name, figure in plain.items()}, nan_ok=True
    )
    assert same["mean pairwise rho"].estimate.value == plain["mean pairwise rho"].estimate.value


def test_chance_of_two_tuples_with_an_answer_each():
    """Combined: of two random pairs of two places, half agree, as half of the four ordered pairs do: 0."""
    found = chance_alphas(np.array([0, 0, 1, 1]), np.arange(4), np.ones(2))
    assert found.combined == 0.0
