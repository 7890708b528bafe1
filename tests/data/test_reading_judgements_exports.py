"""Exports of annotation tools: Potato, Label Studio and Mechanical Turk. All files here are made up."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from similitude.data.judgements import Judgements
from similitude.data.reading.judgements import read_judgements
from similitude.errors import ColumnError, FormatError, InputError


def answers(judgements: Judgements) -> list[tuple[str, str, float]]:
    return judgements.frame.select("item", "annotator", "value").rows()


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


# --- Potato -----------------------------------------------------------------------------------------------------------


def instance(name: str, labels: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A line of annotated_instances.jsonl, as Potato 1.x writes it."""
    behaviour = {"time_string": "Time spent: 0d 0h 1m 41s "}
    return {
        "id": name, "displayed_text": "some text", "label_annotations": labels, "span_annotations": [],
        "behavioral_data": behaviour, **more,
    }  # fmt: skip


def test_potato_likert_answers(make_file):
    rows = [
        instance("i1", {"sim": {"scale_4": "4"}, "note": {"text_box": "hm"}}),
        instance(
            "i2", {"sim": {"scale_10": "0"}}
        ),  # on a ten-point scale Potato 1.x writes the last digit as the value
        instance("consent.html", {"agree": {"yes": "true"}}),
    ]
    judgements = read_judgements(make_file("ann/annotated_instances.jsonl", lines(*rows)))
    assert answers(judgements) == [("i1", "ann", 4.0), ("i2", "ann", 10.0)]
    assert judgements.frame["seconds"].to_list() == [101.0, 101.0]  # 1 min 41 s
    assert judgements.provenance.format == "potato"
    notes = judgements.provenance.notes
    assert "annotated_instances.jsonl: read as the answers of 'ann', the name of its folder" in notes
    assert "annotated_instances.jsonl: 1 of 3 rows hold no answer to 'sim'; left out" in notes
    assert "annotated_instances.jsonl: answers not used: note, agree" in notes


def test_potato_folder_of_all_annotators(make_file):
    for who, point in (("ann", "2"), ("bob", "5")):
        row = instance("i1", {"sim": {f"scale_{point}": point}}, displayed_text="A. one cat<br>B. a cat")
        path = make_file(f"output/{who}/annotated_instances.jsonl", lines(row))
    judgements = read_judgements(path.parent.parent, scale="1..5")
    assert answers(judgements) == [("i1", "ann", 2.0), ("i1", "bob", 5.0)]
    assert judgements.items is not None
    assert judgements.items.select("id", "left", "right").rows() == [("i1", "one cat", "a cat")]
    assert judgements.provenance.files == ("ann/annotated_instances.jsonl", "bob/annotated_instances.jsonl")


def test_potato_file_of_several_people_who_are_not_named(make_file):
    row = instance("i1", {"sim": {"scale_4": "4"}})
    judgements = read_judgements(make_file("annotated_instances.jsonl", lines(row, row)))
    assert answers(judgements) == [("i1", None, 4.0), ("i1", None, 4.0)]
    assert any("pass the folder of all annotators" in note for note in judgements.provenance.notes)


def test_potato_table(make_file):
    text = (
        "user\tinstance_id\tdisplayed_text\tsim:::scale_1\tsim:::scale_4\tnote:::text_box\n"
        "ann\ti1\tsome \"text\t\t4\tok\nbob\ti1\tsome \"text\t1\t\t\n"
    )  # fmt: skip
    assert answers(read_judgements(make_file("a.tsv", text))) == [("i1", "ann", 4.0), ("i1", "bob", 1.0)]


def test_potato_two(make_file):
    rows = [{"instance_id": "i1", "user_id": who, "labels": {"sim": {"4": "4"}}} for who in ("ann", "bob")]
    assert answers(read_judgements(make_file("annotations.jsonl", lines(*rows)))) == [
        ("i1", "ann", 4.0),
        ("i1", "bob", 4.0),
    ]
    text = "instance_id,user_id,sim.4,sim.5\ni1,ann,4,\ni1,bob,,5\n"
    assert answers(read_judgements(make_file("annotations.csv", text))) == [("i1", "ann", 4.0), ("i1", "bob", 5.0)]


