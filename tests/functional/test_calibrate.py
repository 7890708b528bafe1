"""``--calibrate`` and ``--calibrate-on`` of evaluate, measure and choose, and what choose refuses to rank."""

import json

import pytest

CHOOSE = ("--cardinality", "1:1", "--interest", "all", "--information", "classification", "--folder", "run")
SYSTEMS = ("-s", "levenshtein", "-s", "tfidf-cosine")
OUT_OF_FOLD = "calibrated out of fold (quantile, 5 folds of 60 items)"
TOP = ("--cardinality", "1:n", "--interest", "k-best", "--information", "rank", "--k", "2", "--folder", "run")


@pytest.fixture
def pairs(tmp_path):
    """Two queries with five candidates each."""
    rows = [f"query {n // 5},candidate {n % 5} of query {n // 5},{n % 5}" for n in range(10)]
    (tmp_path / "pairs.csv").write_text("query,candidate,score\n" + "\n".join(rows) + "\n")
    return tmp_path


def test_evaluate_prints_and_saves_what_was_done(similitude, tmp_path):
    done = similitude("evaluate", "sample:opinions", *SYSTEMS, "--folder", "run")
    assert f"f1_low, f1_high: scores {OUT_OF_FOLD}" in done.stdout
    assert "ndcg@10 ranks all 60 pairs as one list; group_ndcg@10 ranks those of each query" in " ".join(
        done.stdout.split()
    )
    similitude("report", "run")
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert OUT_OF_FOLD in page
    saved = json.loads((tmp_path / "run" / "run.json").read_text())
    assert saved["calibration"]["words"] == OUT_OF_FOLD


@pytest.mark.parametrize("method", ["linear", "isotonic", "quantile"])
def test_a_method_by_name_is_for_errors_too(similitude, tmp_path, method):
    flags = ("-m", "mae", "-m", "f1", "--calibrate", method, "--resamples", "0", "--folder", "run")
    found = json.loads(similitude("evaluate", "sample:opinions", *SYSTEMS, *flags, "--json").stdout)
    words = f"mae, f1: scores calibrated out of fold ({method}, 5 folds of 60 items)"
    assert words in found["caveats"]
    similitude("report", "run")
    assert f"--calibrate {method}" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_none_is_marked(similitude, tmp_path):
    flags = ("-m", "f1", "--calibrate", "none", "--resamples", "0", "--folder", "run")
    done = similitude("evaluate", "sample:opinions", *SYSTEMS, *flags)
    assert "f1: scores uncalibrated (as asked: scores are on the range that each system declares)" in done.stdout
    assert json.loads((tmp_path / "run" / "run.json").read_text())["calibration"]["method"] == "none"
    similitude("report", "run")
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "uncalibrated (as asked" in page
    assert "--calibrate none" in page


def test_measure_calibrates_too(similitude, tmp_path):
    rows = [f"left {n},right {n},{n % 6},{'dev' if n % 2 else 'test'}" for n in range(48)]
    (tmp_path / "gold.csv").write_text("left,right,score,split\n" + "\n".join(rows) + "\n")
    (tmp_path / "system.txt").write_text("\n".join(f"{0.8 + 0.03 * (n % 6):.2f}" for n in range(48)) + "\n")
    call = ("measure", "gold.csv", "system.txt", "--range", "0..1", "-m", "f1", "--json")
    figures = {}
    for flags in ((), ("--calibrate", "none"), ("--split", "test", "--calibrate-on", "dev")):
        found = json.loads(similitude(*call, *flags).stdout)
        figures[flags] = found["figures"][0]["value"], found["calibration"]["words"]
    assert list(figures.values()) == [
        (1.0, "calibrated out of fold (quantile, 5 folds of 48 items)"),
        (0.0, "uncalibrated (as asked: scores are on the range that each system declares)"),
        (1.0, "calibrated on split 'dev' (quantile, 24 items)"),
    ]


