"""Codes for missing scores, running numbers and scales: refused, or read as the user says."""

import re

import numpy as np
import pytest

import similitude as sim
from similitude.data.reading.codes import is_running_number, suspicious_code
from similitude.errors import ArgumentError, InputError, ScaleError

PAIRS = [("a cat", "one cat"), ("a dog", "a car"), ("tea", "hot tea"), ("rain", "sun"), ("a b", "a c"), ("x", "y")]


def csv(scores, header="id,left,right,score"):
    rows = [f"{n},{PAIRS[n % 6][0]} {n},{PAIRS[n % 6][1]} {n},{score}" for n, score in enumerate(scores)]
    return "\n".join([header, *rows]) + "\n"


def read(make_file, scores, **options):
    return sim.read(make_file("pairs.csv", csv(scores)), **options)


# Values, and the code that must be found among them.
CODES = {
    "hidden labels": ([3.0, -1.0, 4.5, 0.0], -1.0),
    "hidden binary labels": ([0.0, 1.0, -1.0, 1.0], -1.0),
    "99 on 1..5": ([1.0, 5.0, 3.0, 99.0], 99.0),
    "999 on 0..100": ([0.0, 55.0, 100.0, 80.0, 999.0], 999.0),
    "9 on 1..5": ([1, 2, 3, 4, 5, 5, 4, 3, 2, 9], 9.0),
    "-9": ([1.0, 2.0, -9.0], -9.0),
    "a slip of the keyboard": ([1.0, 2.0, 4.0, 1e26], 1e26),
    "-1..1": ([-1.0, -0.5, 0.3, 1.0], None),
    "-3..3": ([-3.0, -1.0, 0.0, 2.0, 3.0], None),
    "0..10": ([0, 1, 2, 3, 4, 5, 6, 7, 9, 9], None),
    "0..100": ([0.0, 3.0, 99.0, 100.0], None),
    "0..100 with one 99": ([10.0, 20.0, 55.0, 99.0], None),
    "0..5": ([0.0, 5.0, 2.4], None),
    "one value": ([-1.0, -1.0], None),
}


@pytest.mark.parametrize(("values", "code"), CODES.values(), ids=CODES)
def test_a_code_is_told_from_a_score(values, code):
    assert suspicious_code(np.array(values, dtype=float)) == code


@pytest.mark.parametrize(
    ("values", "running"),
    [([1, 2, 3, 4], True), ([0, 1, 2, 3], True), ([9, 8, 7, 6], True), ([1, 2, 3], False), ([1, 2, 2, 3], False)],
)
def test_a_running_number_counts_the_rows(values, running):
    assert is_running_number(np.array(values, dtype=float)) is running


THOUSANDS = {"points": ["500", "1.500", "2.000"], "commas": ["500", '"1,500"', '"2,000"']}


@pytest.mark.parametrize("written", THOUSANDS.values(), ids=THOUSANDS)
def test_thousands_are_not_read_as_decimals(make_file, written):
    options = {"decimal": ","} if '"' in written[1] else {}
    shown = written[1].strip('"').replace(".", r"\.")
    what = rf"pairs\.csv, line 3: {shown} beside 500: thousands, or a number with three decimals\?; .*scale="
    with pytest.raises(InputError, match=what):
        read(make_file, written, **options)
    assert read(make_file, written, scale="0..1000", **options).gold.scores.tolist() == [500.0, 1.5, 2.0]


@pytest.mark.parametrize(
    "written",
    [["66.667", "33.333", "100"], ["0.500", "120.500", "500"], ["1.5", "120.500", "500"], ["1.500", "2.000"],
     ["20.500", "1500", "500"], ["4.333", "2", "5"]],
)  # fmt: skip
def test_what_cannot_be_thousands_is_read_as_decimals(make_file, written):
    assert read(make_file, written).gold.scores.tolist() == [float(score) for score in written]


def test_a_code_among_scores_stops_and_names_both_flags(make_file):
    what = r"pairs\.csv, line 3: 2 rows have -1 in column 'score', but all other values lie within 1\.\.5; "
    with pytest.raises(ScaleError, match=what + r".*missing=\['-1'\]; if not: scale='-1\.\.5'"):
        read(make_file, [1, -1, 5, 2.5, -1])