def test_potato_labels_that_begin_with_a_number_and_sliders(make_file):
    rows = [
        {"instance_id": "i1", "user_id": "ann", "labels": {"sim": {"4 - nearly the same": "true"}}},
        {"instance_id": "i2", "user_id": "ann", "labels": {"sim": {"slider": "2.5"}}},
    ]
    judgements = read_judgements(make_file("annotations.jsonl", lines(*rows)))
    assert judgements.frame["value"].to_list() == [4.0, 2.5]
    assert any("are read as the number that they begin with" in note for note in judgements.provenance.notes)


def test_potato_best_and_worst(make_file):
    tuples = [{"source_id": "s1", "position": "A"}, {"source_id": "s2", "position": "B"}]
    row = {"instance_id": "t1", "user_id": "ann", "labels": {"bws": {"best": "B", "worst": "A"}}, "bws_items": tuples}
    judgements = read_judgements(make_file("annotations.jsonl", lines(row)))
    assert judgements.frame.select("items", "best", "worst").row(0) == (["s1", "s2"], "s2", "s1")
    del row["bws_items"]
    with pytest.raises(InputError, match=r"the file does not list the items at these positions; .* bws_items"):
        read_judgements(make_file("annotations.jsonl", lines(row)))
    shown = instance("t1", {"bws": {"best": "A", "worst": "C"}}, displayed_text="A. one<br>B. two<br>C. three")
    judgements = read_judgements(make_file("ann/annotated_instances.jsonl", lines(shown)))
    assert judgements.frame.select("items", "best", "worst").row(0) == (["one", "two", "three"], "one", "three")


def test_potato_with_several_schemes_of_numbers(make_file):
    rows = lines(instance("i1", {"fluency": {"scale_2": "2"}, "likeness": {"scale_4": "4"}}))
    path = make_file("ann/annotated_instances.jsonl", rows)
    with pytest.raises(
        ColumnError, match=r"several answers may be the rating: fluency, likeness; .*--column value=NAME"
    ):
        read_judgements(path)
    assert answers(read_judgements(path, columns={"value": "likeness"})) == [("i1", "ann", 4.0)]
    with pytest.raises(ColumnError, match=r"no answers to 'grace' \(wanted for value\)"):
        read_judgements(path, columns={"value": "grace"})


def test_potato_without_any_number(make_file):
    path = make_file("ann/annotated_instances.jsonl", lines(instance("i1", {"note": {"text_box": "very long " * 10}})))
    with pytest.raises(ColumnError, match=r"no answer is known to be the rating; 'note' holds 'very long"):
        read_judgements(path)
    with pytest.raises(ColumnError, match=r"no answers for best and worst"):
        read_judgements(path, kind="best-worst")


# --- Label Studio -----------------------------------------------------------------------------------------------------


def annotation(who: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 1, "completed_by": who, "lead_time": 2.5, "was_cancelled": False, "result": list(results), **more}


def rated(value: Any) -> dict[str, Any]:
    return {"from_name": "sim", "to_name": "text", "type": "rating", "value": {"rating": value}}


PAIR = {"text1": "a cat", "text2": "one cat", "item_id": "p1"}


