import json

import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.report.page import report_page
from similitude.study.labels import distinct_labels, named_systems, renamed

SYSTEMS = ["levenshtein", "char-ngram-cosine(n=3)"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a"], "1 name for 2 systems"),
        (["a", "b", "c"], "3 names for 2 systems"),
        (["a", "b=levenshtein"], "some names say which system they are for"),
        (["a=levenstein"], "no system 'levenstein' to name; systems there: levenshtein, char-ngram-cosine"),
        (["a=levenshtein", "b=levenshtein"], "a system has two names"),
    ],
)
def test_names_that_do_not_fit_are_refused(names, words):
    with pytest.raises(ArgumentError, match=words):
        named_systems(SYSTEMS, names)


def test_names_in_a_mapping_and_beside_it_are_refused():
    with pytest.raises(ArgumentError, match="named twice"):
        named_systems({"a": "levenshtein"}, ["b"])


def test_a_system_is_named_by_its_identity_too():
    assert named_systems(["char-ngram-cosine(n=2)"], ["pairs=char-ngram-cosine(n=2)"])[1] == ["pairs"]
    assert named_systems(["char-ngram-cosine(n = 2)"], ["pairs=char-ngram-cosine(n=2)"])[1] == ["pairs"]


def test_a_name_that_is_another_system_is_refused():
    with pytest.raises(ArgumentError, match="2 systems are named 'levenshtein'"):
        distinct_labels(SYSTEMS, ["", "levenshtein"])


def test_doubles_are_refused_before_a_system_runs():
    with pytest.raises(ArgumentError, match="2 systems are named 'same'"):
        sim.run("sample:opinions", SYSTEMS, ["pearson"], names=["same", "same"])


def test_a_run_is_read_by_name_and_by_identity(tmp_path):
    made = sim.run(
        "sample:opinions", {"edits": "levenshtein", "3-grams": SYSTEMS[1]}, ["pearson"], resamples=0, out=tmp_path / "r"
    )
    assert made["edits", "pearson"] == made["levenshtein", "pearson"]
    assert "edits" in str(made)
    assert "levenshtein" not in str(made)
    assert [row["name"] for row in made.rows()] == ["edits", "3-grams"]
    again = sim.load_run(tmp_path / "r")
    assert [record.label for record in again.systems] == ["edits", "3-grams"]
    assert [record["label"] for record in json.loads((tmp_path / "r/run.json").read_text())["systems"]] == [
        "edits",
        "3-grams",
    ]


def test_predictions_are_reused_whatever_the_name(tmp_path):
    sim.run("sample:opinions", {"edits": "levenshtein"}, ["pearson"], resamples=0, out=tmp_path)
    file = next((tmp_path / "predictions").glob("*.parquet"))
    before = file.stat().st_mtime_ns
    made = sim.run("sample:opinions", {"other": "levenshtein"}, ["pearson"], resamples=0, out=tmp_path)
    assert made.systems[0].label == "other"
    assert file.stat().st_mtime_ns == before


def test_a_saved_run_is_renamed():
    made = sim.run("sample:opinions", SYSTEMS, ["pearson"], resamples=0)
    assert [record.label for record in renamed(made, ["3-grams=char-ngram-cosine"]).systems] == [
        "levenshtein",
        "3-grams",
    ]
    assert renamed(made, []) is made


def test_the_page_names_systems_and_how_to_repeat_the_run():
    made = sim.run("sample:opinions", SYSTEMS, ["pearson"], names=["edits", "3-grams"], resamples=0)
    page = report_page(made)
    assert "<code>edits</code>" in page
    assert "--name edits" in page
    assert "--system levenshtein" in page
