import bz2
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation import make_aggregation

RUDDIT = Path(__file__).parents[2] / "evidence" / "ruddit"
REFERENCE = Path(__file__).parents[1] / "reference" / "best_worst_hand.json"
RNG = np.random.default_rng(0)


def answers(*rows: tuple[str, str, str], annotators: list[str] | None = None) -> Judgements:
    table = {"items": [list(i) for i, _, _ in rows], "best": [b for _, b, _ in rows], "worst": [w for *_, w in rows]}
    return Judgements(name="made", frame=pl.DataFrame(table | ({"annotator": annotators} if annotators else {})))


def count(judgements: Judgements, written: str = "counting"):
    return make_aggregation(written).aggregate(judgements, RNG)


def published(table: str) -> pl.DataFrame:
    return pl.read_csv(bz2.decompress((RUDDIT / f"{table}.csv.bz2").read_bytes()))


@pytest.fixture(scope="module")
def ruddit() -> Judgements:
    raw = published("Ruddit_individual_annotations")
    items = pl.concat_list("Item1", "Item2", "Item3", "Item4")
    return Judgements(name="ruddit", frame=raw.select(items=items, best="BestItem", worst="WorstItem"))


def test_all_published_scores_of_ruddit_to_three_decimals(ruddit: Judgements):
    counted = count(ruddit)
    both = published("Ruddit").join(counted.frame, left_on="comment_id", right_on="id", how="left")
    assert both.height == 6000
    assert both["score"].null_count() == 0
    # half a unit of the third decimal, with room for halves that were rounded the other way
    assert (both["score"] - both["offensiveness_score"]).abs().max() <= 0.0005 + 1e-9
    assert counted.notes == (
        "557 answers with the same item as best and as worst: counted as both",
        "3,455 answers about a tuple that repeats an item: counted once for each appearance",
    )


def test_the_reference_worked_by_hand():
    expected = json.loads(REFERENCE.read_text())["hand_example"]
    rows = [("".join(row["items"]), row["best"], row["worst"]) for row in expected["annotations"]]
    for written, name in (("counting", "score_minus1_1"), ("counting(normalised=true)", "score_0_1")):
        frame = count(answers(*rows), written).frame
        assert dict(frame.select("id", "score").iter_rows()) == pytest.approx(expected[name], abs=1e-12)
        assert dict(frame.select("id", "answers").iter_rows()) == expected["n"]
        for column in ("best", "worst"):
            named = dict(frame.filter(pl.col(column) > 0).select("id", column).iter_rows())
            assert named == expected[column]


def test_standard_errors_by_hand():
    # a: 1, 1, 0, -1 over four appearances: mean 1/4, variance (3 - 4/16) / 3, over 4
    made = answers(("ab", "a", "b"), ("ab", "a", "b"), ("abc", "b", "c"), ("ab", "b", "a"))
    for written, size in (("counting", 1), ("counting(normalised=true)", 0.5)):
        row = count(made, written).frame.row(0, named=True)
        assert row["standard_error"] == pytest.approx(size * np.sqrt((3 - 4 / 16) / 3 / 4), abs=1e-12)


def test_one_appearance_has_no_standard_error():
    assert count(answers(("ab", "a", "b"))).frame["standard_error"].to_list() == [None, None]


def test_scales():
    made = answers(("ab", "a", "b"))
    assert str(count(made).scale) == "-1..1"
    assert str(count(made, "counting(normalised=true)").scale) == "0..1"


def test_ten_thousand_copies_of_one_answer_count_once():
    made = answers(*[("abc", "a", "c")] * 10_000, ("abc", "b", "c"), annotators=["x"] * 10_000 + ["y"])
    counted = count(made)
    assert counted.frame["score"].to_list() == [0.5, 0.5, -1.0]
    assert counted.notes == ("9,999 answers are followed by a later one of the same annotator; the last one counts",)


def test_copies_of_unnamed_annotators_all_count():
    assert count(answers(*[("abc", "a", "c")] * 3, ("abc", "b", "c"))).frame["best"].to_list() == [3, 1, 0]


def test_an_answer_outside_its_tuple_is_refused():
    with pytest.raises(InputError, match=r"1 answer that is not among the items shown.*best 'z'.*shown a, b"):
        count(answers(("ab", "z", "a"), ("ab", "a", "b")))


def test_a_missing_answer_is_refused():
    with pytest.raises(InputError, match="best 'None'"):
        count(answers(("ab", None, "a")))


def test_ratings_are_refused_with_what_is_for_them():
    rated = Judgements(name="made", frame=pl.DataFrame({"item": ["a"], "value": [1.0]}))
    with pytest.raises(
        ArgumentError, match="'counting' is for best-worst answers, and these are rating answers; use one of mean"
    ):
        count(rated)
