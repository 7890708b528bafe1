"""`similitude measure`: what was understood of gold and predictions, and what is refused or warned about."""

import json
import os

import numpy as np
import polars as pl
import pytest

from similitude.stats import williams_p_value

GOLD = [4.8, 0.6, 4.4, 2.9, 0.2, 4.1, 2.2, 2.0]
CLOSE = [4.5, 1.1, 4.0, 3.2, 0.3, 3.9, 1.8, 2.4]


@pytest.fixture
def measured(similitude, pairs, tmp_path):
    """Measure the content of a file against the pairs."""

    def call(content, *arguments, name="p.tsv"):
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
        return similitude("measure", "pairs.csv", name, "--scale", "0..5", "--resamples", "0", *arguments)

    return call


def value_of(shown):
    assert shown.returncode == 0, shown.stderr
    return json.loads(shown.stdout)["figures"][0]["value"]


def numbered(scores, start=1, separator="\t"):
    return "".join(f"{number}{separator}{score}\n" for number, score in enumerate(scores, start=start))


def test_ids_without_a_header_are_not_measured_as_scores(measured):
    shown = measured(numbered(CLOSE), "-m", "pearson", "--json")
    assert value_of(shown) == pytest.approx(np.corrcoef(GOLD, CLOSE)[0, 1])
    reading = json.loads(shown.stdout)["reading"]
    (predictions,) = reading["predictions"]
    assert predictions["columns"] == {"id": "1", "score": "2"}
    assert predictions["details"]["matched"] == "by id"
    assert reading["gold"][0]["file"] == "pairs.csv"


def test_the_conclusion_comes_first_then_what_was_understood(measured):
    shown = measured(numbered(CLOSE), "-m", "pearson")
    conclusion, gold, predictions = shown.stdout.splitlines()[:3]
    assert conclusion == f"p.tsv has pearson {np.corrcoef(GOLD, CLOSE)[0, 1]:.3f}"
    assert gold.startswith("gold: pairs.csv, read as sentence-transformers; stored as separated text")
    assert "scale 0..5 (declared)" in gold
    assert predictions.startswith("predictions: p.tsv, read as predictions; stored as separated text, separator: tab")
    assert "matched: by id" in predictions
    assert "columns id = 1, score = 2" in predictions
    assert "rows 8" in predictions


def test_row_numbers_stop_and_the_named_flag_decides(measured):
    shown = measured(numbered(CLOSE, start=0), "-m", "pearson")
    assert shown.returncode == 2
    assert "column 1 counts the rows" in shown.stderr
    decided = measured(
        numbered(CLOSE, start=0),
        *("-m", "pearson", "--json", "--predictions-column", "id=", "--predictions-column", "score=2"),
    )
    assert value_of(decided) == pytest.approx(np.corrcoef(GOLD, CLOSE)[0, 1])


def test_flags_for_the_gold_do_not_reach_the_predictions(measured):
    commas = "".join(f"{score}\n".replace(".", ",") for score in CLOSE)
    shown = measured(commas, "-m", "pearson", "--json", "--predictions-decimal", ",")
    assert value_of(shown) == pytest.approx(np.corrcoef(GOLD, CLOSE)[0, 1])
    coded = "".join(f"{score}\n" for score in [*CLOSE[:7], -1])
    refused = measured(coded, "-m", "pearson")
    assert "--predictions-missing -1" in refused.stderr
    assert refused.returncode == 2
    left_out = measured(coded, "-m", "pearson", "--predictions-missing", "-1", "--on-error", "skip", "--json")
    assert value_of(left_out) == pytest.approx(np.corrcoef(GOLD[:7], CLOSE[:7])[0, 1])


@pytest.mark.parametrize(
    ("content", "warning"),
    [
        ("3\n" * 8, "all predictions are 3"),
        ("".join(f"{score}\n" for score in GOLD), "the predictions are the gold scores themselves"),
        ("".join(f"{score * 10}\n" for score in CLOSE), "7 of 8 predictions lie off the range 0..5"),
    ],
)
def test_warnings_go_to_standard_error(measured, content, warning):
    shown = measured(content, "-m", "mae", "--json", "--quiet")
    assert shown.returncode == 0
    assert f"warning: p.tsv: {warning}" in shown.stderr
    assert warning in "".join(json.loads(shown.stdout)["reading"]["predictions"][0]["warnings"])


def test_a_workbook_of_predictions(measured, tmp_path):
    pytest.importorskip("python_calamine")
    writer = pytest.importorskip("xlsxwriter")
    with writer.Workbook(tmp_path / "made.xlsx") as book:
        sheet = book.add_worksheet("scores")
        sheet.write_row(0, 0, ["id", "cosine"])
        for row, score in enumerate(CLOSE, start=1):
            sheet.write_row(row, 0, [row, score])
    shown = measured((tmp_path / "made.xlsx").read_bytes(), "-m", "pearson", "--json", name="p.xlsx")
    assert value_of(shown) == pytest.approx(np.corrcoef(GOLD, CLOSE)[0, 1])


