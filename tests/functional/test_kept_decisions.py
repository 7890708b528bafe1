"""A choice takes every system, its page tells how to make it again, and nothing replaces it."""

import html
import json
import re
import shlex

import pytest

FUNCTION = "def jaccard(a, b):\n    x, y = set(a.split()), set(b.split())\n    return len(x & y) / len(x | y)\n"
TASK = ("--cardinality", "1:1", "--interest", "all", "--information", "classification")
COLUMNS = ("--column", "left=ticket a", "--column", "right=ticket_b", "--column", "score=label x")


@pytest.fixture
def tickets(tmp_path):
    words = ["red", "blue", "green", "dog", "cat", "car", "house", "tree", "sun", "moon"]
    rows = ["ticket a,ticket_b,label x"]
    for place in range(40):
        same = place % 2
        left = [words[(place + step) % 10] for step in range(4)]
        right = [words[(place + step + (0 if same or step < 2 else 5)) % 10] for step in range(4)]
        rows.append(f"{' '.join(left)} {place},{' '.join(right)} {place},{same}")
    (tmp_path / "odd file.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(FUNCTION, encoding="utf-8")
    return "odd file.csv"


def figures(path):
    record = json.loads(path.read_text(encoding="utf-8"))
    return {name: record[name] for name in ("figures", "trivial", "task", "confidence", "thresholds", "conclusion")}


def test_choose_takes_a_function_in_a_file_and_its_page_makes_it_again(similitude, tickets, tmp_path):
    systems = ("-s", "levenshtein", "-s", "mine.py:jaccard")
    done = similitude("choose", tickets, *COLUMNS, *systems, *TASK, "--resamples", "99", "-q")
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "runs").iterdir()
    assert similitude("report", str(folder)).returncode == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    (shown,) = re.findall(r"<pre><code>(similitude.*?)</code></pre>", page, re.DOTALL)
    words = shlex.split(html.unescape(shown).replace("\\\n", ""))
    assert words[:3] == ["similitude", "choose", tickets]
    before = figures(folder / "run.json")
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    folder.rmdir()
    assert similitude(*words[1:]).returncode == 0
    assert figures(folder / "run.json") == before


def test_evaluate_leaves_a_decision_alone(similitude, tickets, tmp_path):
    systems = ("-s", "levenshtein", "-s", "jaro", "--resamples", "0", "-q")
    assert similitude("choose", tickets, *COLUMNS, *systems, *TASK).returncode == 0
    (folder,) = (tmp_path / "runs").iterdir()
    before = (folder / "run.json").read_bytes()
    assert similitude("evaluate", tickets, *COLUMNS, *systems).returncode == 0, "in a folder of its own"
    assert len(list((tmp_path / "runs").iterdir())) == 2
    other = similitude("choose", tickets, *COLUMNS, *systems, "--cardinality", "1:1", "--interest", "all",
                       "--information", "value")  # fmt: skip
    assert other.returncode == 0, "another task has another folder"
    for asked in (("evaluate",), ("choose", "--cardinality", "1:1", "--interest", "all", "--information", "value")):
        refused = similitude(asked[0], tickets, *COLUMNS, *systems, *asked[1:], "--folder", str(folder))
        assert refused.returncode == 2
        assert "holds a choice of 'choose', which this would replace; choose another --folder" in refused.stderr
    assert (folder / "run.json").read_bytes() == before


def test_an_unnamed_function_still_needs_a_name():
    import similitude as sim

    pairs = [("a", "b", 0), ("a", "a", 1), ("b", "c", 0), ("c", "c", 1)] * 3
    with pytest.raises(sim.errors.ArgumentError, match="system 2 is a function without a name"):
        sim.choose(pairs, ["levenshtein", lambda a, b: 1.0], cardinality="1:1")

    def mine(a, b):
        return float(a == b)

    found = sim.choose(pairs, ["levenshtein", mine], cardinality="1:1", resamples=0)
    assert found.run.labels == ["levenshtein", "mine"]


@pytest.mark.parametrize(
    ("by", "code"), [("contention", 0), ("domain", 0), ("nonsense", 2), ("ratings", 2), ("score", 2)]
)
def test_parts_of_several_benchmarks_are_a_table_or_one_error_before_any_system_runs(similitude, tmp_path, by, code):
    data = ("sample:opinions", "sample:conditions")
    done = similitude("evaluate", *data, "-s", "levenshtein", "-m", "spearman", "--by", by, "-q", "--folder", "suite")
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    if code:
        assert done.stderr.startswith(f"error: items cannot be divided by '{by}'")
        assert not (tmp_path / "suite").exists()


def test_contention_that_no_benchmark_knows_is_one_error(similitude, tmp_path):
    for name in ("one", "two"):
        rows = "".join(f"{name} {place},other {place},{place % 5}\n" for place in range(12))
        (tmp_path / f"{name}.csv").write_text(f"left,right,score\n{rows}", encoding="utf-8")
    done = similitude("evaluate", "one.csv", "two.csv", "-s", "levenshtein", "--by", "contention", "-q")
    assert done.returncode == 2
    assert "gold has neither ratings nor standard deviations" in done.stderr
    assert not (tmp_path / "runs").exists()
