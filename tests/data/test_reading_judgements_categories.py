"""Answers in words: categories, the order that turns them into ratings, and words among numbers."""

from __future__ import annotations

import json

import pytest

from similitude.data.reading.judgements import read_judgements
from similitude.data.writing.judgements import write_judgements
from similitude.errors import ArgumentError, ColumnError, InputError

LONG = "task,worker,label\nx,ann,agree\nx,bob,differ\ny,ann,agree\ny,bob,agree\n"
WIDE = "item,rater1,rater2,rater3\nx,agree,agree,NA\ny,differ,agree,differ\nz,agree,differ,agree\n"


def test_words_in_a_long_table(make_file):
    judgements = read_judgements(make_file("l.csv", LONG))
    assert (judgements.kind, judgements.categories, judgements.scale) == ("category", ("agree", "differ"), None)
    assert judgements.frame["value"].to_list() == [0.0, 1.0, 0.0, 0.0]
    note = "answers are categories: agree, differ; if they have an order: --categories lowest,...,highest"
    assert note in judgements.provenance.notes


def test_words_in_a_wide_table(make_file):
    judgements = read_judgements(make_file("w.csv", WIDE))
    assert (judgements.kind, judgements.categories, len(judgements)) == ("category", ("agree", "differ"), 8)
    assert "w.csv: 1 cell holds no rating" in judgements.provenance.notes
    named = make_file("v.csv", "item,ann,bob\nx,a,b\ny,b,b\nz,a,a\n")
    people = read_judgements(named, columns={"raters": "ann,bob"})
    assert (people.annotators, people.categories) == (["ann", "bob"], ("a", "b"))


def test_a_symbol_is_no_category_of_a_wide_table(make_file):
    judgements = read_judgements(make_file("w.csv", "item,rater1,rater2\nx,flu,*\ny,cold,flu\nz,.,flu\n"))
    assert (judgements.categories, len(judgements)) == (("cold", "flu"), 4)


@pytest.mark.parametrize(("name", "text"), [("l.csv", LONG), ("w.csv", WIDE)])
def test_an_order_turns_words_into_ratings(make_file, name, text):
    judgements = read_judgements(make_file(name, text), categories=["Differ", "Agree"])
    assert (judgements.kind, judgements.categories, str(judgements.scale)) == ("rating", (), "0..1")
    assert judgements.scale is not None
    assert judgements.scale.origin == "declared"
    assert judgements.frame["value"].to_list()[:2] == ([1.0, 0.0] if name == "l.csv" else [1.0, 1.0])
    assert "categories are read as ratings: Differ = 0, Agree = 1" in judgements.provenance.notes


def test_an_order_must_name_all_categories(make_file):
    path = make_file("l.csv", LONG)
    with pytest.raises(InputError, match=r"l.csv, line 3: answer 'differ' is none of the categories low, agree"):
        read_judgements(path, categories=["low", "agree"])
    with pytest.raises(ArgumentError, match=r"does not name two or more different categories"):
        read_judgements(path, categories=["agree"])


def test_usual_words_with_an_order_are_not_guessed(make_file):
    text = "task,worker,label\nx,ann,very low\nx,bob,low\ny,ann,high\n"
    judgements = read_judgements(make_file("l.csv", text))
    assert (judgements.kind, judgements.categories) == ("category", ("high", "low", "very low"))


def test_categories_are_sorted_with_numbers_by_size(make_file):
    text = "task,worker,label\nx,ann,type 10\nx,bob,type 9\ny,ann,type 1\n"
    assert read_judgements(make_file("l.csv", text)).categories == ("type 1", "type 9", "type 10")


def test_words_among_numbers_stop(make_file):
    path = make_file("l.csv", "task,worker,label\nx,ann,4\nx,bob,unsure\ny,ann,3\n")
    with pytest.raises(InputError, match=r"line 3: 'unsure' in column 'label' is not a number; .*--missing .*--kind"):
        read_judgements(path)
    assert read_judgements(path, missing=["unsure"]).frame["value"].to_list() == [4.0, 3.0]
    words = read_judgements(path, kind="category")
    assert (words.kind, words.categories) == ("category", ("3", "4", "unsure"))


def test_numbers_with_words_are_read_as_numbers(make_file):
    text = "task,worker,label\nx,ann,4 - mostly alike\nx,bob,1 - unlike\n"
    judgements = read_judgements(make_file("l.csv", text))
    assert (judgements.kind, judgements.frame["value"].to_list()) == ("rating", [4.0, 1.0])
    assert any("are read as the number that they begin with" in note for note in judgements.provenance.notes)


