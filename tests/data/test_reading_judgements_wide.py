"""ratings-wide: which column is what, and which questions are asked where two readings fit."""

from __future__ import annotations

import numpy as np
import pytest

from similitude.data.judgements import Judgements
from similitude.data.reading.judgements import read_judgements
from similitude.errors import ColumnError, InputError, ScaleError
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.kappa import fleiss_kappa_of_table

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section D: 12 units, 4 observers, 7 missing values.
# Published: alpha is 0.743 (nominal), 0.815 (ordinal) and 0.849 (interval).
OBSERVERS = {
    "A": ["1", "2", "3", "3", "2", "1", "4", "1", "2", "*", "*", "*"],
    "B": ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", "*", "3"],
    "C": ["*", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", "*"],
    "D": ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", "*"],
}
NAMES = (
    "Units", "Unit", "No.", "Nr", "#", "row", "Unnamed: 0", "qid", "docid", "pair_no", "sno", "S.No", "index",
    "level_0", "rowid", "n°", "Lfd. Nr.", "line", "case", "ID", "", "some name",
)  # fmt: skip

# Fleiss (1971), Measuring nominal scale agreement among many raters, as reprinted: 10 subjects, 14 raters, 5
# categories; kappa 0.210.
FLEISS = (
    "0 0 0 0 14", "0 2 6 4 2", "0 0 3 5 6", "0 3 9 2 0", "2 2 8 1 1", "7 7 0 0 0", "3 2 6 3 0", "2 5 3 2 2",
    "6 5 2 1 0", "0 2 2 3 7",
)  # fmt: skip


def four_observers(first: str, numbers: range = range(1, 13)) -> str:
    cells = zip(*OBSERVERS.values(), strict=True)
    rows = [[str(number), *row] for number, row in zip(numbers, cells, strict=True)]
    return "\n".join(",".join(row) for row in [[first, *OBSERVERS], *rows]) + "\n"


def counts(first: str, *categories: str) -> str:
    rows = [f"{number},{','.join(row.split())}" for number, row in enumerate(FLEISS, start=1)]
    return "\n".join([",".join([first, *categories]), *rows]) + "\n"


def alphas(judgements: Judgements) -> list[float]:
    values = judgements.matrix().values
    levels = ("nominal", "ordinal", "interval")
    return [round(krippendorff_alpha(values, level, resampling=NO_INTERVALS).value, 3) for level in levels]


def table(header: str, *columns: str) -> str:
    """A table from columns that are written one after the other."""
    rows = zip(*(column.split() for column in columns), strict=True)
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


PEOPLE = "ada ben cem dan eva fay gil hal"
ITEMS = "i1 i2 i3 i4 i5 i6 i7 i8"
ONE, TWO, THREE = "1 2 3 4 5 1 2 3", "2 2 3 5 5 1 1 3", "1 2 4 4 5 2 2 3"


# --- columns that number the rows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_column_that_numbers_the_rows_is_no_rater(make_file, name):
    judgements = read_judgements(make_file("w.csv", four_observers(name)))
    assert alphas(judgements) == [0.743, 0.815, 0.849]
    assert judgements.judged == [str(number) for number in range(1, 13)]
    assert judgements.provenance.readings[0].details["rows"] == "items"


@pytest.mark.parametrize("numbers", [range(12), range(100, 112), range(12, 0, -1)])
def test_rows_may_be_numbered_from_any_number_up_or_down(make_file, numbers):
    assert alphas(read_judgements(make_file("w.csv", four_observers("some name", numbers)))) == [0.743, 0.815, 0.849]


def test_a_rater_who_counts_the_rows_is_asked_about(make_file):
    path = make_file("w.csv", four_observers("rater1"))
    with pytest.raises(
        InputError, match=r"column 'rater1' counts the rows: .*--column item=rater1 .*raters=rater1,A,B"
    ):
        read_judgements(path)
    as_number = read_judgements(path, columns={"item": "rater1", "raters": "A,B,C,D"})
    assert alphas(as_number) == [0.743, 0.815, 0.849]
    assert len(read_judgements(path, columns={"raters": "rater1,A,B,C,D"}).annotators) == 5


def test_rankings_that_count_the_rows_are_asked_about(make_file):
    path = make_file("w.csv", table("ann,bob,cem", "1 2 3 4 5", "2 1 3 5 4", "1 3 2 4 5"))
    with pytest.raises(InputError, match=r"column 'ann' counts the rows"):
        read_judgements(path)


def test_a_rater_beside_a_column_of_items_may_count_the_rows(make_file):
    judgements = read_judgements(make_file("w.csv", table("item,r1,r2", "a b c d", "1 2 3 4", "1 2 4 4")))
    assert judgements.annotators == ["r1", "r2"]


# --- columns of something else ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("seconds", "12 9 14 8 11 10 7 13"),
        ("time", "12 9 14 8 11 10 7 13"),
        ("duration_ms", "1200 900 1400 800 1100 1000 700 1300"),
        ("created_at", "2024-05-01 2024-05-02 2024-05-03 2024-05-04 2024-05-05 2024-05-06 2024-05-07 2024-05-08"),
        ("when", "10:01 10:02 10:05 10:07 10:11 10:12 10:20 10:21"),
        ("when", "1714554000 1714554100 1714554900 1714555000 1714556000 1714556100 1714556200 1714556300"),
        ("hit_id", "5 4 3 3 1 2 4 5"),
        ("sentenceId", "3 1 4 2 5 9 8 7"),
        ("source_no", "3 1 4 2 5 9 8 7"),
        ("key2", "40213 40999 41002 40017 45555 49871 40003 48888"),
        ("age", "30 41 22 25 37 29 60 33"),
        ("year", "1990 1991 2001 2002 2003 1999 1998 2004"),
        ("length", "5 4 3 3 1 2 4 5"),
        ("batch", "1 1 1 1 2 2 2 2"),
        ("conf", "0.9 0.8 0.7 0.9 0.5 0.8 0.7 0.6"),
        ("p", "0.9 0.8 0.7 0.9 0.5 0.8 0.7 0.6"),
        ("prob", "0.9 0.8 0.7 0.9 0.5 0.8 0.7 0.6"),
    ],
)
def test_a_column_of_something_else_is_no_rater(make_file, name, cells):
    judgements = read_judgements(make_file("w.csv", table(f"item,ann,bob,{name}", ITEMS, ONE, TWO, cells)))
    assert judgements.annotators == ["ann", "bob"]
    assert judgements.provenance.readings[0].unused == (name,)