def test_label_studio_ratings(make_file):
    note = {"from_name": "why", "type": "textarea", "value": {"text": ["fine"]}}
    task = {
        "id": 7,
        "data": PAIR,
        "annotations": [
            annotation(3, rated(4), note),
            annotation({"id": 5, "email": "bob@example.org"}, rated(2)),
            annotation(6, was_cancelled=True),
        ],
    }
    judgements = read_judgements(make_file("export.json", json.dumps([task])))
    assert answers(judgements) == [("p1", "3", 4.0), ("p1", "bob@example.org", 2.0)]
    assert judgements.frame["question"].to_list() == ["7", "7"]
    assert judgements.frame["seconds"].to_list() == [2.5, 2.5]
    assert judgements.items is not None
    assert judgements.items.select("id", "left", "right").rows() == [("p1", "a cat", "one cat")]
    notes = judgements.provenance.notes
    assert "export.json: 1 annotations were skipped by their annotators; left out" in notes
    assert "export.json: answers not used: why" in notes


@pytest.mark.parametrize(
    "value", [{"number": 4}, {"rating": 4}, {"choices": ["4"]}, {"choices": ["4 - alike"]}, {"text": ["4"]}]
)
def test_label_studio_kinds_of_answers(make_file, value):
    result = {"from_name": "sim", "type": next(iter(value)), "value": value}
    task = {"id": 7, "data": PAIR, "completions": [annotation(1, result)]}
    assert answers(read_judgements(make_file("export.json", json.dumps([task])))) == [("p1", "1", 4.0)]


def test_label_studio_pairwise(make_file):
    def chosen(side: str) -> dict[str, Any]:
        return {"from_name": "pw", "to_name": "t1,t2", "type": "pairwise", "value": {"selected": side}}

    task = {"id": 7, "data": PAIR, "annotations": [annotation(1, chosen("left")), annotation(2, chosen("right"))]}
    judgements = read_judgements(make_file("export.json", json.dumps([task])))
    assert judgements.frame.select("items", "best", "worst").rows() == [
        (["a cat", "one cat"], "a cat", "one cat"),
        (["a cat", "one cat"], "one cat", "a cat"),
    ]


def test_label_studio_best_and_worst_as_choices(make_file):
    def chosen(name: str, choice: str) -> dict[str, Any]:
        return {"from_name": name, "type": "choices", "value": {"choices": [choice]}}

    data = {"id1": "p1", "id2": "p2", "id3": "p3", "text1": "x", "text2": "y", "text3": "z"}
    task = {"id": 7, "data": data, "annotations": [annotation(1, chosen("best", "2"), chosen("worst", "3"))]}
    judgements = read_judgements(make_file("export.json", json.dumps([task])))
    assert judgements.frame.select("items", "best", "worst").row(0) == (["p1", "p2", "p3"], "p2", "p3")


def test_label_studio_minimal_exports(make_file):
    row = {"id": 7, "sentence1": "a", "sentence2": "b", "annotation_id": 9, "lead_time": 1.5, "created_at": "t"}
    rows = [{**row, "annotator": 1, "sim": [{"rating": 4}]}, {**row, "annotator": 2, "sim": "3 - so so"}]
    judgements = read_judgements(make_file("min.json", json.dumps(rows)))
    assert judgements.frame["value"].to_list() == [4.0, 3.0]
    assert judgements.frame["annotator"].to_list() == ["1", "2"]
    text = (
        "annotation_id,annotator,created_at,id,lead_time,sentence1,sentence2,sim,updated_at\n"
        '9,ann@x,t,7,1.5,a,b,"[{""rating"": 4}]",t\n10,bob@x,t,7,2.5,a,b,"[{""rating"": 2}]",t\n'
    )
    judgements = read_judgements(make_file("min.csv", text))
    assert judgements.frame["value"].to_list() == [4.0, 2.0]
    assert judgements.frame["seconds"].to_list() == [1.5, 2.5]
    assert judgements.items is not None
    assert judgements.items.height == 1


def test_label_studio_without_annotations(make_file):
    with pytest.raises(InputError, match=r"none of 1 tasks has an annotation; export the tasks with their annotations"):
        read_judgements(make_file("export.json", json.dumps([{"id": 7, "data": PAIR, "annotations": []}])))
    with pytest.raises(FormatError, match=r"the JSON document is not a list of tasks"):
        read_judgements(make_file("export.json", "[1]"), format="label-studio")


