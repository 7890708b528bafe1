"""``similitude choose``, ``measure`` and ``evaluate`` where gold has two labels."""

import json
from pathlib import Path

import pytest

DUPLICATES = ("--cardinality", "1:n", "--interest", "all", "--information", "classification")
SYSTEMS = """
class Perfect:
    '''Separates duplicates from others between .75 and .90.'''

    def score(self, items):
        return [(0.90 if one.left == one.right else 0.70) + len(one.left) % 6 / 100 for one in items]


class Worse:
    '''Right on four of five pairs, at both ends of the scale.'''

    def score(self, items):
        return [0.95 if (one.left == one.right) != (len(one.left) % 5 == 0) else 0.05 for one in items]
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(SYSTEMS)
    rows = [f"{'a' * size},{'a' * size if size % 3 == 0 else 'b' * size},{int(size % 3 == 0)}" for size in range(3, 63)]
    (tmp_path / "pairs.csv").write_text("\n".join(["left,right,label", *rows]) + "\n")
    return tmp_path


def test_the_perfect_system_wins_and_its_threshold_is_printed(similitude, pairs):
    flags = ("-s", "mine.py:Worse", "-s", "mine.py:Perfect", *DUPLICATES, "--folder", "run")
    done = similitude("choose", "pairs.csv", *flags)
    assert done.returncode == 0, done.stderr
    first = " ".join(done.stdout.split())
    assert first.startswith(
        "For your task: mine.py:Perfect (f1_binary 1.000), significantly better than mine.py:Worse."
    )
    assert "Deploy it with a threshold of 0.825 [0.8" in first
    assert "calls for f1_binary: a class needs a threshold, which is learned on other folds" in first
    assert "Pearson misleads" not in first


def test_json_has_threshold_interval_and_curve(similitude, pairs):
    flags = ("-s", "mine.py:Worse", "-s", "mine.py:Perfect", *DUPLICATES, "--folder", "run", "--json")
    found = json.loads(similitude("choose", "pairs.csv", *flags).stdout)
    threshold = found["threshold"]
    assert threshold["measure"] == "f1_binary"
    assert 0.75 < threshold["low"] <= threshold["threshold"] <= threshold["high"] < 0.90
    assert len(threshold["folds"]) == 5
    worse, perfect = found["run"]["thresholds"]
    assert (worse["system"], perfect["system"]) == ("mine.py:Worse", "mine.py:Perfect")
    best = max(perfect["curve"], key=lambda point: point["f1"])
    assert (best["threshold"], best["f1"], best["figures"]["f1_binary"]) == (pytest.approx(0.825), 1.0, 1.0)
    assert found["choice"]["value"] == 1.0


def test_the_page_shows_thresholds_and_curves(similitude, pairs):
    similitude("choose", "pairs.csv", "-s", "mine.py:Worse", "-s", "mine.py:Perfect", *DUPLICATES, "--folder", "run")
    assert similitude("report", "run").returncode == 0
    page = (pairs / "run" / "report.html").read_text(encoding="utf-8")
    assert "Deploy it with a threshold of 0.825" in page
    assert ">Thresholds</h2>" in page
    assert "Precision (upwards) against recall" in page
    assert "mine.py:Perfect: figures at each threshold" in page
    assert "0.825 [0.825, 0.8" in similitude("report", "run", "--markdown", "-").stdout.replace("\\", "")
    assert "tab:pairs-thresholds" in similitude("report", "run", "--latex", "-").stdout
    rows = (pairs / "run" / "curves.csv").read_text().splitlines()
    assert rows[0] == "data,system,threshold,precision,recall,f1,accuracy,mcc,f1_binary"
    assert rows[1].startswith("pairs,mine.py:Worse,,,0.0,")


@pytest.mark.parametrize(
    ("criterion", "measure"),
    [
        ("cost(1, 5)", "cost(false_positive=1, false_negative=5)"),
        ("recall_at(0.8)", "recall_at(precision=0.8)"),
        ("mcc", "mcc"),
    ],
)
def test_the_criterion_decides_on_the_threshold(similitude, pairs, criterion: str, measure: str):
    flags = (*DUPLICATES, "--criterion", criterion, "--folder", "run", "--json")
    done = similitude("choose", "pairs.csv", "-s", "mine.py:Worse", "-s", "mine.py:Perfect", *flags)
    found = json.loads(done.stdout)
    assert (found["measure"], found["choice"]["system"]) == (measure, "mine.py:Perfect")
    assert found["threshold"]["measure"] == measure


@pytest.mark.parametrize(
    ("data", "flags", "message"),
    [
        ("pairs.csv", ("--threshold", "0.5"), "a threshold of 0.5 does not fit gold with two labels; leave it out"),
        ("pairs.csv", ("--criterion", "pearson"), "pearson learns no threshold; give f1_binary, accuracy, mcc"),
        ("sample:opinions", ("--criterion", "mcc"), "criterion mcc needs gold with two labels; state above which"),
    ],
)
def test_mistakes_get_one_line(similitude, pairs, data: str, flags: tuple[str, ...], message: str):
    systems = ("-s", "levenshtein", "-s", "length-ratio")
    done = similitude("choose", data, *systems, *DUPLICATES, *flags, "--folder", "run", "-q")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_criterion_needs_a_task_with_classes(similitude, pairs):
    flags = ("--cardinality", "1:1", "--interest", "all", "--information", "value", "--criterion", "mcc")
    done = similitude("choose", "pairs.csv", "-s", "levenshtein", "-s", "length-ratio", *flags)
    assert "a criterion does not fit (1:1, all, value)" in done.stderr


def test_graded_gold_may_be_cut_by_a_border(similitude, tmp_path):
    flags = (*DUPLICATES, "--criterion", "f1_binary(border=3)", "--folder", "run", "--json")
    done = similitude("choose", "sample:opinions", "-s", "levenshtein", "-s", "length-ratio", *flags)
    assert json.loads(done.stdout)["threshold"]["measure"] == "f1_binary(border=3.0)"


def test_graded_gold_says_how_scores_were_brought_onto_its_scale(similitude, tmp_path):
    flags = ("-s", "levenshtein", "-s", "length-ratio", *DUPLICATES, "--folder", "run")
    done = similitude("choose", "sample:opinions", *flags)
    words = (
        "f1 looks at the gold scale; scores of levenshtein, length-ratio: calibrated out of fold (quantile, 5 folds of "
        "60 items)"
    )
    assert words in done.stdout
    similitude("report", "run")
    assert words in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_measure_recognises_labels(similitude, pairs):
    (pairs / "system.txt").write_text("\n".join(str(0.9 if size % 3 == 0 else 0.7) for size in range(3, 63)) + "\n")
    found = json.loads(similitude("measure", "pairs.csv", "system.txt", "--json").stdout)
    assert [one["name"] for one in found["measures"]] == ["auc", "average_precision", "f1_binary", "accuracy", "mcc"]
    assert {one["value"] for one in found["figures"]} == {1.0}
    again = json.loads(similitude("measure", "pairs.csv", "system.txt", "--json", "-m", "f1", "-m", "roc_auc").stdout)
    assert [one["name"] for one in again["measures"]] == ["f1_binary", "auc"]
    assert again["caveats"] == ["gold has two labels: f1 is f1_binary, at thresholds learned on the other folds"]
    fixed = json.loads(similitude("measure", "pairs.csv", "system.txt", "--json", "-m", "f1_low").stdout)
    assert fixed["caveats"] == [
        "f1_low: scores calibrated out of fold (quantile, 5 folds of 60 items)",
        "gold has two labels: f1_low cuts scores at a fixed border; f1_binary learns it",
    ]


def test_evaluate_recognises_labels_and_the_order_of_rows_does_not_matter(similitude, pairs):
    lines = (pairs / "pairs.csv").read_text().splitlines()
    with_ids = ["id," + lines[0], *(f"i{n},{line}" for n, line in enumerate(lines[1:]))]
    (pairs / "one.csv").write_text("\n".join(with_ids) + "\n")
    (pairs / "other.csv").write_text("\n".join([with_ids[0], *with_ids[:0:-1]]) + "\n")
    one, other = (
        json.loads(similitude("evaluate", name, "-s", "mine.py:Worse", "-s", "levenshtein", "--json").stdout)
        for name in ("one.csv", "other.csv")
    )
    assert one["measures"][0]["name"] == "auc"
    assert one["figures"] == other["figures"]
    assert [each["thresholds"][0]["threshold"] for each in one["thresholds"]] == [
        each["thresholds"][0]["threshold"] for each in other["thresholds"]
    ]