@pytest.mark.parametrize(
    ("name", "cells", "what"),
    [
        ("zed", "13 26 39 52 65 78 91 100", r"column 'zed' holds 13 to 100, the other columns 1 to 5"),
        ("zed", "0.1 0.2 0.3 0.9 0.8 0.5 0.4 0.7", r"column 'zed' holds 0.1 to 0.9, the other columns 1 to 5"),
        ("zed", "1990 1991 2001 2002 2001 1999 1998 1998", r"column 'zed' holds 1990 to 2002"),
        ("zed", "3 3 3 3 3 3 3 3", r"column 'zed' holds 3 in every row: is it a rater\?"),
    ],
)
def test_a_column_unlike_the_others_is_asked_about(make_file, name, cells, what):
    path = make_file("w.csv", table(f"item,ann,bob,{name}", ITEMS, ONE, TWO, cells))
    with pytest.raises(InputError, match=what + r".*--column raters=ann,bob.*--column raters=ann,bob,zed"):
        read_judgements(path)
    assert read_judgements(path, columns={"raters": "ann,bob"}).annotators == ["ann", "bob"]
    assert read_judgements(path, columns={"raters": "ann,bob,zed"}).annotators == ["ann", "bob", "zed"]


def test_a_column_beside_those_that_are_named_like_raters_is_asked_about(make_file):
    path = make_file("w.csv", table("item,r1,r2,hardness", ITEMS, ONE, TWO, THREE))
    with pytest.raises(InputError, match=r"columns r1, r2 are named like raters, but hardness .*--column raters=r1,r2"):
        read_judgements(path)


def test_a_rater_with_one_word_is_not_left_out_in_silence(make_file):
    path = make_file("w.csv", table("item,r1,r2,r3", "a b c d", "1 2 2 3", "1 2 3 3", "2 much 3 3"))
    with pytest.raises(InputError, match=r"line 3: 'much' in column 'r3' is not a number; .*--missing CODE"):
        read_judgements(path)
    assert len(read_judgements(path, missing=["much"])) == 11


def test_one_answer_per_row_with_several_columns_of_numbers(make_file):
    path = make_file("w.csv", "annotator,item,fluency,adequacy\na,x,1,2\nb,x,2,3\na,y,3,4\n")
    with pytest.raises(ColumnError, match=r"which column is the answer: fluency, adequacy\?; .*--column value=NAME"):
        read_judgements(path)
    judgements = read_judgements(path, columns={"value": "fluency"})
    assert judgements.frame["value"].to_list() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("header", ["set,worker,rating", "item,hardness,rating"])
def test_a_column_that_is_named_like_an_answer_is_asked_about(make_file, header):
    path = make_file("w.csv", table(header, "1 2 1 2", "7 3 9 4", "5 4 3 3"))
    with pytest.raises(InputError, match=r"column 'rating' is named like an answer: .*--column value=rating"):
        read_judgements(path)


def test_tasks_of_mechanical_turk_are_items(make_file):
    judgements = read_judgements(
        make_file("l.csv", "HITId,worker,rating,timestamp\n1,a,3,1714554000\n2,b,4,1714554001\n")
    )
    assert judgements.frame.select("item", "annotator", "value").rows() == [("1", "a", 3.0), ("2", "b", 4.0)]


# --- which side the raters are on -------------------------------------------------------------------------------------


def test_columns_named_like_raters_beat_a_column_of_people(make_file):
    judgements = read_judgements(make_file("w.csv", table("Subject,Rater1,Rater2,Rater3", ITEMS, ONE, TWO, THREE)))
    assert judgements.annotators == ["Rater1", "Rater2", "Rater3"]
    assert judgements.judged == ITEMS.split()


