"""best-worst-csv: tuples in numbered columns, answers by name or position, and the oddities of published files."""

from __future__ import annotations

import pytest

from similitude.data.addresses import open_judgements
from similitude.data.benchmark import Benchmark
from similitude.data.reading.judgements import read_judgements
from similitude.data.reading.judgements.families import numbered_families
from similitude.errors import ColumnError, InputError

RUDDIT = "Item1,Item2,Item3,Item4,BestItem,WorstItem\na,b,c,d,c,a\nd,c,b,a,c,a\na,b,c,e,e,e\n"

PAIRS = "\"['a cat', 'one cat']\",\"['a dog', 'a car']\",\"['it is', \"\"it's\"\"]*\",\"['x', 'y']\""
SEMREL = f"SentPair1,SentPai2,SentPair3,SemPair4,Best,Worst\n{PAIRS},1,4\n{PAIRS},3,2.0\n"


def test_ids_and_no_annotators(make_file):
    judgements = read_judgements(make_file("r.csv", RUDDIT))
    assert judgements.frame["items"].to_list()[0] == ["a", "b", "c", "d"]
    assert judgements.frame["best"].to_list() == ["c", "c", "e"]
    assert judgements.frame["question"].to_list() == ["a|b|c|d", "a|b|c|d", "a|b|c|e"]  # the same in any order
    assert judgements.annotators == []
    notes = judgements.provenance.notes
    assert "columns matched: best=BestItem, worst=WorstItem" in notes
    assert "1 answer names one item both best and worst" in notes
    assert "1 to 2 answers for each tuple" in notes


def test_positions_misspelt_headers_and_pairs_of_texts(make_file):
    judgements = read_judgements(make_file("s.csv", SEMREL))
    assert judgements.items is not None
    texts = dict(zip(judgements.items["id"], judgements.items.select("left", "right").rows(), strict=True))
    assert list(texts.values()) == [("a cat", "one cat"), ("a dog", "a car"), ("it is", "it's"), ("x", "y")]
    assert [texts[best] for best in judgements.frame["best"]] == [("a cat", "one cat"), ("it is", "it's")]
    assert [texts[worst] for worst in judgements.frame["worst"]] == [("x", "y"), ("a dog", "a car")]
    assert "s.csv: answers are read as positions in the tuple, 1 to 4" in judgements.provenance.notes


def test_a_pair_has_the_same_id_in_any_file_and_order(make_file):
    one = read_judgements(make_file("s.csv", SEMREL))
    turned = "pair_1,pair_2,Most_Related,Least_Related\n\"['x', 'y']\",\"['a cat', 'one cat']\",2,1\n"
    other = read_judgements(make_file("t.csv", turned))
    assert set(other.judged) <= set(one.judged)
    both = read_judgements([make_file("s.csv", SEMREL), make_file("t.csv", turned)])
    assert len(both.judged) == 4


def test_pairs_of_texts_take_the_ids_of_a_benchmark(make_file):
    known = Benchmark.from_columns(
        "known",
        id=["p1", "p2", "p3", "p4"],
        left=["a cat", "a dog", "it is", "x"],
        right=["one cat", "a car", "it's", "y"],
    )
    judgements = read_judgements(make_file("s.csv", SEMREL), items=known)
    assert judgements.frame["items"].to_list()[0] == ["p1", "p2", "p3", "p4"]
    assert judgements.frame["best"].to_list() == ["p1", "p3"]
    fewer = Benchmark.from_columns("fewer", id=["p1"], left=["a cat"], right=["one cat"])
    with pytest.raises(InputError, match=r"s.csv, line 2: unknown item 'pair-"):
        read_judgements(make_file("s.csv", SEMREL), items=fewer)


def test_a_header_repeated_as_a_row_is_left_out_and_counted(make_file):
    repeated = SEMREL + "Pair 1,Pair 2,Pair 3,Pair 4,Most related,Least related\n"
    judgements = read_judgements(make_file("s.csv", repeated))
    assert len(judgements) == 2
    assert len(judgements.judged) == 4
    assert "s.csv: 1 row repeats the header; left out" in judgements.provenance.notes
    whole = RUDDIT + RUDDIT.splitlines()[0] + "\n" + RUDDIT.splitlines()[0] + "\n"
    assert "r.csv: 2 rows repeat the header; left out" in read_judgements(make_file("r.csv", whole)).provenance.notes


def test_items_that_are_named_best_and_worst_are_no_header(make_file):
    judgements = read_judgements(make_file("r.csv", "Item1,Item2,Best,Worst\nbest,worst,best,worst\n"))
    assert judgements.frame["best"].to_list() == ["best"]


@pytest.mark.parametrize(
    ("header", "answers"),
    [
        ("pair_1,pair_2,pair_3,Most_Related,Least_Related", ("x", "z")),
        ("pair 1,pair 2,pair 3,Most related,Least related", ("1", "3")),
        ("Item1,Item2,Item3,BestItem,WorstItem", ("Item1", "item3")),
        ("optionA,optionB,optionC,best,worst", ("A", "c")),
        ("w1,w2,w3,most,least", ("1.0", "3.0")),
    ],
)
def test_headers_and_ways_to_answer(make_file, header, answers):
    judgements = read_judgements(make_file("t.csv", f"{header}\nx,y,z,{answers[0]},{answers[1]}\n"))
    assert judgements.frame.select("items", "best", "worst").row(0) == (["x", "y", "z"], "x", "z")


