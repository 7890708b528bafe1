"""``similitude choose`` as a user meets it."""

import json

import pytest

FLAGS = ("--cardinality", "1:n", "--interest", "k-best", "--information", "rank", "--k", "5")

SYSTEMS = ("-s", "levenshtein", "-s", "length-ratio")


def test_the_decision_comes_first_and_the_page_has_it(similitude, tmp_path):
    done = similitude("choose", "sample:dialogues", *SYSTEMS, *FLAGS, "--folder", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("For your task: ")
    assert "(1:n, k-best, rank) calls for group_ndcg@5" in done.stdout
    assert "more items" not in done.stdout  # a footnote on words that the decision does not have
    similitude("report", str(tmp_path / "run"))
    assert 'class="decision">For your task: ' in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_json(similitude, tmp_path):
    done = similitude("choose", "sample:dialogues", *SYSTEMS, *FLAGS, "--folder", str(tmp_path / "run"), "--json")
    found = json.loads(done.stdout)
    assert found["measure"] == "group_ndcg@5"
    assert found["choice"]["system"] in ("levenshtein", "length-ratio")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            SYSTEMS,
            "error: what the task needs was not said; give --cardinality 1:1|1:n, --interest",
        ),
        ((*SYSTEMS, "--cardinality", "1:1", "--interest", "k-best", "--information", "rank"), "does not make sense"),
        ((*SYSTEMS, "--cardinality", "2:2", "--interest", "all", "--information", "rank"), "known: 1:1, 1:n"),
        (("-s", "levenshtein", *FLAGS), "error: there is only one system to choose from"),
    ],
)
def test_mistakes_get_one_line(similitude, arguments, message):
    done = similitude("choose", "sample:opinions", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