def test_choose_deploys_borders(similitude):
    found = json.loads(similitude("choose", "sample:opinions", *SYSTEMS, *CHOOSE, "--json").stdout)
    assert [border["level"] for border in found["borders"]] == ["low", "high"]
    assert found["decision"].endswith(f"high is above {found['borders'][1]['threshold']:.4g}.")
    assert set(found["onto_scale"].values()) == {OUT_OF_FOLD}
    raw = json.loads(similitude("choose", "sample:opinions", *SYSTEMS, *CHOOSE, "--calibrate", "none", "--json").stdout)
    assert raw["borders"] == []


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("evaluate", "--calibrate-on", "dev"), "two different splits"),
        (("evaluate", "--calibrate", "none", "--calibrate-on", "dev"), "nothing is fitted on split 'dev'"),
        (("evaluate", "--calibrate", "isotone"), "did you mean 'isotonic'"),
        (("choose", *TOP, "--calibrate", "sometimes"), "known: auto, isotonic, linear, none, quantile"),
        (("choose", *TOP), "has no queries: none of its 60 pairs share a group"),
        (("choose", *TOP), "--column group=NAME"),
    ],
)
def test_what_cannot_be_done_is_said(similitude, flags, words):
    command, *rest = flags
    done = similitude(command, "sample:opinions", *SYSTEMS, *rest)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())


def test_queries_are_named_by_a_column(similitude, pairs):
    columns = ("--column", "left=query", "--column", "right=candidate")
    refused = similitude("choose", "pairs.csv", *SYSTEMS, *columns, *TOP)
    assert refused.returncode == 2
    assert "perhaps that of the left texts, of which 2 differ" in " ".join(refused.stderr.split())
    assert not (pairs / "run").exists()
    found = json.loads(
        similitude("choose", "pairs.csv", *SYSTEMS, *columns, "--column", "group=query", *TOP, "--json").stdout
    )
    assert found["measure"] == "group_ndcg@2"
    assert found["run"]["confidence"]["groups"] == 2


@pytest.fixture
def tickets(tmp_path):
    """Forty pairs, a quarter of them duplicates, in groups of four."""
    rows = [f"{n},ticket {n},ticket {n},{int(n % 4 == 0)},g{n // 4}" for n in range(40)]
    (tmp_path / "tickets.csv").write_text("id,left,right,duplicate,group\n" + "\n".join(rows) + "\n")
    return tmp_path


def test_tasks_learn_where_a_system_says_yes(similitude, tickets):
    call = (
        "task",
        "deduplication",
        "tickets.csv",
        "-s",
        "length-ratio",
        "-s",
        "levenshtein",
        "--resamples",
        "50",
        "--json",
    )
    task = json.loads(similitude(*call).stdout)["task"]
    assert task["calibration"] == "threshold learned out of fold (5 folds of 10 groups)"
    assert task["groups"] == 10
    raw = json.loads(similitude(*call, "--calibrate", "none").stdout)["task"]
    assert raw["calibration"] == "uncalibrated: yes above the middle of the range that each system declares"
    assert [each["value"] for each in raw["systems"]] == [0.4, 0.4]  # yes to all: 2 * .25 / 1.25
    assert "thresholds" not in raw["systems"][0]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("sample:intent", "--calibrate", "none"), "intent only asks which similarity is higher"),
        (("sample:find-related", "--calibrate", "none"), "there is nothing to calibrate"),
        (("sample:deduplication", "--calibrate", "linear"), "a linear mapping does not matter in a task"),
        (("sample:deduplication", "--calibrate", "none", "-s", "mine.py:Mine"), "declares no range that could be cut"),
    ],
)
def test_calibrations_that_a_task_refuses(similitude, tmp_path, flags, words):
    (tmp_path / "mine.py").write_text(
        "import numpy as np\nimport similitude as sim\n\n\nclass Mine:\n    summary = 'mine'\n    reads = frozenset()\n"
        "    range = None\n\n    def score(self, items):\n        return sim.Predictions(np.ones(len(items)))\n"
    )
    done = similitude("task", "-s", "levenshtein", *flags)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())


def test_uncalibrated_answers_are_marked(similitude):
    done = similitude("task", "sample:text-reuse", "-s", "levenshtein", "--calibrate", "none", "--page", "page.html")
    assert "answers: uncalibrated: the range that each system declares, in 4 equal parts" in done.stdout
    usual = similitude("task", "sample:text-reuse", "-s", "levenshtein")
    assert "answers: borders of classes learned out of fold (10 folds of 80 pairs)" in usual.stdout