@pytest.mark.parametrize("code", ["-1", "-1.0"])
def test_a_code_that_the_user_names_hides_gold(make_file, code):
    benchmark = read(make_file, [1, -1, 5, 2.5, -1], missing=[code])
    assert benchmark.gold.scores.tolist() == pytest.approx([1, np.nan, 5, 2.5, np.nan], nan_ok=True)
    assert str(benchmark.scale) == "1..5"
    assert benchmark.provenance.readings[0].missing == {"-1": 2}
    assert "2 of 5 items have no gold" in benchmark.provenance.notes[-2] + benchmark.provenance.notes[-1]


def test_a_declared_scale_may_hold_the_number(make_file):
    assert read(make_file, [1, -1, 5], scale="-1..5").gold.scores.tolist() == [1, -1, 5]


def test_a_word_for_missing_is_named_in_the_remedy(make_file):
    with pytest.raises(InputError, match=r"line 3: 'NA' in column 'score' is not a number; .*missing=\['NA'\]"):
        read(make_file, [1, "NA", 5])
    assert read(make_file, [1, "NA", 5], missing=["NA"]).frame["score"].null_count() == 1


def test_decimal_commas(make_file):
    path = make_file("pairs.csv", "left;right;score\na;b;3,5\nc;d;1\ne;f;0,25\n")
    with pytest.raises(InputError, match=r"line 2: '3,5' in column 'score' is not a number .*decimal=','"):
        sim.read(path)
    assert sim.read(path, decimal=",").frame["score"].to_list() == [3.5, 1.0, 0.25]


def test_a_decimal_point_among_decimal_commas_is_refused(make_file):
    path = make_file("pairs.csv", "left;right;score\na;b;3,5\nc;d;1.500\n")
    with pytest.raises(InputError, match=r"line 3: '1\.500' in column 'score' is not a number"):
        sim.read(path, decimal=",")


def test_row_numbers_are_no_scores(make_file):
    with pytest.raises(
        InputError, match=r"'score' numbers the rows, so it holds no scores; .*columns={'score': 'NAME'}"
    ):
        read(make_file, range(1, 13))
    assert read(make_file, range(1, 13), columns={"score": "score"}).frame["score"].max() == 12


@pytest.mark.parametrize("ids", [[1, 2, 3, 4], [0, 1, 2, 3], [5, 3, 1, 4]])
def test_ids_in_front_of_two_texts_are_no_scores(make_file, ids):
    rows = "".join(f"{n}\tthe text {n}\tanother {n}\n" for n in ids)
    with pytest.raises(
        InputError, match=r"ids, or scores\?; say which column is what: header=False columns={'left': 'NUMBER'"
    ):
        sim.read(make_file("pairs.tsv", rows))


# Scores, and the scale that is inferred from them.
SCALES = {
    "0..4": ([0, 1, 2, 3, 4] * 3, "0..4"),
    "1..4": ([1, 2, 3, 4] * 3, "1..4"),
    "0..3": ([0, 1, 2, 3] * 3, "0..3"),
    "1..6": ([1, 6, 3.5, 4] * 3, "1..6"),
    "means on 1..5": ([1.2, 4.8, 3.3] * 4, "1..5"),
    "too few to tell": ([4, 2.5, 1], "1..5"),
    "0..1": ([0.2, 1.0, 0.4] * 4, "0..1"),
    "-1..1": ([-0.5, 0.75, 0.4] * 4, "-1..1"),
}


@pytest.mark.parametrize(("scores", "scale"), SCALES.values(), ids=SCALES)
def test_an_inferred_scale_ends_where_the_scores_end(make_file, scores, scale):
    benchmark = read(make_file, scores)
    assert (str(benchmark.scale), benchmark.scale.origin) == (scale, "inferred")


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_an_inferred_scale_stays_inferred_when_it_is_written(make_file, tmp_path, suffix):
    from similitude.data.writing.benchmark import write

    once = read(make_file, [0, 1, 2, 3, 4] * 3)
    again = sim.read(write(once, tmp_path / f"again.{suffix}"))
    assert (str(again.scale), again.scale.origin) == ("0..4", "inferred")


def test_several_files_keep_their_names_as_source(make_file):
    paths = [make_file(name, csv([1, 2, 5])) for name in ("news.csv", "forum.csv")]
    assert sim.read(paths).frame["source"].to_list() == ["news"] * 3 + ["forum"] * 3


