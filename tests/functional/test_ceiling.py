"""The human ceiling of `similitude evaluate` and `similitude measure`."""

import json

import numpy as np
import pytest

RATERS = 4


@pytest.fixture
def files(tmp_path):
    """Gold without ratings, the ratings behind it, the same with other ids, and predictions."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(0, 5, 30)
    values = np.clip(truth + rng.normal(0, 1, (RATERS, 30)), 0, 5).round(2)
    gold = [f"q{n},text {n},text {n % 7} more,{score:.6f}" for n, score in enumerate(values.mean(axis=0))]
    (tmp_path / "gold.csv").write_text("\n".join(["id,left,right,score", *gold]))
    rows = [f"p{rater},q{n},{values[rater, n]}" for rater in range(RATERS) for n in range(30)]
    (tmp_path / "ratings.csv").write_text("\n".join(["annotator,item,value", *rows]))
    (tmp_path / "wrong.csv").write_text("\n".join(["annotator,item,value", *(row.replace(",q", ",x") for row in rows)]))
    (tmp_path / "mine.txt").write_text("\n".join(map(str, truth)))
    return tmp_path


def test_evaluate_shows_ceilings_only_with_judgements(similitude, files):
    asked = ("evaluate", "gold.csv", "-s", "levenshtein", "-m", "pearson", "-m", "kendall", "--scale", "0..5")
    bare = similitude(*asked)
    assert bare.returncode == 0, bare.stderr
    assert "perfect system" not in bare.stdout
    assert json.loads(similitude(*asked, "--json").stdout)["ceiling"] is None
    shown = similitude(*asked, "--judgements", "ratings.csv")
    assert shown.returncode == 0, shown.stderr
    for words in (
        "one person",
        "another panel",
        "perfect system",
        "corrected",
        "human ceiling: what one annotator",
    ):
        assert words in shown.stdout
    record = json.loads(similitude(*asked, "--judgements", "ratings.csv", "--json").stdout)["ceiling"]
    pearson, kendall = record["ceilings"]
    assert kendall is None
    assert f"{pearson['perfect']['value']:.3f} [{pearson['perfect']['low']:.2f}" in shown.stdout
    assert f"{record['corrected'][0][0]['value']:.3f} [" in shown.stdout
    assert record["items"] == 30


def test_the_report_of_the_run_shows_them_too(similitude, files):
    asked = ("evaluate", "gold.csv", "-s", "levenshtein", "-m", "pearson", "--judgements", "ratings.csv")
    assert similitude(*asked, "--scale", "0..5", "--folder", "run").returncode == 0
    assert similitude("report", "run").returncode == 0
    page = (files / "run" / "report.html").read_text(encoding="utf-8")
    for words in ("Against the human ceiling", "perfect system", "a perfect system would reach", "Below the systems"):
        assert words in page
    tables = similitude("report", "run", "--markdown", "-").stdout
    assert "|  | perfect system | 0." in tables
    assert "| system | corrected pearson |" in tables
    latex = similitude("report", "run", "--latex", "-").stdout
    assert r"& perfect system & 0." in latex
    assert r"\label{tab:gold-corrected}" in latex


def test_measure_takes_judgements(similitude, files):
    asked = ("measure", "gold.csv", "mine.txt", "-m", "spearman", "--scale", "0..5", "--judgements", "ratings.csv")
    record = json.loads(similitude(*asked, "--json").stdout)
    raw, corrected = record["figures"][0]["value"], record["ceiling"]["corrected"][0][0]["value"]
    assert 0.8 < raw < corrected
    assert "perfect system" in similitude(*asked).stdout


@pytest.mark.parametrize(
    "command", [("evaluate", "gold.csv", "-s", "levenshtein"), ("measure", "gold.csv", "mine.txt")]
)
def test_judgements_of_other_items_are_one_clear_error(similitude, files, command):
    shown = similitude(*command, "--scale", "0..5", "--judgements", "wrong.csv")
    assert shown.returncode == 2
    (line,) = (line for line in shown.stderr.splitlines() if line.startswith("error"))
    said = " ".join(shown.stderr.split())
    assert "no judgement is about an item of the data: judged is 'x0', an item is 'q0'" in said
    assert "--judgements" in said
    assert line
    assert not (files / "runs").exists(), "nothing was run"


def test_places_can_be_people(similitude, files):
    rows = [
        json.dumps(
            {"id": str(n), "left": f"a {n}", "right": f"b {n}", "score": n % 5, "ratings": [n % 5, (n + n % 2) % 5]}
        )
        for n in range(20)
    ]
    (files / "lists.jsonl").write_text("\n".join(rows))
    asked = ("evaluate", "lists.jsonl", "-s", "levenshtein", "-m", "pearson", "--scale", "0..5")
    bare = similitude(*asked)
    assert "no ceiling for one person: annotators are not named" in bare.stdout
    named = similitude(*asked, "--positions-are-people")
    assert named.returncode == 0, named.stderr
    assert "no ceiling for one person" not in named.stdout
    assert "one person" in named.stdout


def test_eighty_columns_are_enough(similitude, files):
    from rich.console import Console

    from similitude.report.comparison import comparison_table
    from similitude.study.saved_run import load_run

    asked = (
        "evaluate",
        "sample:opinions",
        "-s",
        "use-multilingual",
        "-s",
        "levenshtein",
        "-m",
        "pearson",
        "-m",
        "spearman",
    )
    assert similitude(*asked, "--folder", "run").returncode == 0
    console = Console(width=80, force_terminal=False)
    with console.capture() as shown:
        console.print(comparison_table(load_run(files / "run")))
    lines = shown.get().splitlines()
    assert max(map(len, lines)) <= 80
    (perfect,) = (line for line in lines if "perfect system" in line and "[" in line)
    assert perfect.count("[") == 2
