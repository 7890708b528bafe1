"""Reading judgements: what all formats share, our own JSON lines, benchmarks that keep answers, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from similitude.data.addresses import open_benchmark, open_judgements
from similitude.data.benchmark import Benchmark
from similitude.data.reading.judgements import (
    JUDGEMENT_FORMATS,
    describe_judgement_formats,
    read_judgements,
    recognise_judgements,
)
from similitude.errors import ArgumentError, ColumnError, FormatError, InputError, ScaleError, UnknownNameError

BEST_WORST = {"question": "q1", "annotator": "ann", "items": ["x", "y", "z"], "best": "x", "worst": "z", "seconds": 2}
RATING = {"item": "x", "annotator": "ann", "value": 4}
CONDITION = {"group": "g", "annotator": "ann", "alike": "both are pets", "differ": "size"}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def notes_of(path: Path, **options: Any) -> str:
    return "\n".join(read_judgements(path, **options).provenance.notes)


# --- our own JSON lines -----------------------------------------------------------------------------------------------


def test_best_worst_lines(make_file):
    judgements = read_judgements(make_file("mine.jsonl", lines(BEST_WORST)))
    assert judgements.frame.row(0, named=True) == {**BEST_WORST, "round": "first", "seconds": 2.0}
    assert (judgements.name, judgements.kind, judgements.scale) == ("mine", "best-worst", None)
    assert judgements.provenance.files == ("mine.jsonl",)
    assert judgements.provenance.format == "judgements-jsonl"


def test_ratings_and_verifications_stand_in_one_table(make_file):
    refused = {"item": "y", "annotator": "ann", "applies": False}
    accepted = {"item": "y", "annotator": "bob", "applies": True, "value": 2}
    judgements = read_judgements(make_file("mine.jsonl", lines(RATING, refused, accepted)), scale="0..5")
    assert judgements.frame["value"].to_list() == [4.0, None, 2.0]
    assert judgements.frame["applies"].to_list() == [None, False, True]
    assert judgements.rated().height == 2
    assert "1 answer says that the question does not apply, without a rating" in judgements.provenance.notes


def test_a_rating_of_what_does_not_apply_is_set_aside_and_counted(make_file):
    path = make_file("mine.jsonl", lines(RATING, {"item": "y", "annotator": "ann", "applies": False, "value": 1}))
    judgements = read_judgements(path)
    assert judgements.frame["value"].to_list() == [4.0, None]
    assert "mine.jsonl: 1 rating dropped because the question does not apply" in judgements.provenance.notes


def test_kinds_mixed_in_one_file_are_counted_and_one_can_be_chosen(make_file):
    path = make_file("mine.jsonl", lines(BEST_WORST, RATING, {**RATING, "item": "y"}))
    with pytest.raises(InputError, match=r"mine.jsonl: judgements of several kinds: 1 best-worst, 2 rating; .*--kind"):
        read_judgements(path)
    assert len(read_judgements(path, kind="rating")) == 2
    assert len(read_judgements(path, kind="best-worst")) == 1


def test_bad_rows_of_a_kind_that_is_not_wanted_do_no_harm(make_file):
    path = make_file("mine.jsonl", lines(BEST_WORST, {**RATING, "value": "much"}))
    assert len(read_judgements(path, kind="best-worst")) == 1


def test_written_conditions_add_up_to_no_score(make_file):
    with pytest.raises(InputError, match=r"2 written condition: written conditions have no score"):
        read_judgements(make_file("only.jsonl", lines(CONDITION, CONDITION)))
    path = make_file("mixed.jsonl", lines(CONDITION, RATING))
    with pytest.raises(InputError, match=r"1 written condition, 1 rating; written conditions have no score"):
        read_judgements(path)
    assert len(read_judgements(path, kind="rating")) == 1


def test_a_kind_that_is_not_there(make_file):
    path = make_file("mine.jsonl", lines(BEST_WORST))
    with pytest.raises(InputError, match=r"there are no rating answers, but 1 best-worst"):
        read_judgements(path, kind="rating")
    with pytest.raises(ArgumentError, match=r"kind='likert' is not known; known: best-worst, rating"):
        read_judgements(path, kind="likert")  # type: ignore[arg-type]


def test_columns_of_json_lines_can_be_named_or_left_out(make_file):
    path = make_file("mine.jsonl", lines({**RATING, "note": "n1"}, {**RATING, "annotator": None, "note": "n2"}))
    with pytest.raises(InputError, match=r"mine.jsonl, line 2: the annotator is blank; .* --column annotator="):
        read_judgements(path)
    assert read_judgements(path, columns={"annotator": ""}).frame["annotator"].to_list() == [None, None]
    assert read_judgements(path, columns={"annotator": "note"}).frame["annotator"].to_list() == ["n1", "n2"]


# --- answers given more than once -------------------------------------------------------------------------------------


def test_ten_thousand_copies_of_one_row_are_one_answer_and_one_note(make_file):
    path = make_file("mine.jsonl", lines(BEST_WORST) * 10_000)
    judgements = read_judgements(path)
    assert len(judgements) == 1
    repeats = [note for note in judgements.provenance.notes if "repeat" in note]
    assert repeats == [
        "9,999 rows repeat an annotator's answer to the same question in the same round; left out"
    ]  # fmt: skip


def test_the_later_of_two_answers_counts(make_file):
    changed = {**BEST_WORST, "best": "y"}
    others = [{**BEST_WORST, "annotator": "bob"}] * 2
    judgements = read_judgements(make_file("mine.jsonl", lines(BEST_WORST, changed, *others)))
    assert judgements.frame.select("annotator", "best").rows() == [("ann", "y"), ("bob", BEST_WORST["best"])]
    notes = "\n".join(judgements.provenance.notes)
    assert "1 row repeats an annotator's answer" in notes
    assert "1 answer was superseded by a later one of the same annotator" in notes


def test_an_answer_that_was_taken_back_counts_again(make_file):
    other = {**RATING, "value": 2}
    bob = {**RATING, "annotator": "bob"}
    judgements = read_judgements(make_file("mine.jsonl", lines(RATING, other, RATING, bob)))
    assert judgements.frame["value"].to_list() == [4.0, 4.0]
    assert "1 answer was superseded by a later one of the same annotator; the last counts" in (
        judgements.provenance.notes
    )


def test_another_round_question_or_person_is_another_answer(make_file):
    rows = [RATING, {**RATING, "round": "second"}, {**RATING, "question": "again"}, {**RATING, "annotator": "bob"}]
    assert len(read_judgements(make_file("mine.jsonl", lines(*rows)))) == 4


def test_where_nobody_is_named_equal_rows_stay(make_file):
    unnamed = {key: value for key, value in BEST_WORST.items() if key != "annotator"}
    judgements = read_judgements(make_file("mine.jsonl", lines(unnamed, unnamed)))
    assert len(judgements) == 2
    assert "annotators are not named; equal rows are taken to come from different people" in judgements.provenance.notes


def test_oddities_are_kept_and_counted(make_file):
    rows = [
        {**BEST_WORST, "worst": "x"},
        {**BEST_WORST, "question": "q2", "items": ["x", "x", "z"]},
        {**BEST_WORST, "annotator": "bob"},
        {**BEST_WORST, "question": "q3", "items": ["x", "z"]},
    ]
    judgements = read_judgements(make_file("mine.jsonl", lines(*rows)))
    assert len(judgements) == 4
    assert judgements.provenance.notes == (
        "1 answer names one item both best and worst",
        "1 answer is about a tuple that repeats an item; each occurrence counts",
        "tuples have 2 to 3 items",
        "1 to 2 answers for each tuple",
    )


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ({"best": "w"}, r"best answer 'w' is not in its tuple \(x, y, z\)"),
        ({"worst": "w"}, r"worst answer 'w' is not in its tuple"),
        ({"best": None}, "there is no best answer"),
        ({"items": ["x"]}, "a tuple of 1 items"),
        ({"items": "x, y"}, "'x, y' in column 'items' is not a list of texts"),
        ({"items": ["x", ""]}, "an item of the tuple is blank"),
        ({"annotator": " "}, "the annotator is blank"),
        ({"items": ["x", "y", "w"], "worst": "w"}, r"question 'q1' was about other items above, not about \(x, y, w\)"),
        ({"seconds": "soon"}, "'soon' in column 'seconds' is not a number"),
    ],
)
def test_a_bad_best_worst_answer_stops_or_is_skipped(make_file, bad, what):
    path = make_file("mine.jsonl", lines(BEST_WORST, {**BEST_WORST, "annotator": "bob", **bad}))
    with pytest.raises(InputError, match=rf"mine.jsonl, line 2: {what}.*--on-error skip"):
        read_judgements(path)
    judgements = read_judgements(path, on_error="skip")
    assert len(judgements) == 1
    assert [skipped.where for skipped in judgements.provenance.skipped] == ["mine.jsonl, line 2"]


@pytest.mark.parametrize(
    ("bad", "what", "error"),
    [
        ({"value": "four"}, "'four' in column 'value' is not a number", InputError),
        ({"value": 5.5}, "rating 5.5 is off the scale 0..5", ScaleError),
        ({"value": float("nan")}, "rating nan is not a finite number", InputError),
        ({"item": None}, "the item is blank", InputError),
        ({"value": None, "applies": True}, "there is no rating", InputError),
        ({"applies": "perhaps"}, "'perhaps' in column 'applies' is not true or false", InputError),
        ({"value": None}, "the line holds no judgement", InputError),
    ],
)
def test_a_bad_rating_stops_or_is_skipped(make_file, bad, what, error):
    path = make_file("mine.jsonl", lines(RATING, {**RATING, "annotator": "bob", **bad}))
    with pytest.raises(error, match=f"mine.jsonl, line 2: {what}"):
        read_judgements(path, scale="0..5")
    judgements = read_judgements(path, scale="0..5", on_error="skip")
    assert len(judgements) == 1
    assert len(judgements.provenance.skipped) == 1


def test_every_bad_answer_is_counted(make_file):
    rows = [RATING, *({**RATING, "annotator": f"a{n}", "value": 9} for n in range(3))]
    with pytest.raises(ScaleError, match=r"line 2: rating 9 is off the scale 0..5 \(and 2 more rows have problems\)"):
        read_judgements(make_file("mine.jsonl", lines(*rows)), scale="0..5")


def test_nothing_left_is_an_error(make_file):
    with pytest.raises(
        InputError, match=r"mine.jsonl: no answer is left; 1 were skipped; the first: mine.jsonl, line 1"
    ):
        read_judgements(make_file("mine.jsonl", lines({**RATING, "item": None})), on_error="skip")


def test_files_that_are_empty_missing_or_of_no_known_form(make_file, tmp_path):
    with pytest.raises(InputError, match=r"none.csv: the file is empty; at least one answer is needed"):
        read_judgements(make_file("none.csv", " \n"))
    with pytest.raises(InputError, match=r"no such file"):
        read_judgements(tmp_path / "nowhere.csv")
    with pytest.raises(FormatError, match=r"format of judgements not recognised.*2 columns: a .*, b .*ratings-long"):
        read_judgements(make_file("odd.csv", "a,b\nx,y\n"))
    with pytest.raises(FormatError, match=r"odd.json, line 1, column 3: broken JSON"):
        read_judgements(make_file("odd.json", "[{"))
    with pytest.raises(InputError, match=r"this benchmark keeps no judgements, only scores"):
        read_judgements(make_file("scores.csv", "id,left,right,score\n1,a,b,3\n"))
    with pytest.raises(UnknownNameError, match=r"no format of judgements named 'ratings-wise'; did you mean"):
        read_judgements(make_file("x.csv", "a,b\n"), format="ratings-wise")
    with pytest.raises(ArgumentError, match=r"'rating' is not a column of judgements"):
        read_judgements(make_file("y.csv", "task,worker,label\n1,2,3\n"), columns={"rating": "label"})
    with pytest.raises(ArgumentError, match=r"no file to read"):
        read_judgements([])
    with pytest.raises(ArgumentError, match=r"on_error='leap' is not known"):
        read_judgements(tmp_path / "x", on_error="leap")  # type: ignore[arg-type]


def test_a_column_that_the_user_named_must_be_there(make_file):
    with pytest.raises(ColumnError, match=r"no column 'mark' \(wanted for value\); columns there: task, worker, label"):
        read_judgements(make_file("y.csv", "task,worker,label\n1,2,3\n"), columns={"value": "mark"})


# --- items ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def three() -> Benchmark:
    return Benchmark.from_columns("three", id=["x", "y", "z"], left=["a", "b", "c"], right=["d", "e", "f"])


def test_items_of_a_benchmark_give_texts(make_file, three):
    judgements = read_judgements(make_file("mine.jsonl", lines(RATING)), items=three)
    assert judgements.items is not None
    assert judgements.items.select("id", "left", "right").rows() == [("x", "a", "d")]
    assert "2 of 3 items of 'three' were not judged" in judgements.provenance.notes


def test_an_unknown_item_is_an_error_or_skipped(make_file, three):
    path = make_file("mine.jsonl", lines(BEST_WORST, {**BEST_WORST, "question": "q2", "items": ["x", "v", "z"]}))
    with pytest.raises(InputError, match=r"mine.jsonl, line 2: unknown item 'v', which is not in 'three'; .*--items"):
        read_judgements(path, items=three)
    judgements = read_judgements(path, items=three, on_error="skip")
    assert len(judgements) == 1
    assert [skipped.why for skipped in judgements.provenance.skipped] == ["unknown item 'v', which is not in 'three'"]


def test_items_may_be_a_path(make_file):
    items = make_file("items.csv", "id,left,right\nx,a,d\n")
    assert read_judgements(make_file("mine.jsonl", lines(RATING)), items=items).items is not None
    with pytest.raises(InputError, match=r"unknown item 'y', which is not in 'items'"):
        read_judgements(make_file("more.jsonl", lines({**RATING, "item": "y"})), items=items)


def test_items_beside_the_file_give_texts(make_file):
    path = make_file("mine.jsonl", lines(RATING, {**RATING, "item": "y"}))
    make_file("mine.items.jsonl", lines({"id": "x", "left": "a", "right": "d"}))
    judgements = read_judgements(path)
    assert judgements.items is not None
    assert judgements.items["id"].to_list() == ["x"]
    assert "the texts of 1 of 2 items are not known" in judgements.provenance.notes


# --- scales -----------------------------------------------------------------------------------------------------------


def test_the_scale_is_declared_stated_or_inferred(make_file):
    path = make_file("mine.jsonl", lines(RATING))
    inferred = read_judgements(path)
    assert (str(inferred.scale), inferred.scale.origin) == ("1..5", "inferred")
    assert any(note.startswith("scale inferred as 1..5") for note in inferred.provenance.notes)
    assert str(read_judgements(path, scale="0..10").scale) == "0..10"
    stated = make_file("stated.jsonl", lines({**RATING, "scale": "0..6"}))
    assert (str(read_judgements(stated).scale), read_judgements(stated).scale.origin) == ("0..6", "declared")
    with pytest.raises(ScaleError, match=r"column 'scale' holds '0..6; 0..7', which is not one scale"):
        read_judgements(make_file("two.jsonl", lines({**RATING, "scale": "0..6"}, {**RATING, "scale": "0..7"})))


# --- several files, benchmarks, the sample ----------------------------------------------------------------------------


def test_several_files_become_one_table(make_file):
    first = make_file("round1.csv", "task,worker,label\nx,ann,4\n")
    second = make_file("round2.jsonl", lines({**RATING, "annotator": "bob", "value": 2}))
    judgements = read_judgements([first, second], name="both")
    assert judgements.frame["annotator"].to_list() == ["ann", "bob"]
    assert judgements.name == "both"
    assert judgements.provenance.files == ("round1.csv", "round2.jsonl")
    assert judgements.provenance.format == "ratings-long, judgements-jsonl"


def test_several_files_of_different_kinds(make_file):
    paths = [make_file("r.jsonl", lines(RATING)), make_file("b.jsonl", lines(BEST_WORST))]
    with pytest.raises(InputError, match=r"different kinds \(r.jsonl: 1 rating, b.jsonl: 1 best-worst\)"):
        read_judgements(paths)
    with pytest.raises(InputError, match=r"r.jsonl: there are no best-worst answers, but 1 rating"):
        read_judgements(paths, kind="best-worst")


def test_a_benchmark_that_keeps_ratings(make_file):
    row = {"id": "7", "left": "a", "right": "b", "ratings": [1, 2.5], "raters": ["r", "s"], "scale": "0..5"}
    judgements = open_judgements(make_file("pairs.jsonl", lines(row)))
    assert judgements.frame.select("item", "annotator", "value", "round").rows() == [
        ("7", "r", 1.0, "first"),
        ("7", "s", 2.5, "first"),
    ]
    assert judgements.items is not None
    assert judgements.items["left"].to_list() == ["a"]
    assert str(judgements.scale) == "0..5"
    as_csv = make_file("pairs.csv", 'id,left,right,ratings\n7,a,b,"[1, 2.5]"\n')
    assert open_judgements(as_csv).frame["value"].to_list() == [1.0, 2.5]


def test_a_benchmark_with_best_worst_answers_beside_it(make_file):
    path = make_file("pairs.csv", "id,left,right\nx,a,b\ny,c,d\nz,e,f\n")
    make_file("pairs.judgements.jsonl", lines(BEST_WORST))
    judgements = open_judgements(path)
    assert (judgements.kind, judgements.provenance.format) == ("best-worst", "benchmark")
    make_file("pairs.judgements.jsonl", lines({**BEST_WORST, "best": "w"}))
    with pytest.raises(InputError, match=r"pairs.csv, answer 1: best answer 'w' is not in its tuple"):
        open_judgements(path)


def test_several_files_of_a_benchmark_keep_equal_ids_apart(make_file):
    rows = {"left": "a", "right": "b", "ratings": [1, 2]}
    paths = [make_file(f"{name}.jsonl", lines({"id": "1", **rows})) for name in ("train", "test")]
    assert open_judgements(paths).judged == ["train/1", "test/1"]


def test_the_format_of_a_benchmark_can_be_named(make_file):
    document = {"1": {"s1": "a", "s2": "b", "raw_annotation": [1, 2, 3, 4, 5], "mean_score": 3, "std": 1.4}}
    judgements = open_judgements(make_file("u.json", json.dumps(document)), format="usts")
    assert judgements.frame["round"].to_list() == ["second", "first", "first", "first", "first"]


def test_the_sample():
    assert repr(open_judgements("sample:opinions")) == (
        "<Judgements 'sample:opinions': 600 rating answers about 60 items>"
    )
    dialogues = open_judgements("sample:dialogues")
    assert dialogues.kind == "best-worst"
    assert dialogues.provenance.judged_by is not None
    assert open_judgements(open_benchmark("sample:dialogues")).frame.equals(dialogues.frame)


def test_every_format_is_described():
    described = describe_judgement_formats()
    assert [name for name, _, _ in described] == list(JUDGEMENT_FORMATS)
    assert all(how and what for _, how, what in described)


def test_formats_are_recognised_by_what_files_hold(make_file):
    assert recognise_judgements(make_file("a.csv", "task,worker,label\n1,2,3\n")) == "ratings-long"
    assert recognise_judgements(make_file("b.csv", "id,rater1,rater2\n1,2,3\n")) == "ratings-wide"
    assert recognise_judgements(make_file("c.csv", "Item1,Item2,Best,Worst\na,b,a,b\n")) == "best-worst-csv"
    assert recognise_judgements(make_file("d.jsonl", lines(RATING))) == "judgements-jsonl"
    assert recognise_judgements(make_file("e.jsonl", lines({"left": "a", "right": "b", "ratings": [1]}))) == "benchmark"


# --- real files -------------------------------------------------------------------------------------------------------


def test_ratings_of_usts_with_rounds(evidence):
    judgements = open_judgements(evidence / "usts" / "ustsc")
    assert len(judgements) == 114_969  # 6,051 pairs x 19 ratings
    assert judgements.annotators == []  # the places of a list are no people
    assert judgements.provenance.readings[0].details["people"] == "unnamed"
    people = open_judgements(evidence / "usts" / "ustsc", positions_are_people=True)
    assert len(people.annotators) == 19
    assert people.provenance.readings[0].details["people"] == "positions"
    counts = dict(judgements.frame.group_by("round").len().iter_rows())
    assert counts == {"first": 6_051 * 4, "second": 6_051 * 15}
    assert str(judgements.scale) == "0..5"


def test_groups_of_raters_of_usts(evidence):
    judgements = open_judgements(evidence / "usts" / "usts_multilingual_case_study_examples.json.bz2")
    groups = set(judgements.frame["group"].to_list())
    assert groups == {"Chinese native", "English native", "General user", "Oversea student", "Translator"}


def test_scores_alone_are_no_judgements(evidence):
    with pytest.raises(InputError, match=r"this benchmark keeps no judgements, only scores"):
        open_judgements(evidence / "nlu-de" / "NLU-Data-Home-Domain-similarity-de.csv.bz2")


def test_the_page_lists_every_format():
    page = (Path(__file__).parents[2] / "docs" / "judgements.md").read_text(encoding="utf-8")
    for name, how, what in describe_judgement_formats():
        assert f"| `{name}` | {how} | {what} |" in page


def test_how_items_were_read_is_part_of_the_provenance(make_file):
    items = make_file("items.csv", "id,left,right\na,x,y\nb,,z\nc,v,w\n")
    answers = make_file("answers.csv", "item,annotator,value\na,ann,1\nc,ann,4\na,bob,2\nc,bob,5\n")
    made = read_judgements(answers, items=open_benchmark(items, on_error="skip"))
    assert [reading.file for reading in made.provenance.readings] == ["answers.csv", "items.csv"]
    assert [skipped.where for skipped in made.provenance.skipped] == ["items.csv, line 3"]