def test_decimal_commas_are_no_categories(make_file):
    path = make_file("l.csv", "task;worker;label\nx;ann;3,5\nx;bob;2\ny;ann;4,0\n")
    with pytest.raises(InputError, match=r"line 2: '3,5' in column 'label' is not a number .*--decimal ,"):
        read_judgements(path)
    assert read_judgements(path, decimal=",").frame["value"].to_list() == [3.5, 2.0, 4.0]
    wide = make_file("w.csv", "item;rater1;rater2\nx;3,5;2\ny;1,5;2,5\n")
    assert read_judgements(wide, decimal=",").frame["value"].to_list() == [3.5, 2.0, 1.5, 2.5]


def test_categories_that_differ_only_in_case_are_one(make_file):
    judgements = read_judgements(make_file("l.csv", "task,worker,label\nx,ann,Agree\nx,bob,agree\ny,ann,agree \n"))
    assert judgements.categories == ("agree",)
    assert "categories 'Agree' and 'agree' differ only in case; read as one" in judgements.provenance.notes


def test_files_of_words_share_one_list_of_categories(make_file):
    one = make_file("a.csv", "task,worker,label\nx,ann,b\nx,bob,c\n")
    two = make_file("b.csv", "task,worker,label\ny,ann,a\ny,bob,c\n")
    judgements = read_judgements([one, two])
    assert judgements.categories == ("a", "b", "c")
    assert judgements.frame["value"].to_list() == [1.0, 2.0, 0.0, 2.0]
    numbers = make_file("c.csv", "task,worker,label\ny,ann,1\n")
    with pytest.raises(InputError, match=r"different kinds \(a.csv: 2 category, c.csv: 1 rating\).*--kind category"):
        read_judgements([one, numbers])


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
@pytest.mark.parametrize("kind", [None, "category"])
def test_categories_come_back_from_a_file(make_file, tmp_path, suffix, kind):
    text = LONG if kind is None else LONG.replace("agree", "1").replace("differ", "2")
    judgements = read_judgements(make_file("l.csv", text), kind=kind)
    again = read_judgements(write_judgements(judgements, tmp_path / f"again.{suffix}"))
    assert (again.kind, again.categories) == (judgements.kind, judgements.categories)
    assert again.frame.equals(judgements.frame)


def test_only_whether_the_question_applies(make_file):
    judgements = read_judgements(make_file("v.csv", "item,annotator,applies\nx,ann,yes\nx,bob,no\ny,ann,yes\n"))
    assert judgements.frame["applies"].to_list() == [True, False, True]
    assert (judgements.kind, judgements.scale, judgements.rated().height) == ("rating", None, 0)


# --- exports ----------------------------------------------------------------------------------------------------------


def test_label_studio_choices(make_file):
    def annotation(who: int, choice: str) -> dict[str, object]:
        result = {"from_name": "alike", "type": "choices", "value": {"choices": [choice]}}
        note = {"from_name": "why", "type": "textarea", "value": {"text": [f"because of {who} " * 10]}}
        return {"completed_by": who, "result": [result, note]}

    data = {"item_id": "p1", "text1": "a", "text2": "b"}
    task = {"id": 1, "data": data, "annotations": [annotation(1, "yes"), annotation(2, "no"), annotation(3, "yes")]}
    judgements = read_judgements(make_file("e.json", json.dumps([task])))
    assert (judgements.kind, judgements.categories) == ("category", ("no", "yes"))
    assert judgements.frame["value"].to_list() == [1.0, 0.0, 1.0]


def test_potato_labels(make_file):
    rows = [
        {"instance_id": "i1", "user_id": who, "labels": {"sim": {label: "true"}}}
        for who, label in (("ann", "alike"), ("bob", "unlike"), ("cem", "alike"))
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    judgements = read_judgements(make_file("annotations.jsonl", text))
    assert (judgements.kind, judgements.categories) == ("category", ("alike", "unlike"))
    ordered = read_judgements(make_file("annotations.jsonl", text), categories=["unlike", "alike"])
    assert ordered.frame["value"].to_list() == [1.0, 0.0, 1.0]


def test_mturk_radio_buttons(make_file):
    head = "HITId,AssignmentId,WorkerId,Input.id,Answer.same.yes,Answer.same.no"
    text = f"{head}\nH1,A1,W1,p1,true,false\nH1,A2,W2,p1,false,true\nH2,A3,W1,p2,true,false\n"
    judgements = read_judgements(make_file("b.csv", text))
    assert (judgements.categories, judgements.frame["value"].to_list()) == (("no", "yes"), [1.0, 0.0, 1.0])
    two = text.replace("Answer.same.no", "Answer.same.no,Answer.mood").replace("\nH", "\nH")
    rows = two.splitlines()
    path = make_file("c.csv", "\n".join([rows[0], *(f"{row},calm" for row in rows[1:])]) + "\n")
    with pytest.raises(ColumnError, match=r"several answers may be the rating: same, mood; .*--column value=NAME"):
        read_judgements(path)
    assert read_judgements(path, columns={"value": "same"}).categories == ("no", "yes")
