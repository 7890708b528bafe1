"""Files each of which holds the answers of one annotator."""

from __future__ import annotations

import gzip

import pytest

import similitude as sim
from similitude.data.reading.judgements import read_judgements
from similitude.errors import ArgumentError, ColumnError, FormatError, InputError


def answers(judgements: sim.Judgements) -> list[tuple[str, str, float]]:
    return sorted(judgements.frame.select("item", "annotator", "value").rows())


def test_the_name_of_a_file_names_the_annotator(make_file):
    ann, bob = make_file("ann.csv", "item,rating\nx,4\ny,2\n"), make_file("bob.jsonl", '{"item": "x", "rating": 3}\n')
    read = read_judgements([ann, bob], annotator_per_file=True)
    assert answers(read) == [("x", "ann", 4.0), ("x", "bob", 3.0), ("y", "ann", 2.0)]
    assert [reading.details["annotator"] for reading in read.provenance.readings] == ["named by the file"] * 2


def test_a_packed_file_is_named_without_its_suffixes(make_file, tmp_path):
    packed = tmp_path / "cy.csv.gz"
    packed.write_bytes(gzip.compress(b"item,rating\nx,5\n"))
    plain = make_file("ann.csv", "item,rating\nx,4\n")
    assert read_judgements([packed, plain], annotator_per_file=True).annotators == ["cy", "ann"]


def test_scores_of_benchmarks_with_the_same_pairs_are_ratings(make_file):
    header = "id,sentence1,sentence2,score\n"
    files = [
        make_file(f"{name}.csv", f"{header}1,a b,c d,{said}\n2,e f,g h,2\n") for name, said in (("p", 4), ("q", 1))
    ]
    read = read_judgements(files, annotator_per_file=True)
    assert answers(read) == [("1", "p", 4.0), ("1", "q", 1.0), ("2", "p", 2.0), ("2", "q", 2.0)]
    assert read.items is not None
    assert read.items["left"].to_list() == ["a b", "e f"]


def test_rows_can_be_chosen_too(make_file):
    text = "item,rating,criterion\nx,4,style\nx,1,meaning\n"
    files = [make_file("ann.csv", text), make_file("bob.csv", text.replace("4", "5"))]
    read = read_judgements(files, annotator_per_file=True, where={"criterion": "style"})
    assert answers(read) == [("x", "ann", 4.0), ("x", "bob", 5.0)]


def test_the_flag_is_named_where_several_files_name_nobody(make_file):
    files = [make_file("ann.csv", "item,rating\nx,4\n"), make_file("bob.csv", "item,rating\nx,3\n")]
    with pytest.raises(FormatError, match=r"of one annotator: --annotator-per-file$"):
        read_judgements(files)
    with pytest.raises(FormatError, match=r"ratings-wide$"):
        read_judgements(files[0])
    pairs = [make_file(f"{name}.csv", f"left,right,score\na,b,{score}\n") for name, score in (("c", 3), ("d", 2))]
    with pytest.raises(InputError, match=r"keeps no judgements.*--annotator-per-file$"):
        read_judgements(pairs)


def test_files_that_name_annotators_are_refused(make_file):
    files = [make_file("one.csv", "item,worker,rating\nx,w,4\n"), make_file("two.csv", "item,rating\nx,3\n")]
    with pytest.raises(ColumnError, match=r"column 'worker' names annotators; leave out --annotator-per-file"):
        read_judgements(files, annotator_per_file=True)


def test_two_files_of_one_name_are_refused(make_file, tmp_path):
    (tmp_path / "again").mkdir()
    other = tmp_path / "again" / "ann.csv"
    other.write_text("item,rating\nx,3\n")
    with pytest.raises(ArgumentError, match=r"two files are named 'ann'.*rename"):
        read_judgements([make_file("ann.csv", "item,rating\nx,4\n"), other], annotator_per_file=True)
