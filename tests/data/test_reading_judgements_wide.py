"""ratings-wide: which column is what, and which questions are asked where two readings fit."""

from __future__ import annotations

import numpy as np
import pytest

from similitude.data.judgements import Judgements
from similitude.data.reading.judgements import read_judgements
from similitude.errors import ColumnError, FormatError, InputError, ScaleError
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.kappa import fleiss_kappa_of_table

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section D: 12 units, 4 observers, 7 missing values.
# Published: alpha is 0.743 (nominal), 0.815 (ordinal) and 0.849 (interval).
OBSERVERS = {
    "coder_A": ["1", "2", "3", "3", "2", "1", "4", "1", "2", "*", "*", "*"],
    "coder_B": ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", "*", "3"],
    "coder_C": ["*", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", "*"],
    "coder_D": ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", "*"],
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


def test_a_rater_may_count_the_rows(make_file):
    judgements = read_judgements(make_file("w.csv", table("item,rater1,rater2", "a b c d", "1 2 3 4", "1 2 4 4")))
    assert judgements.annotators == ["rater1", "rater2"]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("seconds", "12 9 14 8 11 10 7 13"),
        ("when", "10:01 10:02 10:05 10:07 10:11 10:12 10:20 10:21"),
        ("created_at", "2024-05-01 2024-05-02 2024-05-03 2024-05-04 2024-05-05 2024-05-06 2024-05-07 2024-05-08"),
        ("key2", "40213 40999 41002 40017 45555 49871 40003 48888"),
        ("age", "30 41 22 25 37 29 60 33"),
        ("gold", "1 2 2 5 5 1 1 3"),
        ("mean", "1.5 2 3 4.5 5 1 1.5 3"),
    ],
)
def test_a_column_of_something_else_is_not_used(make_file, name, cells):
    judgements = read_judgements(make_file("w.csv", table(f"item,rater1,rater2,{name}", ITEMS, ONE, TWO, cells)))
    assert judgements.annotators == ["rater1", "rater2"]
    assert judgements.provenance.readings[0].unused == (name,)


def test_a_rater_with_one_word_is_not_left_out_in_silence(make_file):
    path = make_file("w.csv", table("item,rater1,rater2,rater3", "a b c d", "1 2 2 3", "1 2 3 3", "2 much 3 3"))
    with pytest.raises(InputError, match=r"line 3: 'much' in column 'rater3' is not a number; .*--missing CODE"):
        read_judgements(path)
    assert len(read_judgements(path, missing=["much"])) == 11


def test_one_answer_per_row_with_several_columns_of_numbers(make_file):
    path = make_file("w.csv", "annotator,item,fluency,adequacy\na,x,1,2\nb,x,2,3\na,y,3,4\n")
    with pytest.raises(FormatError, match=r"fluency \('1', '2'\), adequacy \('2', '3'\); .*--column value=NAME"):
        read_judgements(path)
    judgements = read_judgements(path, columns={"value": "fluency"})
    assert judgements.frame["value"].to_list() == [1.0, 2.0, 3.0]


def test_tasks_of_mechanical_turk_are_items(make_file):
    judgements = read_judgements(
        make_file("l.csv", "HITId,worker,rating,timestamp\n1,a,3,1714554000\n2,b,4,1714554001\n")
    )
    assert judgements.frame.select("item", "annotator", "value").rows() == [("1", "a", 3.0), ("2", "b", 4.0)]


def test_patterns_name_many_columns(make_file):
    header = ",".join(["id", *(f"set {number}" for number in range(1, 9))])
    path = make_file("w.csv", table(header, PEOPLE, *[ONE] * 4, *[TWO] * 4))
    assert len(read_judgements(path, columns={"raters": "set *"}).annotators) == 8
    with pytest.raises(ColumnError, match=r"no column 'rater\*'"):
        read_judgements(path, columns={"raters": "rater*"})


# --- counts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["Subject", "item", "id", ""])
def test_counts_are_declared(make_file, first):
    path = make_file("f.csv", counts(first, "1", "2", "3", "4", "5"))
    with pytest.raises(InputError, match=r"not recognised.*--kind counts"):
        read_judgements(path)


def test_a_column_that_may_name_the_items_or_count_is_asked_about(make_file):
    path = make_file("f.csv", counts("Subject", "1", "2", "3", "4", "5"))
    with pytest.raises(InputError, match=r"column 'Subject' holds another number in every row.*--column item=NAME"):
        read_judgements(path, kind="counts")
    for said in ({"item": "Subject"}, {"raters": "1,2,3,4,5"}):
        assert len(read_judgements(path, kind="counts", columns=said)) == 140


@pytest.mark.parametrize("names", [("N", "P", "score", "time", "no"), ("mean", "gold", "source", "id2", "confidence")])
def test_counts_count_under_any_name(make_file, names):
    judgements = read_judgements(make_file("f.csv", counts("item", *names)), kind="counts")
    assert (judgements.categories, len(judgements)) == (names, 140)


def test_a_total_is_no_category(make_file):
    path = make_file("f.csv", "item,yes,no,all\na,3,1,4\nb,2,5,7\n")
    with pytest.raises(InputError, match=r"column 'all' is the sum of the others in every row.*--column raters=A,B,C"):
        read_judgements(path, kind="counts")
    assert len(read_judgements(path, kind="counts", columns={"raters": "yes,no"})) == 11


def test_counts_become_answers_without_names(make_file):
    judgements = read_judgements(make_file("f.csv", counts("item", "1", "2", "3", "4", "5")), kind="counts")
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
    judgements = read_judgements(make_file("f.csv", counts("item", *names)), kind="counts")
    assert (judgements.kind, judgements.categories, len(judgements)) == ("category", names, 140)
    ordered = read_judgements(make_file("f.csv", counts("item", *names)), kind="counts", categories=names)
    assert (ordered.kind, str(ordered.scale)) == ("rating", "0..4")


def test_counts_are_whole_numbers(make_file):
    path = make_file("f.csv", "item,yes,no\nx,3,0.5\ny,2,1\n")
    with pytest.raises(InputError, match=r"f.csv, line 2: column 'no' holds '0.5', which is no number of answers"):
        read_judgements(path, kind="counts")


def test_a_table_of_ratings_may_add_up_if_its_columns_are_raters(make_file):
    assert len(read_judgements(make_file("w.csv", "item,rater1,rater2\na,1,4\nb,2,3\nc,3,2\n"))) == 6


# --- codes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["-1", "99", "9"])
def test_a_code_for_no_answer_is_asked_about(make_file, code):
    path = make_file("w.csv", table("item,rater1,rater2,rater3", ITEMS, ONE, TWO, THREE.replace("4 4", f"4 {code}")))
    with pytest.raises(ScaleError, match=rf"w.csv, line 5: rating {code} \(1 of 24\) .*--missing {code}; if not"):
        read_judgements(path)
    judgements = read_judgements(path, missing=[code])
    assert (len(judgements), str(judgements.scale)) == (23, "1..5")
    assert judgements.provenance.readings[0].missing == {code: 1}
    assert f"w.csv: 1 answer is '{code}', which means that there is none; left out" in judgements.provenance.notes
