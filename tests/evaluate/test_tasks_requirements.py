"""The framework: nine combinations with the paper's measures, nine refusals with a reason."""

import re
from itertools import product
from typing import get_args

import pytest

from similitude.errors import ArgumentError, UnknownNameError
from similitude.evaluate.tasks.requirements import (
    Cardinality,
    Information,
    Interest,
    Requirements,
    plausible_requirements,
    requirements_of_kind,
    why_implausible,
)

TABLE_3 = {
    "(1:1, all, classification)": "f1",
    "(1:1, all, value)": "pearson",
    "(1:n, all, rank)": "ndcg",
    "(1:n, all, classification)": "f1",
    "(1:n, all, value)": "pearson",
    "(1:n, k-best, value)": "hmean(ncg@10, pearson)",
    "(1:n, k-best, rank)": "ndcg@10",
    "(1:n, threshold, value)": "hmean(f1, pearson)",
    "(1:n, threshold, rank)": "hmean(f1, spearman)",
}


def test_table_3_of_the_paper():
    assert {each.name: str(each.measure) for each in plausible_requirements()} == TABLE_3


def test_the_other_nine_are_refused_with_a_remedy():
    refused = 0
    for cardinality, interest, information in product(*map(get_args, (Cardinality, Interest, Information))):
        reason = why_implausible(cardinality, interest, information)
        if reason:
            refused += 1
            assert "use " in reason
            with pytest.raises(ArgumentError, match="does not make sense"):
                Requirements(cardinality=cardinality, interest=interest, information=information)
    assert refused == 9


def test_k_and_threshold_shape_the_measure():
    top = Requirements(cardinality="1:n", interest="k-best", information="rank", k=3, dissimilar=True)
    assert str(top.measure) == "ndcg@3(reverse=true)"
    above = Requirements(cardinality="1:n", interest="threshold", information="value", threshold=4)
    assert str(above.measure) == "hmean(hmean(f1_low(border=4.0), f1_high(border=4.0)), pearson)"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": 3}, "with interest k-best only"),
        ({"interest": "k-best", "information": "rank", "k": 0}, "k of 1 or more"),
        ({"threshold": 2.0}, "give it with interest threshold or classification"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(ArgumentError, match=message):
        Requirements(**{"cardinality": "1:n", "interest": "all", "information": "value", **changes})


def test_an_unknown_word_lists_the_choices():
    with pytest.raises(UnknownNameError, match="known: 1:1, 1:n"):
        Requirements(cardinality="m:n")


def test_graded_gold_gets_the_measure_of_the_table_or_the_criterion():
    needs = Requirements(cardinality="1:n", information="classification")
    assert str(needs.measure_for(two_labels=False)) == str(needs.measure) == "f1"
    chosen = Requirements(cardinality="1:n", information="classification", criterion="f1_binary(border=3)")
    assert str(chosen.measure_for(two_labels=False)) == "f1_binary(border=3.0)"
    bare = Requirements(cardinality="1:n", information="classification", criterion="mcc")
    assert str(bare.measure_for(two_labels=True)) == "mcc"
    with pytest.raises(ArgumentError, match="criterion mcc needs gold with two labels"):
        bare.measure_for(two_labels=False)


def test_what_is_unknown_or_implausible_is_named():
    usual = {"cardinality": "1:n", "interest": "all", "information": "value"}
    for field, said in (
        ("cardinality", "cardinality"),
        ("interest", "set of interest"),
        ("information", "kind of information"),
    ):
        with pytest.raises(UnknownNameError) as caught:
            Requirements(**(usual | {field: "odd"}))
        assert re.search(rf"\b{said}\b.*odd", str(caught.value))
    assert why_implausible("1:n", "k-best", "classification").startswith("being among the k best is the class already")
    assert why_implausible("1:n", "threshold", "classification").startswith("being above the threshold is the class")
    assert why_implausible("1:1", "all", "rank").startswith("a single result has no rank")
    for information in get_args(Information):
        said = why_implausible("1:1", "threshold", information)
        assert said == "one result above or below a threshold is a class: use interest all with classification"


def test_why_a_measure_fits():
    graded = Requirements(cardinality="1:n", interest="k-best", information="rank")
    assert graded.reason == "only the first k places are seen, and the first matter most"
    assert graded.reason_for(graded.measure) == graded.reason
    learned = Requirements(cardinality="1:n", interest="threshold")
    said = "a class needs a threshold, which is learned on other folds, wherever the scores of a system lie"
    assert learned.reason_for(learned.measure_for(two_labels=True)) == said
    assert learned.reason_for(learned.measure_for(two_labels=False)) == learned.reason != said


def test_what_does_not_fit_labels_or_the_task_says_a_remedy():
    with pytest.raises(ArgumentError, match="a threshold of 2 does not fit gold with two labels; leave it out"):
        Requirements(cardinality="1:n", interest="threshold", threshold=2).measure_for(two_labels=True)
    with pytest.raises(ArgumentError, match=r"a criterion does not fit \(1:n, all, value\); give it with interest"):
        Requirements(cardinality="1:n", criterion="mcc")
    with pytest.raises(ArgumentError, match="auc learns no threshold; give f1_binary"):
        Requirements(cardinality="1:n", interest="threshold", criterion="auc")
    with pytest.raises(ArgumentError, match="criterion mcc needs gold with two labels; state above which score"):
        Requirements(cardinality="1:n", interest="threshold", criterion="mcc").measure_for(two_labels=False)
    with pytest.raises(ArgumentError, match=r"a threshold does not fit \(1:n, all, value\); give it with"):
        Requirements(cardinality="1:n", threshold=2)
    with pytest.raises(ArgumentError, match=r"\(1:1, all, rank\) does not make sense; a single result has no rank"):
        Requirements(cardinality="1:1", information="rank")
    with pytest.raises(ArgumentError, match="k = 0 does not fit; give k of 1 or more"):
        Requirements(cardinality="1:n", interest="k-best", k=0)


def test_kinds_of_task_have_their_requirements():
    names = {
        "text-reuse": "(1:1, all, classification)",
        "related": "(1:1, all, classification)",
        "deduplication": "(1:n, all, classification)",
        "find-related": "(1:n, k-best, rank)",
        "intent": "(1:n, k-best, rank)",
    }
    assert {kind: requirements_of_kind(kind).name for kind in names} == names
    assert {str(requirements_of_kind(kind).measure) for kind in ("find-related", "intent")} == {"ndcg@1"}
    assert requirements_of_kind("other") is None


def test_two_labels_and_places():
    top = Requirements(cardinality="1:n", interest="k-best", information="rank", k=3)
    assert str(top.measure_for(two_labels=True)) == "ndcg@3"
    for two_labels in (True, False):
        assert str(top.measure_for(two_labels=two_labels, within_groups=True)) == "group_ndcg@3"
    valued = Requirements(cardinality="1:n", interest="k-best", k=3)
    assert str(valued.measure_for(two_labels=False, within_groups=True)) == "hmean(group_ncg@3, pearson)"
    assert why_implausible("1:1", "all", "value") == ""