def test_people_who_answer_questions_are_raters(make_file):
    judgements = read_judgements(make_file("w.csv", table("Subject,Q1,Q2,Q3", PEOPLE, ONE, TWO, THREE)))
    assert judgements.annotators == PEOPLE.split()
    assert judgements.provenance.readings[0].details["rows"] == "raters"


@pytest.mark.parametrize(
    "header", ["Subject,warm,quick,neat", "id,warm,quick,neat", ",warm,quick,neat", "warm,quick,neat"]
)
def test_where_names_do_not_tell_the_user_is_asked(make_file, header):
    columns = [PEOPLE, ONE, TWO, THREE][-len(header.split(",")) :]
    path = make_file("w.csv", table(header, *columns))
    flags = r"--column raters=warm,quick,neat if columns are raters, --column units=warm,quick,neat if columns are"
    with pytest.raises(InputError, match=rf"a row may be an item .* or the other way round; say {flags} items"):
        read_judgements(path)
    assert read_judgements(path, columns={"raters": "warm,quick,neat"}).annotators == ["warm", "quick", "neat"]
    assert read_judgements(path, columns={"units": "warm,quick,neat"}).judged == ["warm", "quick", "neat"]


def test_names_that_contradict_each_other_are_asked_about(make_file):
    with pytest.raises(InputError, match=r"\(column 'item' names items, but columns are named like items\)"):
        read_judgements(make_file("w.csv", table("item,q1,q2,q3", PEOPLE, ONE, TWO, THREE)))


def test_patterns_name_many_columns(make_file):
    header = ",".join(["id", *(f"set {number}" for number in range(1, 9))])
    path = make_file("w.csv", table(header, PEOPLE, *[ONE] * 4, *[TWO] * 4))
    with pytest.raises(InputError, match=r"--column 'raters=set \*'"):
        read_judgements(path)
    assert len(read_judgements(path, columns={"raters": "set *"}).annotators) == 8
    with pytest.raises(ColumnError, match=r"no column 'rater\*'"):
        read_judgements(path, columns={"raters": "rater*"})


# --- counts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["Subject", "item", "id", ""])
def test_rows_that_add_up_to_the_same_are_asked_about(make_file, first):
    path = make_file("f.csv", counts(first, "1", "2", "3", "4", "5"))
    with pytest.raises(InputError, match=r"every row adds up to 14: .*--kind counts, or --column raters=1,2,3,4,5"):
        read_judgements(path)


def test_counts_become_answers_without_names(make_file):
    judgements = read_judgements(make_file("f.csv", counts("Subject", "1", "2", "3", "4", "5")), kind="counts")
    assert (judgements.kind, len(judgements), judgements.annotators, str(judgements.scale)) == (
        "rating",
        140,
        [],
        "1..5",
    )
    tally = judgements.frame.pivot("value", index="item", values="value", aggregate_function="len").fill_null(0)
    again = tally.select("1.0", "2.0", "3.0", "4.0", "5.0").to_numpy()
    assert round(fleiss_kappa_of_table(again.astype(np.float64), resampling=NO_INTERVALS).value, 3) == 0.210
    assert judgements.provenance.readings[0].details["people"] == "unnamed"


def test_counts_of_words_are_categories_in_the_order_of_columns(make_file):
    names = ("depression", "setality", "schizophrenia", "neurosis", "other")
    judgements = read_judgements(make_file("f.csv", counts("Subject", *names)), kind="counts")
    assert (judgements.kind, judgements.categories, len(judgements)) == ("category", names, 140)
    ordered = read_judgements(make_file("f.csv", counts("Subject", *names)), kind="counts", categories=names)
    assert (ordered.kind, str(ordered.scale)) == ("rating", "0..4")


def test_counts_are_whole_numbers(make_file):
    path = make_file("f.csv", "item,yes,no\nx,3,0.5\ny,2,1\n")
    with pytest.raises(InputError, match=r"f.csv, line 2: column 'no' holds '0.5', which is no number of answers"):
        read_judgements(path, kind="counts")


def test_a_table_of_ratings_may_add_up_if_its_columns_are_raters(make_file):
    assert len(read_judgements(make_file("w.csv", "item,r1,r2\na,1,4\nb,2,3\nc,3,2\n"))) == 6


# --- codes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["-1", "99", "9"])
def test_a_code_for_no_answer_is_asked_about(make_file, code):
    path = make_file("w.csv", table("item,r1,r2,r3", ITEMS, ONE, TWO, THREE.replace("4 4", f"4 {code}")))
    with pytest.raises(ScaleError, match=rf"w.csv, line 5: rating {code} \(1 of 24\) .*--missing {code}; if not"):
        read_judgements(path)
    judgements = read_judgements(path, missing=[code])
    assert (len(judgements), str(judgements.scale)) == (23, "1..5")
    assert judgements.provenance.readings[0].missing == {code: 1}
    assert f"w.csv: 1 answer is '{code}', which means that there is none; left out" in judgements.provenance.notes
