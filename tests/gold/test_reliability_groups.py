import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.groups import compare_groups, divergence_as_groups_join, group_opinions, groups_of


def made(groups, *, pairs=None) -> Judgements:
    """group -> item -> ratings; ``pairs`` gives items a group of their own (one pair in two languages)."""
    rows = [
        (item, f"{group}/{place}", group, value)
        for group, items in groups.items()
        for item, values in items.items()
        for place, value in enumerate(values)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "group", "value"], orient="row")
    items = None
    if pairs:
        items = pl.DataFrame({"id": list(pairs), "group": list(pairs.values())}).with_columns(left=pl.lit("x"))
    return Judgements(name="made", frame=frame, scale=Scale(low=0, high=5), items=items)


ZH, EN, GU = {"a": [0.0, 2.0], "b": [1.0, 3.0]}, {"a": [0.0, 4.0], "b": [1.0, 1.0]}, {"a": [2.0, 2.0], "b": [0.0, 4.0]}
HAND = made({"zh": ZH, "en": EN, "gu": GU})


def test_opinions_are_points_of_mean_and_sigma():
    assert groups_of(HAND) == ["zh", "en", "gu"]
    points = group_opinions(HAND)
    assert points.columns == ["item", "group", "ratings", "mean", "sigma"]
    assert points.filter(pl.col("group") == "en").rows() == [("a", "en", 2, 2.0, 2.0), ("b", "en", 2, 1.0, 0.0)]


def test_differences_by_hand():
    # en - zh: means 2 - 1 and 1 - 2; sigmas 2 - 1 and 0 - 1; KL on a alone: ln 2 + 2/8 - 1/2
    en, gu = compare_groups(HAND)
    assert (en.group, en.reference, en.items, en.dropped) == ("en", "zh", 2, 1)
    assert en.mean_difference.value == 0.0
    assert en.sigma_difference.value == 0.0
    assert en.kl.value == pytest.approx(np.log(2) - 0.25)
    # gu - zh: means 2 - 1 and 2 - 2
    assert gu.mean_difference.value == 0.5


def test_reference_can_be_chosen():
    assert [found.group for found in compare_groups(HAND, reference="en", resampling=NO_INTERVALS)] == ["zh", "gu"]
    with pytest.raises(ArgumentError, match="groups there: zh, en, gu"):
        compare_groups(HAND, reference="fr")


def test_groups_join_one_after_the_other():
    table = divergence_as_groups_join(HAND)
    assert table["joined"].to_list() == ["en", "gu"]
    assert table["ratings"].to_list() == [2.0, 4.0]
    # With gu: a (0, 4, 2, 2) -> N(2, sqrt 2), b (1, 1, 0, 4) -> N(1.5, 1.5)
    a = 0.5 * np.log(2) + 2 / 4 - 0.5
    b = np.log(1.5) + (1 + 0.25) / (2 * 2.25) - 0.5
    assert table["kl"].to_list() == pytest.approx([np.log(2) - 0.25, (a + b) / 2])
    assert table["dropped"].to_list() == [1, 0]


def test_two_languages_of_one_pair_are_matched_by_its_group():
    pairs = {"a-zh": "a", "b-zh": "b", "a-en": "a", "b-en": "b"}
    zh = {f"{item}-zh": values for item, values in ZH.items()}
    en = {f"{item}-en": values for item, values in EN.items()}
    (found,) = compare_groups(made({"zh": zh, "en": en}, pairs=pairs))
    assert found.items == 2
    assert found.kl.value == pytest.approx(np.log(2) - 0.25)
    with_items = compare_groups(made({"zh": zh, "en": en}, pairs=pairs), match="item")[0]
    assert with_items.mean_difference.reason == "no item has two ratings from each group"


def test_no_groups_and_one_group_are_refused():
    nobody = Judgements(name="made", frame=HAND.frame.with_columns(group=pl.lit(None, pl.String)))
    with pytest.raises(ArgumentError, match="no rater belongs to a group"):
        compare_groups(nobody)
    with pytest.raises(ArgumentError, match="only one group of raters, 'zh'"):
        compare_groups(made({"zh": ZH}))


def test_small_groups_look_more_united_unless_ddof_is_1():
    # Both groups draw from N(2.5, 0.5); 4 raters against 19
    rng = np.random.default_rng(3)
    many = {str(i): rng.normal(2.5, 0.5, 19).tolist() for i in range(400)}
    few = {str(i): rng.normal(2.5, 0.5, 4).tolist() for i in range(400)}
    both = made({"many": many, "few": few})
    plain, unbiased = (
        compare_groups(both, ddof=ddof, resampling=Resampling(rng=rng))[0].sigma_difference for ddof in (0, 1)
    )
    assert plain.high < 0
    assert abs(unbiased.value) < abs(plain.value) / 2
    mean = compare_groups(both, resampling=Resampling(rng=rng))[0].mean_difference
    assert mean.low < 0 < mean.high
