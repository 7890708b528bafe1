"""``similitude reliability`` of categories: weights, tables, single items, effective components."""

import json

import numpy as np
import polars as pl
import pytest

WORDS = "item,rater1,rater2,rater3\na,yes,yes,no\nb,no,no,no\nc,maybe,yes,maybe\nd,yes,yes,yes\ne,no,maybe,no\n"
TABLE = "abstractor,Ectopic,AIU,NIU\nEctopic,13,0,0\nAIU,0,20,7\nNIU,0,4,56\n"


def figures(done):
    assert done.returncode == 0, done.stderr
    return {figure["name"]: figure for figure in json.loads(done.stdout)["agreement"]}


def test_a_cross_table(similitude, tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    found = figures(similitude("reliability", "table.csv", "--kind", "table", "--json"))
    kappa = found["Cohen's kappa"]
    assert (kappa["value"], kappa["standard_error"]) == pytest.approx((0.7964094, 0.05891072), abs=1e-7)
    assert (kappa["low"], kappa["high"], kappa["by_chance"]) == pytest.approx((0.646, 0.887, 0.0), abs=2e-3)
    refused = similitude("reliability", "table.csv")
    assert (refused.returncode, "--kind table" in refused.stderr) == (2, True)


def test_the_table_shows_standard_errors_and_chance(similitude, tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    done = similitude("reliability", "table.csv", "--kind", "table", "--page", "page.html")
    said = " ".join(done.stdout.split())  # captions are wrapped
    assert "SE: standard error" in said
    assert "by chance: the value that random answers would give" in said
    assert "0.059" in said
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in ("Gwet&#39;s AC1", "0.849", "0.043", "0.26", "report it if nearly all answers are one label"):
        assert text in page or text.replace("&#39;", "'") in page, text


def test_weights(similitude, tmp_path):
    (tmp_path / "words.csv").write_text(WORDS)
    refused = similitude("reliability", "words.csv", "--weights", "linear")
    assert refused.returncode == 2
    assert "linear weights need an order" in refused.stderr
    assert "--categories" in refused.stderr
    ordered = ("reliability", "words.csv", "--categories", "no,maybe,yes", "--json")
    assert "Gwet's AC2, quadratic weights" in figures(similitude(*ordered))
    assert "Gwet's AC2, ordinal weights" in figures(similitude(*ordered, "--weights", "ordinal"))


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_agreement_on_each_item_is_written(similitude, tmp_path, suffix):
    (tmp_path / "words.csv").write_text(WORDS)
    done = similitude("reliability", "words.csv", "--item-agreement", f"items.{suffix}", "--json")
    readers = {"csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet}
    written = readers[suffix](tmp_path / f"items.{suffix}")
    assert written.columns == ["item", "answers", "agreement", "entropy"]
    assert written["agreement"].to_list() == pytest.approx([1 / 3, 1, 1 / 3, 1, 1 / 3])
    assert json.loads(done.stdout)["per_item"] == written.to_dicts()


def test_a_file_of_another_kind_is_refused_before_the_work(similitude, tmp_path):
    (tmp_path / "answers.csv").write_text("not read\n")
    done = similitude("reliability", "answers.csv", "--item-agreement", "items.txt")
    assert (done.returncode, "cannot write 'items.txt'" in done.stderr) == (2, True)


def test_effective_components(similitude, tmp_path):
    rng = np.random.default_rng(0)
    values = np.clip(np.repeat([1.0, 4.0], 60)[:, None] + rng.normal(0, 0.3, (120, 4)), 0, 5).round(2)
    rows = "\n".join(f"i{place}," + ",".join(map(str, row)) for place, row in enumerate(values))
    (tmp_path / "ratings.csv").write_text(f"item,rater1,rater2,rater3,rater4\n{rows}\n")
    words = ("reliability", "ratings.csv", "--scale", "0..5", "--resamples", "0", "--effective-components")
    record = json.loads(similitude(*words, "2", "--json").stdout)["effective_components"]
    assert record["components"] == 2
    assert [(row["split"], row["effective"], row["items"]) for row in record["table"]] == [
        ("test", 1, 40),
        ("training", 1, 80),
    ]
    assert 0.8 < record["likelier_than_one"] <= 1
    assert len(record["items"]) == 120
    shown = similitude(*words, "bic").stdout
    assert "Effective components (USTS, table 6)" in shown
    assert "information criterion chooses 2" in shown.lower()
    refused = similitude(*words, "0")
    assert (refused.returncode, "0 Gaussians cannot be fitted" in refused.stderr) == (2, True)
