"""A column is a rater by its name or the user's word: files of other things are refused, or read for what they are."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import similitude as sim
from similitude.cli import main

SCORES = [(3, 4, 2, 5), (1, 1, 2, 1), (5, 4, 5, 4), (2, 3, 2, 2), (4, 5, 4, 3)]
MTURK = "HITId,AssignmentId,WorkerId,AssignmentStatus"


def csv(header: str, *rows: Sequence[Any]) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def wide(header: str, scores: Sequence[Sequence[Any]] = SCORES) -> str:
    """A table with a name in each row, then as many of the scores as the header has names."""
    width = header.count(",")
    return csv(header, *((f"w{at}", *row[:width]) for at, row in enumerate(scores)))


def batch(header: str, *rows: str) -> str:
    """A batch of Mechanical Turk: the task and the worker, then what was shown and answered."""
    lines = (f"{row.split(',')[0]},A{at},{row.split(',', 1)[1]}" for at, row in enumerate(rows))
    return "\n".join([f"{MTURK},{header}", *lines]) + "\n"


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of a command."""
    monkeypatch.setattr("sys.argv", ["similitude", *words])
    monkeypatch.setenv("NO_COLOR", "1")
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


REFUSED = {
    "word norms": wide("word,Conc.M,Percent_known,SUBTLEX"),
    "part of speech beside similarity": wide("word1,POS,SimLex,conc1"),
    "two gold columns": wide("pair,similarity,relatedness"),
    "gold in two languages": wide("id,english,japanese"),
    "two kinds of gold beside texts": csv("sentence1,sentence2,sim_en,sim_ja", ("a", "b", 1, 2), ("c", "d", 3, 3)),
    "valence, arousal and dominance": wide("word,valence,arousal,dominance"),
    "mean and standard deviation": wide("item,M,SD"),
    "model beside gold": wide("id,expected,bert"),
    "pre-test and post-test": wide("student,pretest,posttest"),
    "metrics": wide("segment,bleu,comet,chrf"),
    "summaries": wide("item,agg,GT,adj,level"),
    "check boxes": wide("comment,toxic,obscene,threat", [(at % 2, (at + 1) % 2, 0) for at in range(6)]),
    "counts with unequal totals": csv("item,positive,neutral,negative", ("a", 3, 2, 0), ("b", 5, 1, 0), ("c", 1, 4, 2)),
    "names of people": wide("item,Anna,Ben"),
    "letters": wide("item,A,B,C,D"),
    "numbers of questions": wide("participant,Q1,Q2,Q3"),
    "somebody beside numbered raters": wide("item,Annot1,Annot2,Annot-Peter"),
    "their mean beside raters": csv(
        "item,rater1,rater2,rater_mean", ("a", 1, 2, 1.5), ("b", 3, 3, 3), ("c", 4, 5, 4.5)
    ),
    "ids of annotators": csv("item,annotator1,annotator2,label1,label2", ("a", 17, 4, 1, 2), ("b", 4, 9, 3, 3)),
    "ids of annotators beside the label": csv(
        "item,annotator1,annotator2,label", ("a", "x", "y", "yes"), ("b", "y", "z", "no")
    ),
    "a measure of each two annotators": csv("annotator 1,annotator 2,dice", ("ann", "bob", 0.8), ("ann", "cem", 0.7)),
    "how often each score was given": csv("Score,Annotator 1,Annotator 2", (1, 120, 90), (2, 60, 80), (3, 20, 30)),
    "answers and who gave them": csv("id,rater1,rater2,rater1gen", ("a", 17, 4, 1), ("b", 4, 9, 2)),
    "lists of labels": csv("id,rater_1,rater_2", ("a", "x", '"[""x"",""y""]"'), ("b", "z", "z")),
    "agreement of each two raters": csv(",rater1,rater2", ("rater1", 1.0, 0.8), ("rater2", 0.8, 1.0)),
    "crowd-kit's comparisons": csv(
        "worker,task,left,right,label", ("w", "t1", "a", "b", "a"), ("v", "t1", "a", "b", "b")
    ),
    "comparisons by side": csv(
        "worker,task,left,right,label", ("w", "t1", "a", "b", "left"), ("v", "t1", "a", "b", "right")
    ),
    "a task for several items": csv(
        "task,worker,label", *(("t1", worker, at % 5) for worker in "xyz" for at in range(6))
    ),
    "one id for two pairs": csv("id,left,right,rater,rating", (1, "a", "b", "x", 3), (1, "a", "c", "y", 4)),
    "one id under two conditions": csv(
        "id,left,right,condition,rater,rating", (1, "a", "b", "colour", "x", 3), (1, "a", "b", "form", "x", 4)
    ),
    "a HIT for several items": batch(
        "Answer.rating", *(f"H1,{who},Approved,{at % 5}" for who in "xyz" for at in range(6))
    ),
    "a question about the worker": batch(
        "Input.id,Answer.native,Answer.q2", "H1,x,Approved,p,1,4", "H1,y,Approved,p,0,2"
    ),
    "the first two words of many": batch("Input.word1,Input.word2,Input.word3,Answer.rating", "H1,x,Approved,a,b,c,4"),
    "several boxes ticked": batch(
        "Input.id,Answer.topic.art,Answer.topic.sport", "H1,x,Approved,p,true,true", "H1,y,Approved,p,true,false"
    ),
    "several boxes ticked, as JSON": batch(
        "Input.id,Answer.taskAnswers", 'H1,x,Approved,p,"[{""topic"":{""art"":true,""sport"":true}}]"'
    ),
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in REFUSED.items()])
def test_no_figure_comes_from_columns_that_nobody_called_raters(tmp_path: Path, monkeypatch, capsys, text):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(sim.errors.SimilitudeError):
        sim.read_judgements(path)
    code = command(monkeypatch, "reliability", str(path))
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    errors = [line for line in printed.err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    named = re.findall(r"--(?:column|where) '?([^ ,;)]+)", errors[0].partition("; ")[2])
    blanks = r"\w+=(?:NAME|A,B|A|VALUE|)|NAME=VALUE"
    assert [each for each in named if not re.fullmatch(blanks, each.rstrip("."))] == []


@pytest.mark.parametrize(
    "data",
    [
        [[5, 5, 4], [1, 2, 2], [3, 3, 3]],
        {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 2}},
        {"anna": [5, 1, 3], "ben": [5, 2, 3]},
    ],
    ids=["lists", "qrels", "columns"],
)
def test_objects_without_names_of_raters_are_refused(tmp_path, data):
    with pytest.raises(sim.errors.SimilitudeError):
        sim.read_judgements(data)
    path = tmp_path / "data.json"
    path.write_text(json.dumps(data))
    with pytest.raises(sim.errors.SimilitudeError):
        sim.read_judgements(path)


