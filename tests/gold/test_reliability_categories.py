"""Agreement on categories, against published values."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.annotator_table import annotator_table
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.kappa import cohen_kappa

FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
"""Ten subjects, fourteen raters, five categories: kappa .210 (the usual worked example of Fleiss' kappa)."""

KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
"""Krippendorff (2011): four observers, nominal alpha .743."""


def of_counts(table):
    rows = [
        (None, f"i{unit}", float(code))
        for unit, row in enumerate(table)
        for code, n in enumerate(row)
        for _ in range(n)
    ]
    frame = pl.DataFrame(rows, schema={"annotator": pl.String, "item": pl.String, "value": pl.Float64}, orient="row")
    return Judgements(name="counts", frame=frame, categories=tuple(f"c{code}" for code in range(len(table[0]))))


def of_raters(table, *, named=True):
    rows = [
        (f"r{rater}" if named else None, f"i{unit}", value - 1.0)
        for rater, row in enumerate(table)
        for unit, value in enumerate(row)
        if value is not None
    ]
    frame = pl.DataFrame(rows, schema={"annotator": pl.String, "item": pl.String, "value": pl.Float64}, orient="row")
    return Judgements(name="raters", frame=frame, categories=("one", "two", "three", "four", "five"))


def figures(judgements, **options):
    found = agreement_figures(judgements, resampling=options.pop("resampling", NO_INTERVALS), **options)
    return {figure.name: figure for figure in found}


def test_fleiss():
    found = figures(of_counts(FLEISS))
    assert found["Fleiss' kappa"].estimate.value == pytest.approx(0.210, abs=5e-4)
    assert found["percent agreement"].estimate.value == pytest.approx(0.378, abs=5e-4)
    assert found["Fleiss' kappa"].n_raters is None
    assert found["Fleiss' kappa"].n_units == 10


@pytest.mark.parametrize("named", [True, False])
def test_krippendorff(named):
    found = figures(of_raters(KRIPPENDORFF, named=named))
    assert found["Krippendorff's alpha, nominal"].estimate.value == pytest.approx(0.743, abs=5e-4)
    assert found["Krippendorff's alpha, nominal"].n_units == 11


def test_only_figures_that_need_no_order():
    assert list(figures(of_raters(KRIPPENDORFF))) == [
        "Krippendorff's alpha, nominal",
        "percent agreement",
        "Fleiss' kappa",
        "Conger's kappa",
        "Gwet's AC1",
        "Brennan-Prediger",
        *(f"agreement on '{name}'" for name in ("one", "two", "three", "four", "five")),
    ]


def test_cohen():
    # Fifty proposals: both yes 20, only the first 5, only the second 10, both no 15: (.7 - .5) / (1 - .5) = .4.
    one = np.repeat([1.0, 1.0, 0.0, 0.0], [20, 5, 10, 15])
    other = np.repeat([1.0, 0.0, 1.0, 0.0], [20, 5, 10, 15])
    assert cohen_kappa(one, other, resampling=NO_INTERVALS).value == pytest.approx(0.4)
    drawn = cohen_kappa(one, other, resampling=Resampling(resamples=500))
    assert drawn.low < 0.4 < drawn.high


def test_cohen_is_there_for_two_named_annotators_only():
    two = KRIPPENDORFF[:2]
    found = figures(of_raters(two))
    # Ten shared items of which eight get the same label, .8; marginals give .22.
    assert found["Cohen's kappa"].estimate.value == pytest.approx(cohen_by_hand(two))
    assert "Cohen's kappa" not in figures(of_raters(KRIPPENDORFF[:3]))
    assert "Cohen's kappa" not in figures(of_raters(two, named=False))


def cohen_by_hand(two):
    both = [(a, b) for a, b in zip(*two, strict=True) if a is not None and b is not None]
    observed = np.mean([a == b for a, b in both])
    shares = [[np.mean([pair[side] == label for pair in both]) for label in range(1, 6)] for side in (0, 1)]
    expected = sum(a * b for a, b in zip(*shares, strict=True))
    return (observed - expected) / (1 - expected)


def test_agreement_on_a_label():
    # Item a: yes yes no; item b: yes yes. Pairs from the side of a yes: 2 * 1 + 2 * 1 of 2 * 2 + 2 * 1.
    found = figures(of_counts([[1, 2], [0, 2]]))
    assert found["agreement on 'c1'"].estimate.value == pytest.approx(4 / 6)
    assert found["agreement on 'c0'"].estimate.value == 0.0


def test_categories_answered_once_have_no_figure():
    for figure in figures(of_counts([[1, 0], [0, 1]])).values():
        assert figure.estimate.reason == "no item has two answers: there is nothing to compare"


def test_intervals_hold_the_figures():
    for figure in figures(of_counts(FLEISS), resampling=Resampling(resamples=300)).values():
        assert figure.estimate.low <= figure.estimate.value <= figure.estimate.high, figure.name


def test_the_order_of_categories_does_not_matter():
    turned = [row[::-1] for row in FLEISS]
    one, other = figures(of_counts(FLEISS)), figures(of_counts(turned))
    for name in ("Krippendorff's alpha, nominal", "percent agreement", "Fleiss' kappa"):
        assert one[name].estimate.value == pytest.approx(other[name].estimate.value)


def test_assessment_of_categories():
    found = assess(of_raters(KRIPPENDORFF), resamples=20, gold_answers={"i0": "one", "i1": "three"})
    record = found.record()
    assert record["judgements"]["kind"] == "category"
    assert record["judgements"]["categories"] == ["one", "two", "three", "four", "five"]
    assert (found.plan, found.contention, found.growth) == (None, None, None)
    assert found.annotators["gold_right"].to_list() == [1, 1, 1, 1]
    assert found.annotators["gold_asked"].to_list() == [2, 2, 1, 2]
    assert "pearson" not in found.annotators.columns


def test_annotators_of_categories():
    # x and y agree on both items, z on one: z shares the label of both others on a, of none on b.
    rows = {"annotator": list("xyzxyz"), "item": list("aaabbb"), "value": [0.0, 0, 0, 1, 1, 0]}
    table = annotator_table(Judgements(name="made", frame=pl.DataFrame(rows), categories=("no", "yes")))
    assert table["same_label"].to_list() == [0.75, 0.75, 0.5]
    assert table["majority_label"].to_list() == [1.0, 1.0, 0.5]


def test_figures_of_labels_count_the_named_raters():
    assert figures(of_raters(KRIPPENDORFF))["agreement on 'one'"].n_raters == 4
    assert figures(of_raters(KRIPPENDORFF, named=False))["agreement on 'one'"].n_raters is None