# Columns that `from_columns` must refuse, and what it says.
BAD_COLUMNS = {
    "off the scale": ({"score": [1, 9, 2]}, ScaleError, r"row 2: score 9 is off the scale 0\.\.5"),
    "infinite": ({"score": [1, float("inf"), 2]}, InputError, "row 2: inf in column 'score' is not a finite number"),
    "a blank text": ({"left": ["a", " ", "c"]}, InputError, "row 2: column 'left' is blank"),
    "a missing text": ({"right": ["a", None, "c"]}, InputError, "row 2: column 'right' is blank"),
    "ragged": ({"score": [1, 2]}, ArgumentError, "columns have different lengths: left 3, right 3, score 2"),
    "a word": ({"score": [1, "high", 2]}, InputError, "row 2: 'high' in column 'score' is not a number"),
    "ids twice": ({"id": ["a", "b", "a"]}, InputError, "row 3: id 'a' is already used at row 1"),
}


@pytest.mark.parametrize(("columns", "error", "message"), BAD_COLUMNS.values(), ids=BAD_COLUMNS)
def test_columns_in_memory_are_checked_like_files(columns, error, message):
    whole = {"left": ["a", "b", "c"], "right": ["d", "e", "f"], "score": [1, 2, 3]} | columns
    with pytest.raises(error, match=message):
        sim.Benchmark.from_columns(scale="0..5", **whole)


def test_nan_gold_is_missing_gold():
    # Four scores in the order of the predictions, and one unknown: rho is 1, whatever is predicted for the unknown.
    gold = np.array([0.5, np.nan, 2.0, 3.0, 4.5])
    made = sim.Benchmark.from_columns(left=list("abcde"), right=list("fghij"), score=gold, scale="0..5")
    assert len(made.select(with_gold=True)) == 4
    assert made.frame["score"].null_count() == 1


def test_constant_scores_and_unused_numbers_are_warned_about(make_file):
    assert read(make_file, [3, 3, 3]).provenance.warnings == ("pairs.csv: all 3 scores are 3",)
    odd = sim.read(make_file("odd.csv", "left,right,closeness\na,b,1\nc,d,2.5\n"))
    assert "columns of numbers that were not used: closeness" in odd.provenance.warnings[0]


def test_numbers_of_days_among_scores_stop_however_many_there_are(make_file):
    # a spreadsheet turns 2-Feb into 44594
    scores = [1, 44594, 5, 2.5, 44622, 3, 4, 44683]
    what = "line 3: 3 rows have 44594, 44622, 44683 in column 'score', but all other values lie within 1..5; "
    with pytest.raises(ScaleError, match=re.escape(what + "correct them; if not: scale='1..44683'")):
        read(make_file, scores)
    assert read(make_file, scores, scale="1..44683").gold.scores.tolist() == scores


def test_numbers_of_days_among_ratings_stop(make_file):
    ratings = [1, 44594, 5, 2, 44622, 3, 4, 1]
    rows = [f"i{at // 2},p{at % 2},{rating}" for at, rating in enumerate(ratings)]
    path = make_file("answers.csv", "\n".join(["item,annotator,rating", *rows]) + "\n")
    what = r"ratings 44594, 44622 \(2 of 8\) lie outside the others, 1\.\.5; correct them; if not: scale='1\.\.44622'"
    with pytest.raises(ScaleError, match=what):
        sim.read_judgements(path)
    assert len(sim.read_judgements(path, scale="1..44622")) == 8


def test_scores_with_a_long_tail_are_no_codes(make_file):
    scores = [0, 1, 1, 2, 3, 5, 8, 13, 40, 90, 250, 700]
    assert read(make_file, scores).gold.scores.tolist() == scores


def test_sources_on_different_scales_are_not_pooled_unseen(make_file):
    def both(most: float, **options):
        first = [f"a {n},b {n},{most * n / 20},first" for n in range(10)]
        second = [f"c {n},d {n},{n / 2},second" for n in range(11)]
        return sim.read(make_file("pairs.csv", "\n".join(["left,right,score,source", *first, *second])), **options)

    what = "sources in column 'source' seem to have different scales: 'first' 0..1, 'second' 0..5; "
    with pytest.raises(ScaleError, match=re.escape(what) + r".*scale='0\.\.5'"):
        both(1)
    assert len(both(1, scale="0..5").items) == 21
    assert len(both(4).items) == 21