READ = {
    "raters by number": (wide("item,rater1,rater2"), {}, ["rater1", "rater2"]),
    "coders by letter": (wide("Nr,Coder A,Coder B,Coder C"), {}, ["Coder A", "Coder B", "Coder C"]),
    "annotators beside gold": (wide("id,annotator_1,annotator_2,gold"), {}, ["annotator_1", "annotator_2"]),
    "annot and judges": (wide("id,Annot1,Annot2,judgeA"), {}, ["Annot1", "Annot2", "judgeA"]),
    "raters in words": (wide("id,worker-1,worker-2", [("yes", "no"), ("no", "no")]), {}, ["worker-1", "worker-2"]),
    "DURel": (
        "lemma\tdate1\tgroup\tannotator1\tannotator2\tmean\tcomments1\n"
        "Aufkommen\t1776\tEARLIER\t4\t3\t3.5\t\nAufkommen\t1790\tLATER\t2\t1\t1.5\tunclear\n",
        {},
        ["annotator1", "annotator2"],
    ),
    "SeedTopicMine": (
        "Term\tAnnotator1\tAnnotator2\nalso\tnone\tgood\namazing\tgood\tgood\nanger\tbad\tbad\n",
        {},
        ["Annotator1", "Annotator2"],
    ),
    "people who are named": (wide("item,Anna,Ben"), {"raters": "Anna,Ben"}, ["Anna", "Ben"]),
    "all of them": (wide("item,Annot1,Annot2,Annot-Peter"), {"raters": "Annot*"}, ["Annot1", "Annot2", "Annot-Peter"]),
    "people beside texts": (
        csv("sentence1,sentence2,anna,ben,score", ("a", "b", 1, 2, 1.5), ("a", "c", 3, 3, 3)),
        {"raters": "anna,ben"},
        ["anna", "ben"],
    ),
    "people beside texts under other names": (
        csv("ticket_a,ticket_b,anna,ben,round", ("a", "b", 1, 2, 1), ("a", "c", 3, 3, 1)),
        {"left": "ticket_a", "right": "ticket_b", "raters": "anna,ben"},
        ["anna", "ben"],
    ),
    "people beside an answer": (
        csv("item,worker,label,anna,ben", ("p", "x", 5, 1, 2), ("q", "y", 5, 3, 3)),
        {"raters": "anna,ben"},
        ["anna", "ben"],
    ),
}