def test_label_studio_answer_that_is_no_number(make_file):
    results = [{"from_name": "sim", "type": "choices", "value": {"choices": [choice]}} for choice in ("4", "3", "skip")]
    task = {"id": 7, "data": PAIR, "annotations": [annotation(at, result) for at, result in enumerate(results)]}
    path = make_file("export.json", json.dumps([task]))
    with pytest.raises(InputError, match=r"export.json, task '7': 'skip' in column 'sim' is not a number"):
        read_judgements(path)
    assert len(read_judgements(path, on_error="skip")) == 2


# --- Mechanical Turk --------------------------------------------------------------------------------------------------

HEAD = '"HITId","HITTypeId","Title","AssignmentId","WorkerId","AssignmentStatus","WorkTimeInSeconds"'


def batch(columns: str, *rows: str) -> str:
    return "\n".join([f"{HEAD},{columns}", *rows]) + "\n"


def test_mturk_ratings_without_rejected_assignments(make_file):
    text = batch(
        '"Input.id","Input.sentence1","Input.sentence2","Answer.similarity","Answer.comment","Approve","Reject"',
        '"H1","T","t","A1","W1","Approved","30","p1","a","b","4","","",""',
        '"H1","T","t","A2","W2","Rejected","3","p1","a","b","1","","","too fast"',
        '"H2","T","t","A3","W1","Submitted","20","p2","c","d","3 - close","hm","",""',
    )
    judgements = read_judgements(make_file("Batch_1_batch_results.csv", text))
    assert answers(judgements) == [("p1", "W1", 4.0), ("p2", "W1", 3.0)]
    assert judgements.frame["seconds"].to_list() == [30.0, 20.0]
    assert judgements.frame["question"].to_list() == ["H1", "H2"]
    assert judgements.items is not None
    assert judgements.items["left"].to_list() == ["a", "c"]
    assert "Batch_1_batch_results.csv: 1 of 3 assignments were rejected; left out" in judgements.provenance.notes


def test_mturk_page_of_several_ratings(make_file):
    text = batch(
        '"Input.id1","Input.text1","Input.id2","Input.text2","Answer.rating1","Answer.rating2"',
        "H1,T,t,A1,W1,Approved,30,p1,a,p2,b,4,5",
        "H1,T,t,A2,W2,Approved,20,p1,a,p2,b,2,x",
    )
    path = make_file("batch.csv", text)
    with pytest.raises(InputError, match=r"batch.csv, line 3: 'x' in column 'rating1, rating2' is not a number"):
        read_judgements(path)
    judgements = read_judgements(path, on_error="skip")
    assert answers(judgements) == [("p1", "W1", 4.0), ("p1", "W2", 2.0), ("p2", "W1", 5.0)]
    assert judgements.frame["seconds"].to_list() == [15.0, 10.0, 15.0]  # the time of a page, shared by its questions
    assert judgements.frame["question"].to_list() == ["H1/1", "H1/1", "H1/2"]


def test_mturk_page_of_pairs_that_share_a_text(make_file):
    text = batch(
        '"Input.left1","Input.right1","Input.left2","Input.right2","Answer.sim1","Answer.sim2"',
        "H1,T,t,A1,W1,Approved,30,a cat,a dog,a cat,a car,4,1",
        "H2,T,t,A2,W2,Approved,20,a cat,a car,a cat,a dog,0,5",
    )
    judgements = read_judgements(make_file("batch.csv", text))
    ids = dict(judgements.items.select("right", "id").rows())
    assert sorted(judgements.items.select("left", "right").rows()) == [("a cat", "a car"), ("a cat", "a dog")]
    assert sorted(answers(judgements)) == sorted(
        [(ids["a dog"], "W1", 4.0), (ids["a car"], "W1", 1.0), (ids["a car"], "W2", 0.0), (ids["a dog"], "W2", 5.0)]
    )
    assert "batch.csv: items are the pairs of texts in left1, left2 and right1, right2" in judgements.provenance.notes


