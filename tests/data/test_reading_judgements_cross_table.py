"""Cross tables of the answers of two raters."""

import pytest

from similitude.data.addresses import open_judgements
from similitude.errors import ArgumentError, InputError
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.bootstrap import NO_INTERVALS

WORDS = "abstractor,Ectopic,AIU,NIU\nEctopic,13,0,0\nAIU,0,20,7\nNIU,0,4,56\n"
NUMBERS = "Ann / Bob,1,2,3,Total\n1,13,0,0,13\n2,0,20,7,27\n3,0,4,56,60\nTotal,13,24,63,100\n"


def read(tmp_path, text, **options):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return open_judgements(path, **options)


def figures(judgements):
    return {figure.name: figure.estimate.value for figure in agreement_figures(judgements, resampling=NO_INTERVALS)}


def test_words(tmp_path):
    found = read(tmp_path, WORDS, kind="table")
    assert (found.kind, len(found), len(found.judged)) == ("category", 200, 100)
    assert found.annotators == ["rows", "columns"]
    assert found.categories == ("Ectopic", "AIU", "NIU")
    assert found.provenance.notes[0] == (
        "table.csv: read as a cross table of two raters; 100 items in Ectopic, AIU, NIU"
    )
    # The row is the first rater's: 27 AIU, of whom the second calls 7 NIU; the columns have 24.
    counts = found.frame.group_by("annotator", "value").len().sort("annotator", "value").rows()
    assert counts == [
        ("columns", 0.0, 13), ("columns", 1.0, 24), ("columns", 2.0, 63),
        ("rows", 0.0, 13), ("rows", 1.0, 27), ("rows", 2.0, 60),
    ]  # fmt: skip
    assert figures(found)["Cohen's kappa"] == pytest.approx(0.7964094, abs=5e-8)


def test_numbers_are_ratings_and_totals_are_left_out(tmp_path):
    found = read(tmp_path, NUMBERS, kind="table")
    assert (found.kind, len(found.judged), found.annotators) == ("rating", 100, ["Ann", "Bob"])
    assert found.provenance.notes[0].endswith("100 items in 1, 2, 3; left out: Total")
    assert figures(found)["Cohen's weighted kappa, quadratic weights"] == pytest.approx(0.8921569, abs=5e-8)


def test_an_order_makes_words_ratings(tmp_path):
    found = read(tmp_path, WORDS, kind="table", categories=["Ectopic", "AIU", "NIU"])
    assert figures(found)["Gwet's AC2, quadratic weights"] == pytest.approx(0.9402369, abs=5e-8)


def test_rows_in_another_order_and_case_are_the_same_categories(tmp_path):
    turned = "x,ectopic,niu,aiu\nNIU,0,56,4\nAIU,0,7,20\nEctopic,13,0,0\n"
    assert figures(read(tmp_path, turned, kind="table"))["Cohen's kappa"] == pytest.approx(0.7964094, abs=5e-8)


def test_names_of_raters_before_the_categories(tmp_path):
    found = read(tmp_path, ",B: yes,B: no\nA: yes,20,5\nA: no,10,15\n", kind="table")
    assert found.categories == ("yes", "no")
    # Cohen (1960) by hand: (.7 - .5) / .5.
    assert figures(found)["Cohen's kappa"] == pytest.approx(0.4)


def test_a_category_called_all_is_no_total(tmp_path):
    found = read(tmp_path, "x,none,some,all\nnone,9,1,0\nsome,2,8,3\nall,0,1,7\n", kind="table")
    assert found.categories == ("none", "some", "all")
    assert len(found) == 2 * 31


@pytest.mark.parametrize("text", [WORDS, NUMBERS])
def test_without_the_flag_two_readings_are_refused(tmp_path, text):
    with pytest.raises(InputError, match=r"--kind table for a cross table of two raters"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x,yes,no\nyes,3,1\nmaybe,1,2\n", "maybe, no differ.*--kind counts"),
        ("x,yes,no\nyes,3,1\nno,1,2\nno,1,2\n", "each of two or more categories once"),
        ("x,yes,no\nyes,3,1\nno,1.5,2\n", r"line 3: column 'yes' holds '1.5', which is no number of items"),
        ("x,yes,no\nyes,3,-1\nno,1,2\n", "line 2: column 'no' holds '-1'"),
        ("x,yes,no\nyes,3,1\nno,,2\n", "line 3: column 'yes'"),
        ("x,yes,no\nyes,0,0\nno,0,0\n", "the cells count 0 items"),
    ],
)
def test_refusals(tmp_path, text, why):
    with pytest.raises(InputError, match=why):
        read(tmp_path, text, kind="table")


def test_unknown_kind(tmp_path):
    with pytest.raises(ArgumentError, match="tabel"):
        read(tmp_path, WORDS, kind="tabel")
