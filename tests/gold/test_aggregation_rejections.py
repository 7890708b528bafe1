"""Verifications: items that most annotators reject are left out of gold, and it is said."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.errors import InputError
from similitude.gold.aggregation import accept_items, aggregate_judgements, make_gold
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.split_half import Halving

TEXTS = pl.DataFrame({"id": list("abcd"), "left": list("wxyz"), "right": list("WXYZ")})
ROWS = [
    ("x", "a", True, 3.0), ("y", "a", True, 4.0), ("z", "a", False, None),
    ("x", "b", False, None), ("y", "b", False, None), ("z", "b", True, 1.0),
    ("x", "c", True, 2.0), ("y", "c", False, None),
    ("x", "d", True, 5.0), ("y", "d", True, 5.0), ("z", "d", True, 4.0),
]  # fmt: skip


def verified(rows=ROWS, items=TEXTS):
    schema = {"annotator": pl.String, "item": pl.String, "applies": pl.Boolean, "value": pl.Float64}
    return Judgements(name="made", frame=pl.DataFrame(rows, schema=schema, orient="row"), items=items)


def test_items_that_most_reject_are_left_out_counted_and_listed():
    found = aggregate_judgements(verified(), "mean")
    assert found.frame["id"].to_list() == ["a", "c", "d"]
    assert found.frame["applies_share"].to_list() == pytest.approx([2 / 3, 1 / 2, 1])
    assert found.rejected.rows() == [("b", pytest.approx(1 / 3), 3)]
    assert found.notes[:2] == (
        "1 item that most annotators reject is left out of gold (--keep-rejected keeps): b",
        "1 item that half of the annotators reject is kept: c",
    )


def test_rejected_items_can_be_kept_with_their_share():
    found = aggregate_judgements(verified(), "mean", keep_rejected=True)
    assert found.frame.select("id", "score").rows() == [
        ("a", 3.5),
        ("b", 1.0),
        ("c", 2.0),
        ("d", pytest.approx(14 / 3)),
    ]
    assert found.frame["applies_share"][1] == pytest.approx(1 / 3)
    assert found.notes[0] == "1 item that most annotators reject is kept: b"


@pytest.mark.parametrize(("keep", "ids"), [(False, ["a", "c", "d"]), (True, ["a", "b", "c", "d"])])
def test_the_benchmark_leaves_them_out_and_records_it(keep, ids):
    benchmark = make_gold(verified(), keep_rejected=keep)
    assert benchmark.frame["id"].to_list() == ids
    done = "kept" if keep else "left out of gold (--keep-rejected keeps)"
    assert f"1 item that most annotators reject is {done}: b" in benchmark.provenance.notes


def test_the_last_answer_decides_what_is_rejected():
    changed = [*ROWS, ("x", "b", True, 2.0)]
    assert aggregate_judgements(verified(changed), "mean").rejected.is_empty()


def test_unnamed_rejections_all_count():
    rows = [(None, "a", False, None), (None, "a", False, None), (None, "a", True, 1.0), (None, "d", True, 2.0)]
    assert accept_items(verified(rows)).rejected["item"].to_list() == ["a"]


def test_ratings_that_were_not_verified_are_left_alone():
    rows = [("x", "a", None, 1.0), ("y", "a", None, 3.0)]
    accepted = accept_items(verified(rows))
    assert accepted.shares is None
    assert "applies_share" not in aggregate_judgements(verified(rows)).frame.columns


def test_all_items_rejected():
    rows = [("x", "a", False, None), ("y", "a", False, None)]
    with pytest.raises(InputError, match=r"reject every item.*--keep-rejected"):
        make_gold(verified(rows, TEXTS.head(1)))
    assert [figure.name for figure in agreement_figures(verified(rows, None))] == [
        "applies: Krippendorff's alpha, nominal",
        "applies: percent agreement",
        "applies: Fleiss' kappa",
        "applies: Cohen's kappa",
        "applies: Gwet's AC1",
        "applies: Brennan-Prediger",
        "applies: mean share",
    ]
    assess(verified(rows, None), resamples=0)


def test_rejections_have_their_own_agreement():
    found = {figure.name: figure.estimate.value for figure in agreement_figures(verified(), resampling=NO_INTERVALS)}
    # 11 answers, 7 yes and 4 no; pairs that differ / (n - 1): a 4/2, b 4/2, c 2/1, d 0, sum 6; expected 2 * 7 * 4 / 10.
    assert found["applies: Krippendorff's alpha, nominal"] == pytest.approx(1 - 6 / 5.6)
    assert found["applies: mean share"] == pytest.approx(np.mean([2 / 3, 1 / 3, 1 / 2, 1]))


def test_the_assessment_lists_rejections():
    record = assess(verified(), resamples=0, halving=Halving(repeats=2)).record()
    assert [row["item"] for row in record["rejected"]] == ["b"]
    assert len(record["applies"]) == 4