@pytest.mark.parametrize("names", ["p1_1,p1_2,p2_1,p2_2", "text1_a,text1_b,text2_a,text2_b"])
def test_mturk_page_whose_texts_can_be_paired_in_two_ways(make_file, names):
    columns = [f"Input.{name}" for name in names.split(",")]
    row = "H1,T,t,A1,W1,Approved,30,a,b,c,d,4,1"
    path = make_file("batch.csv", batch(",".join([*columns, "Answer.sim1,Answer.sim2"]), row))
    told = (
        "which texts the 2 questions of a page are about.*name the texts in the order of the questions: --column left="
    )
    with pytest.raises(ColumnError, match=told):
        read_judgements(path)
    lists = names.split(",")
    by_pair = {"left": f"{lists[0]},{lists[2]}", "right": f"{lists[1]},{lists[3]}"}
    judgements = read_judgements(path, columns=by_pair)
    assert judgements.items.select("left", "right").rows() == [("a", "b"), ("c", "d")]
    by_text = {"left": f"Input.{lists[0]},Input.{lists[1]}", "right": f"{lists[2]},{lists[3]}"}
    assert read_judgements(path, columns=by_text).items.select("left", "right").rows() == [("a", "c"), ("b", "d")]


def test_mturk_best_and_worst(make_file):
    text = batch(
        '"Input.item1","Input.item2","Input.item3","Answer.best","Answer.worst"',
        "H1,T,t,A1,W1,Approved,30,x,y,z,item1,item2",
        "H9,T,t,A2,W2,Approved,20,z,y,x,1,3",
    )
    judgements = read_judgements(make_file("batch.csv", text))
    assert judgements.frame["best"].to_list() == ["x", "z"]
    assert judgements.frame["question"].to_list() == ["x|y|z", "x|y|z"]  # two HITs show one tuple
    assert judgements.annotators == ["W1", "W2"]


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        ('"Answer.taskAnswers"', '"[{""sim"":{""1"":false,""2"":true},""why"":""x""}]"'),
        ('"Answer.taskAnswers"', '"[{""sim"":""2""}]"'),
        ('"Answer.sim.1","Answer.sim.2"', "false,true"),
        ('"Answer.sim"', "2"),
    ],
)
def test_mturk_kinds_of_forms(make_file, columns, cells):
    text = batch(f'"Input.pair_id",{columns}', f"H1,T,t,A1,W1,Approved,30,p1,{cells}")
    assert answers(read_judgements(make_file("batch.csv", text))) == [("p1", "W1", 2.0)]


def test_mturk_columns_can_be_named_with_or_without_prefix(make_file):
    text = batch('"Input.key","Answer.a","Answer.b"', "H1,T,t,A1,W1,Approved,30,p1,4,5")
    for prefix in ("Answer.", ""):
        chosen = {"value": f"{prefix}b", "item": "Input.key"}
        assert answers(read_judgements(make_file("batch.csv", text), columns=chosen)) == [("p1", "W1", 5.0)]
    notes = read_judgements(make_file("batch.csv", text), columns={"value": "a"}).provenance.notes
    assert "batch.csv: every task is read as an item of its own" in notes


def test_mturk_batches_that_hold_nothing(make_file):
    with pytest.raises(InputError, match=r"all 1 assignments were rejected"):
        read_judgements(make_file("b.csv", batch('"Input.id","Answer.sim"', "H1,T,t,A1,W1,Rejected,30,p1,4")))
    with pytest.raises(ColumnError, match=r"no column 'Answer.NAME'"):
        read_judgements(make_file("b.csv", batch('"Input.id"', "H1,T,t,A1,W1,Approved,30,p1")))


# --- Qualtrics --------------------------------------------------------------------------------------------------------