def test_a_pipe_without_a_writer_is_given_up(similitude, pairs, tmp_path, monkeypatch):
    monkeypatch.setattr("similitude.data.reading.pipes.WAIT", 0.2)
    os.mkfifo(tmp_path / "pipe")
    shown = similitude("measure", "pairs.csv", "pipe")
    assert shown.returncode == 2
    assert "pipe" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_damaged_files_give_one_line(measured, tmp_path):
    pl.DataFrame({"score": CLOSE}).write_parquet(tmp_path / "whole.parquet")
    cut = (tmp_path / "whole.parquet").read_bytes()[:-30]
    for name, content in {
        "p.parquet": cut,
        "p.npy": b"\x93NUMPY\x01",
        "p.json": "[1, 2",
        "p.gz": b"\x1f\x8b\x08",
    }.items():
        shown = measured(content, name=name)
        assert shown.returncode == 2
        assert shown.stderr.count("\n") == 1
        assert name in shown.stderr


def test_predictions_for_the_items_with_gold_alone(similitude, tmp_path):
    rows = ["id,left,right,score", "a,x,y,1", "b,x,z,", "c,y,z,4", "d,y,u,2"]
    (tmp_path / "data.csv").write_text("\n".join(rows))
    (tmp_path / "p.csv").write_text("id,score\na,1.5\nc,3\nd,2\n")
    shown = similitude("measure", "data.csv", "p.csv", "--scale", "0..5", "-m", "mae", "--resamples", "0", "--json")
    assert value_of(shown) == pytest.approx(0.5)


@pytest.fixture
def compared(similitude, pairs, tmp_path):
    """Measure two systems against the pairs."""
    (tmp_path / "close.txt").write_text("\n".join(map(str, CLOSE)))
    (tmp_path / "far.txt").write_text("\n".join(str(5 - score) for score in CLOSE[::-1]))
    return lambda *arguments: similitude("measure", "pairs.csv", "close.txt", "far.txt", "--scale", "0..5", *arguments)


def test_williams_test_from_the_command_line(compared):
    shown = compared("-m", "pearson", "--test", "williams", "--json")
    assert shown.returncode == 0, shown.stderr
    confidence = json.loads(shown.stdout)["confidence"]
    far = 5 - np.array(CLOSE[::-1])
    found = np.corrcoef([GOLD, CLOSE, far])
    assert confidence["p_values"][0][0][1] == pytest.approx(
        williams_p_value(found[0, 1], found[0, 2], found[1, 2], len(GOLD))
    )
    assert (confidence["tests"], confidence["methods"], confidence["resamples"]) == (["williams"], ["jackknife"], 0)
    assert "Williams' test, all pairs together, 95 %" in compared("-m", "pearson", "--test", "williams").stdout.replace(
        "\n", " "
    )


def test_williams_test_of_other_measures_is_one_error(compared):
    shown = compared("--test", "williams")
    assert shown.returncode != 0
    assert "Williams's test" not in shown.stderr
    assert "no correlation: ndcg@10, f1_low, f1_high, mae" in " ".join(shown.stderr.split())


def test_gold_without_a_bin_is_noted(similitude, tmp_path):
    (tmp_path / "gold.csv").write_text("left,right,score\na,b,1\nc,d,1\ne,f,4\ng,h,4\n")
    (tmp_path / "p.txt").write_text("1\n2\n4\n4\n")
    shown = similitude("measure", "gold.csv", "p.txt", "--scale", "0..5", "-m", "f1_macro_3bin")
    assert "gold has no middle pair, so that bin counts as 0 for every system" in " ".join(shown.stdout.split())
    assert "0.556" in shown.stdout  # (2/3 + 0 + 1) / 3


def test_rows_that_are_sorted_by_score_are_matched_in_order_only_if_the_user_says_so(similitude, tmp_path):
    gold = "left,right,score\n"
    (tmp_path / "gold.csv").write_text(gold + "".join(f"a {n},b {n},{n * 7 % 5}\n" for n in range(12)))
    (tmp_path / "ordered.csv").write_text(gold + "".join(f"a {n},b {n},{n / 3}\n" for n in range(12)))
    for name, scores in (("down.csv", range(12, 0, -1)), ("up.csv", range(12))):
        rows = "".join(f"{rank},{score / 12}\n" for rank, score in enumerate(scores, start=1))
        (tmp_path / name).write_text("rank,score\n" + rows)
        shown = similitude("measure", "gold.csv", name, "-m", "pearson")
        assert (shown.returncode, "the rows are sorted by column 'score'" in shown.stderr) == (2, True)
        assert similitude("measure", "gold.csv", name, "-m", "mae", "--predictions-column", "id=").returncode == 0
    assert "1.000" in similitude("measure", "ordered.csv", "up.csv", "-m", "pearson").stdout
