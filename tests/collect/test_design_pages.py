from collections import Counter

import numpy as np
import polars as pl
import pytest

from similitude.collect.design import Subjects, TupleRequest, check_layout, in_pages, plan_best_worst
from similitude.errors import ArgumentError


def questions(**strata):
    """For each stratum a list of groups, one question each."""
    rows = [
        (f"{stratum}{number}", group, stratum)
        for stratum, groups in strata.items()
        for number, group in enumerate(groups)
    ]
    return pl.DataFrame(rows, schema=["question", "group", "stratum"], orient="row")


def on_pages(asked, seed=0, **options):
    return in_pages(asked, rng=np.random.default_rng(seed), **options)


def giccs() -> Subjects:
    """60 dialogues with five utterances, half of them of three turns and half of five."""
    ids = [f"d{dialogue:02}-{utterance}" for dialogue in range(60) for utterance in range(5)]
    frame = pl.DataFrame(
        {
            "id": ids,
            "condition": pl.Series([None] * 300, dtype=pl.String),
            "group": [name[:3] for name in ids],
            "turns": ["3" if int(name[1:3]) < 30 else "5" for name in ids],
        }
    )
    return Subjects(name="giccs", frame=frame)


def test_giccs_pages_have_one_dialogue_of_three_turns_and_one_of_five():
    design = plan_best_worst(giccs(), TupleRequest(size=3), by_group=True, page_strata="turns", seed=1)
    assert len(design) == 600
    assert design.judgements == 3000
    pages = design.frame.group_by("batch").agg("stratum", "group", pl.col("position").sort())
    assert pages.height == 300
    assert all(sorted(strata) == ["3", "5"] for strata in pages["stratum"])
    assert all(positions == [1, 2] for positions in pages["position"].to_list())
    assert design.frame["question"].n_unique() == 600
    # Neither stratum is always first, and a dialogue meets many others.
    assert 100 < design.frame.filter(position=1)["stratum"].to_list().count("3") < 200
    mates = {group for groups in pages["group"].to_list() if "d00" in groups for group in groups} - {"d00"}
    assert len(mates) >= 6
    assert design.guarantees is not None
    assert (design.guarantees.appearances_min, design.guarantees.together_max) == (6, 3)
    assert check_layout(design).sentences() == (
        "600 questions, each in the plan once",
        "300 pages of 2: one of each of '3', '5'",
        "no two questions of one group together",
    )


def test_a_group_in_two_strata_never_meets_itself():
    asked = questions(x=list("aabbccdd"), y=list("aabbccdd"), z=list("aabbccdd"))
    for seed in range(20):
        pages = on_pages(asked, seed).group_by("batch").agg("group")
        assert all(len(set(groups)) == 3 for groups in pages["group"].to_list())


def test_unequal_strata_are_refused_or_counted():
    asked = questions(x=list("abcdef"), y=list("ghij"))
    with pytest.raises(ArgumentError) as refusal:
        on_pages(asked)
    assert (
        "6 of 'x', 4 of 'y': pages of one each fill 4 pages, and 6 - 4 = 2 questions of 'x' are left without one of 'y'"
        in str(refusal.value)
    )
    uneven = on_pages(asked, uneven=True)
    assert uneven["question"].sort().to_list() == asked["question"].sort().to_list()
    assert Counter(uneven["batch"].value_counts()["count"].to_list()) == {2: 4, 1: 2}


def test_uneven_pages_are_said():
    subjects = giccs()
    fewer = Subjects(name="giccs", frame=subjects.frame.filter(pl.col("group") != "d00"))
    design = plan_best_worst(fewer, TupleRequest(size=3), by_group=True, page_strata="turns", uneven=True)
    assert check_layout(design).incomplete == 10
    assert "300 pages of 1 to 2: one of each of '3', '5', but 10 pages of fewer" in check_layout(design).sentences()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            questions(x=["a", "a"], y=["a", "b"]),
            "group 'a' has 3 questions, but there are 2 batches, none of which may hold two",
        ),
        (
            questions(x=["a"]).with_columns(stratum=pl.lit(None, dtype=pl.String)),
            "1 question without a stratum: 'x0'",
        ),
    ],
)
def test_impossible_pages_are_refused(asked, message):
    with pytest.raises(ArgumentError) as refusal:
        on_pages(asked)
    assert message in str(refusal.value)


def test_tuples_across_strata_cannot_be_mixed_by_them():
    with pytest.raises(ArgumentError) as refusal:
        plan_best_worst(giccs(), TupleRequest(size=3), page_strata="turns")
    assert "tuples of items that differ in turns" in str(refusal.value)
    assert "make tuples by group" in str(refusal.value)


def test_the_seed_decides():
    asked = questions(x=list("abcdef"), y=list("ghijkl"))
    assert on_pages(asked, 3).equals(on_pages(asked, 3))
    assert not on_pages(asked, 3).equals(on_pages(asked, 4))