SURVEY = """StartDate,ResponseId,PROLIFIC_PID,Q1,Q2,Q3
Start Date,Response ID,What is your id?,"A cat, one cat","A dog, one car",Fish / bread
"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID9""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2""}","{""ImportId"":""QID3""}"
2026-11-02,R_1,p1,FIRST,1,0
2026-11-02,R_2,p2,4,2,1
2026-11-03,R_3,p3,5,1,BAD
"""


def test_qualtrics_has_two_rows_of_questions_below_the_header(make_file):
    chosen = {"units": "Q1,Q2,Q3", "annotator": "PROLIFIC_PID"}
    text = SURVEY.replace("FIRST", "5").replace("BAD", "0")
    judgements = read_judgements(make_file("survey.csv", text), columns=chosen)
    assert sorted(answers(judgements)) == [
        *(("Q1", "p1", 5.0), ("Q1", "p2", 4.0), ("Q1", "p3", 5.0)),
        *(("Q2", "p1", 1.0), ("Q2", "p2", 2.0), ("Q2", "p3", 1.0)),
        *(("Q3", "p1", 0.0), ("Q3", "p2", 1.0), ("Q3", "p3", 0.0)),
    ]
    told = "survey.csv: the first 2 rows below the header repeat the questions (Qualtrics); left out"
    assert told in judgements.provenance.notes
    words = (
        SURVEY.replace("FIRST,1,0", "yes,a bit,no").replace("4,2,1", "yes,a bit,a bit").replace("5,1,BAD", "yes,no,no")
    )
    labels = read_judgements(make_file("words.csv", words), columns=chosen)
    assert (labels.kind, labels.categories) == ("category", ("a bit", "no", "yes"))
    assert labels.annotators == ["p1", "p2", "p3"]
    with pytest.raises(InputError, match=r"survey.csv, line 6: 'BAD' in column 'Q3' is not a number"):
        read_judgements(make_file("survey.csv", SURVEY.replace("FIRST", "5")), columns=chosen, kind="rating")


def exported(columns: dict[str, list[object]]) -> str:
    return "\n".join(",".join(map(str, row)) for row in [list(columns), *zip(*columns.values(), strict=True)]) + "\n"


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("Status", "APPROVED", "TIMED-OUT"),
        ("ASSIGNMENT:status", "APPROVED", "REJECTED"),
        ("answer", "accept", "ignore"),
    ],
    ids=["Prolific", "Toloka", "Prodigy"],
)
def test_answers_that_were_rejected_do_not_count_unseen(tmp_path, name, good, bad):
    path = tmp_path / "answers.csv"
    columns = {"annotator": list("xxyy"), "item": list("pqpq"), "rating": [1, 5, 2, 4], name: [good, good, good, bad]}
    path.write_text(exported(columns))
    with pytest.raises(InputError, match=f"1 row is {bad} by column '{name}'") as error:
        read_judgements(path, columns={"value": "rating"})
    for option, value in re.findall(r"--where '([^']+)=([^']+)'", str(error.value)):
        read = read_judgements(path, columns={"value": "rating"}, where={option: value})
        assert read.frame["value"].to_list() == [1, 5, 2]
    path.write_text(exported({**columns, name: [good] * 4}))
    assert len(read_judgements(path, columns={"value": "rating"})) == 4


def test_a_spam_answer_of_a_form_does_not_count_unseen(tmp_path):
    path = tmp_path / "form.csv"
    path.write_text(exported({"ResponseId": ["a", "b", "c"], "Status": ["IP Address", "IP Address", "Survey Preview"],
                              "Q1": [1, 2, 5], "Q2": [4, 5, 1]}))  # fmt: skip
    with pytest.raises(InputError, match="1 row is Survey Preview by column 'Status', which is not used"):
        read_judgements(path, columns={"units": "Q?"})
    assert len(read_judgements(path, columns={"units": "Q?"}, where={"Status": "IP Address"})) == 4