def test_ids_that_look_like_positions_are_ids(make_file):
    # Every answer is in its tuple as an id; read as positions, 4 would lie outside the first tuple.
    judgements = read_judgements(make_file("t.csv", "Item1,Item2,Item3,Best,Worst\n4,2,1,4,1\n3,2,1,1,3\n"))
    assert judgements.frame["best"].to_list() == ["4", "1"]
    assert not any("position" in note for note in judgements.provenance.notes)


def test_one_reading_of_answers_for_the_whole_file(make_file):
    path = make_file("t.csv", "Item1,Item2,Best,Worst\nx,y,1,2\nx,y,2,1\nx,y,x,y\nz,y,9,1\n")
    with pytest.raises(InputError, match=r"t.csv, line 5: best answer '9' is not in its tuple \(z, y\)"):
        read_judgements(path)
    judgements = read_judgements(path, on_error="skip")
    assert judgements.frame["best"].to_list() == ["x", "y", "x"]


def test_a_stray_answer_among_ids_is_not_taken_for_a_position(make_file):
    path = make_file("t.csv", "Item1,Item2,Best,Worst\nx,y,x,y\nx,y,y,x\nx,y,2,x\n")
    with pytest.raises(InputError, match=r"t.csv, line 4: best answer '2' is not in its tuple \(x, y\)"):
        read_judgements(path)


def test_spaces_around_answers_do_not_matter(make_file):
    judgements = read_judgements(make_file("t.csv", "Item1,Item2,Best,Worst\nx ,y,x,y\nx,y,y, x\n"))
    assert judgements.frame["best"].to_list() == ["x", "y"]


def test_tuples_of_any_size_and_of_different_sizes(make_file):
    judgements = read_judgements(make_file("t.csv", "i1,i2,i3,i4,i5,best,worst\na,b,c,d,e,a,e\na,b,,,,b,a\n"))
    assert judgements.frame["items"].to_list() == [["a", "b", "c", "d", "e"], ["a", "b"]]
    assert "tuples have 2 to 5 items" in judgements.provenance.notes
    with pytest.raises(InputError, match=r"line 2: an item of the tuple is blank"):
        read_judgements(make_file("gap.csv", "i1,i2,i3,best,worst\na,,c,a,c\n"))


def test_annotators_questions_rounds_and_seconds(make_file):
    text = "question_id\tworker\tround\tduration\titem1\titem2\tbest\tworst\nq1\tann\tsecond\t2.5\ta\tb\ta\tb\n"
    row = read_judgements(make_file("t.tsv", text)).frame.row(0, named=True)
    assert (row["question"], row["annotator"], row["round"], row["seconds"]) == ("q1", "ann", "second", 2.5)


def test_columns_can_be_named(make_file):
    text = "one,two,three,top,flop\na,b,c,a,c\n"
    chosen = {"items": "one, two, three", "best": "top", "worst": "flop"}
    judgements = read_judgements(make_file("t.csv", text), columns=chosen)
    assert judgements.frame["items"].to_list() == [["a", "b", "c"]]
    with pytest.raises(ColumnError, match=r"no column for best; columns there: one, two, three, top, flop"):
        read_judgements(make_file("t.csv", text), format="best-worst-csv")
    with pytest.raises(ColumnError, match=r"no numbered columns for the items of a tuple.*--column items=A,B,C"):
        read_judgements(make_file("u.csv", "one,two,best,worst\na,b,a,b\n"), format="best-worst-csv")
    with pytest.raises(ColumnError, match=r"no column 'four' \(wanted for items\)"):
        read_judgements(make_file("t.csv", text), columns={**chosen, "items": "one,four"})


def test_misspelt_families_of_columns():
    assert numbered_families(["pair_1", "pair_2", "score1", "x"]) == [["pair_1", "pair_2"]]
    assert numbered_families(["Input.id1", "Input.id2", "Input.text1", "Input.text2"]) == [
        ["Input.id1", "Input.id2"],
        ["Input.text1", "Input.text2"],
    ]
    assert numbered_families(["item2", "item3", "best", "worst"]) == []
    assert numbered_families(["1", "2", "3"]) == [["1", "2", "3"]]


def test_ruddit(evidence):
    judgements = open_judgements(evidence / "ruddit" / "Ruddit_individual_annotations.csv.bz2")
    assert len(judgements) == 78_639
    assert judgements.frame["question"].n_unique() == 13_199
    assert len(judgements.judged) == 6_001  # the placeholder gold_comment beside 6,000 comments
    assert judgements.provenance.notes == (
        "columns matched: best=BestItem, worst=WorstItem",
        "557 answers name one item both best and worst",
        "3,455 answers are about a tuple that repeats an item; each occurrence counts",
        "annotators are not named; equal rows are taken to come from different people",
        "3 to 6 answers for each tuple",
    )