@pytest.mark.parametrize(("text", "columns", "raters"), READ.values(), ids=READ)
def test_raters_are_read_by_their_names_or_the_word_of_the_user(
    tmp_path: Path, monkeypatch, capsys, text, columns, raters
):
    path = tmp_path / "data.csv"
    path.write_text(text)
    judgements = sim.read_judgements(path, columns=columns)
    rows = text.count("\n") - 1
    assert judgements.annotators == raters
    assert (len(judgements.judged), len(judgements)) == (rows, rows * len(raters))
    said = [part for ours, theirs in columns.items() for part in ("--column", f"{ours}={theirs}")]
    assert command(monkeypatch, "reliability", str(path), "--json", "--resamples", "0", "--repeats", "2", *said) == 0
    assert json.loads(capsys.readouterr().out)["judgements"]["answers"] == len(judgements)


def test_three_ratings_in_lists_are_three_raters_if_the_user_says_so():
    judgements = sim.read_judgements([[5, 5, 4], [1, 2, 2]], columns={"raters": "left,right,score"})
    assert judgements.frame["value"].to_list() == [5, 5, 4, 1, 2, 2]


def test_comparisons_of_a_crowd_can_be_said(tmp_path: Path):
    path = tmp_path / "data.csv"
    path.write_text(
        csv("worker,task,left,right,label", ("w", "t1", "cat", "dog", "cat"), ("v", "t1", "cat", "dog", "dog"))
    )
    said = {"items": "left,right", "best": "label"}
    judgements = sim.read_judgements(path, format="pairs", columns=said)
    assert judgements.frame.select("annotator", "best", "worst").rows() == [("w", "cat", "dog"), ("v", "dog", "cat")]


def test_a_page_of_questions_can_be_said(tmp_path: Path):
    path = tmp_path / "batch.csv"
    path.write_text(batch("Input.id1,Input.id2,Answer.q1,Answer.q2,Answer.native", "H1,x,Approved,p,r,4,2,yes"))
    judgements = sim.read_judgements(path, columns={"value": "q1,q2"})
    assert judgements.frame.select("item", "value").rows() == [("p", 4.0), ("r", 2.0)]


def test_copies_of_answers_are_left_out_and_counted(tmp_path: Path):
    path = tmp_path / "data.csv"
    path.write_text(csv("item,annotator,value", *[("a", "x", 3), ("b", "x", 4), ("a", "y", 2)] * 3))
    assert len(sim.read_judgements(path)) == 3
