"""Recipes: every shipped one on a small file in exactly the published layout, the keys, and mistakes."""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from similitude.data.reading import BenchmarkSource, read, recognise
from similitude.data.reading.judgements import read_judgements
from similitude.data.reading.judgements.recognition import looks_like_judgements
from similitude.data.reading.recipes import Recipe, documented_keys, recipe_text, shipped_names, shipped_recipes
from similitude.data.reading.toml_file import TomlFile
from similitude.errors import (
    ArgumentError,
    ColumnError,
    FormatError,
    InputError,
    ScaleError,
    SimilitudeError,
    UnknownNameError,
)

EVIDENCE = Path(__file__).parents[2] / "evidence"


class FakeDataset:
    """As much of a dataset of the hub as the reader asks for."""

    split, features = None, {}

    def __init__(self, columns: dict[str, list]) -> None:
        self.columns = columns

    def with_format(self, _: None) -> FakeDataset:
        return self

    def to_polars(self) -> pl.DataFrame:
        return pl.DataFrame(self.columns)


def cells(benchmark, *names: str) -> list[tuple]:
    return benchmark.frame.select(names).rows()


def one_line(error: pytest.ExceptionInfo[SimilitudeError], *words: str) -> None:
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


# --- the shipped recipes --------------------------------------------------------------------------------------------


def test_every_shipped_recipe_is_valid_and_complete():
    for recipe in shipped_recipes():
        assert recipe.title
        assert recipe.summary
        assert recipe.citation
        assert recipe.described
        assert recipe.scale
    assert [recipe.name for recipe in shipped_recipes()] == shipped_names()


def test_no_shipped_recipe_claims_a_plain_file(make_file):
    plain = make_file("plain.csv", "sentence1,sentence2,score\nA dog runs.,A cat sleeps.,0.5\nHe sings.,She sings.,4\n")
    assert recognise(plain) not in shipped_names()


SEMREL = (
    'PairID,Text,Score\nENG-train-0000,"The kettle is on, again.\nSomebody boils ""water"".",0.82\n'
    "ENG-train-0001,A red bus.\\nA bus that is red.,1.0\n"
    "ENG-train-0002,One.\tTwo.,0\n"
)


def test_semrel_has_both_texts_in_one_cell(make_file):
    path = make_file("eng_train.csv", SEMREL)
    assert recognise(path) == "semrel2024"
    found = read(path)
    assert cells(found, "id", "left", "right", "score") == [
        ("ENG-train-0000", "The kettle is on, again.", 'Somebody boils "water".', 0.82),
        ("ENG-train-0001", "A red bus.", "A bus that is red.", 1.0),
        ("ENG-train-0002", "One.", "Two.", 0.0),
    ]
    assert found.frame["language"].unique().to_list() == ["eng"]
    assert found.frame["split"].unique().to_list() == ["train"]
    assert str(found.scale) == "0..1"
    assert found.scale.origin == "format"
    assert any(note.startswith("citation: Ousidhoum") for note in found.provenance.notes)
    assert found.provenance.readings[0].details["recipe"] == "semrel2024"


def test_semrel_test_files_have_no_gold_and_labelled_ones_take_their_place(make_file, tmp_path):
    make_file("Track A/esp/esp_train.csv", 'PairID,Text,Score\nESP-train-1,"Uno.\nDos.",0.5\n')
    make_file("Track A/esp/esp_dev.csv", 'PairID,Text\nESP-dev-1,"Tres.\nCuatro."\n')
    make_file("Track A/esp/esp_dev_with_labels.csv", 'PairID,Text,Score\nESP-dev-1,"Tres.\nCuatro.",0.25\n')
    make_file("Track A/eng/eng_test.csv", 'PairID,Text\nENG-test-1,"Five.\nSix."\n')
    assert recognise(tmp_path / "Track A") == "semrel2024"
    found = read(tmp_path / "Track A")
    assert sorted(cells(found, "id", "language", "split", "score")) == [
        ("ENG-test-1", "eng", "test", None),
        ("ESP-dev-1", "spa", "dev", 0.25),
        ("ESP-train-1", "spa", "train", 0.5),
    ]
    assert "esp_dev.csv was left out: esp_dev_with_labels.csv holds the same part" in found.provenance.notes


def test_semrel_in_other_containers(make_file, tmp_path):
    rows = [
        {"PairID": "a1", "Text": "One.\nTwo.", "Score": 0.5},
        {"PairID": "a2", "Text": "Three.\nFour.", "Score": 0.25},
    ]
    lines = make_file("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")
    expected = [("a1", "One.", "Two.", 0.5), ("a2", "Three.", "Four.", 0.25)]
    for path in (lines, tmp_path / "rows.parquet"):
        assert recognise(path) == "semrel2024"
        assert cells(read(path), "id", "left", "right", "score") == expected


@pytest.mark.parametrize("text", ["Only one.", '"One.\nTwo.\nThree."'])
def test_semrel_cells_with_another_number_of_texts_are_problems_of_their_rows(make_file, text: str):
    path = make_file("eng_dev.csv", f'PairID,Text,Score\nE1,"A.\nB.",0.5\nE2,{text},0.25\n')
    with pytest.raises(InputError) as error:
        read(path)
    one_line(error, "eng_dev.csv, line 4", "in column 'Text' has", "not 2")
    kept = read(path, on_error="skip")
    assert kept.items.lefts == ["A."]
    assert len(kept.provenance.skipped) == 1


def test_cnsd_is_separated_by_two_bars(make_file, tmp_path):
    train = make_file("cnsd-sts-train.txt", '0001||他说"好"。||她|也同意。||3.8\n0001||下雨了。||天晴。||0\n')
    make_file("cnsd-sts-test.txt", "0007||一。||二。||5\n")
    assert recognise(train) == "cnsd-stsb"
    assert cells(read(train), "id", "left", "right", "score", "language", "split") == [
        ("0001", '他说"好"。', "她|也同意。", 3.8, "zh", "train"),
        ("0001-2", "下雨了。", "天晴。", 0.0, "zh", "train"),
    ]
    both = read(tmp_path)
    assert both.frame["split"].to_list() == ["test", "train", "train"]
    assert both.licence == "for research only"
    assert str(both.scale) == "0..5"


def grade(make_file, scores: str = "3.5\n1\n") -> Path:
    make_file(
        "evaluation/eval_data/convai2/bert_ranker/human_ctx.txt", "hi there|||how are you ?\ni ski .|||me too .\n"
    )
    make_file("evaluation/eval_data/convai2/bert_ranker/human_hyp.txt", "fine .\nwhere ?\n")
    if scores:
        make_file("evaluation/human_score/convai2/bert_ranker/human_score.txt", scores)
    return make_file("evaluation/README.txt", "x").parent


def test_grade_has_contexts_replies_and_scores_in_three_files(make_file):
    folder = grade(make_file)
    assert recognise(folder) == "grade"
    found = read(folder)
    assert cells(found, "id", "context", "left", "right", "score", "source") == [
        ("convai2/bert_ranker-1", ["hi there", "how are you ?"], "how are you ?", "fine .", 3.5, "convai2/bert_ranker"),
        ("convai2/bert_ranker-2", ["i ski .", "me too ."], "me too .", "where ?", 1.0, "convai2/bert_ranker"),
    ]
    assert str(found.scale) == "1..5"
    assert found.provenance.files == ("human_ctx.txt", "human_hyp.txt", "human_score.txt")
    assert cells(read(folder / "eval_data/convai2/bert_ranker/human_ctx.txt"), "score") == [(3.5,), (1.0,)]


def test_grade_without_scores_or_with_other_lines_is_refused(make_file):
    with pytest.raises(InputError) as error:
        read(grade(make_file, scores=""))
    one_line(error, "human_score/convai2/bert_ranker/human_score.txt is missing", "optional = true")
    with pytest.raises(InputError) as error:
        read(grade(make_file, scores="3.5\n1\n2\n"))
    one_line(error, "human_ctx.txt", "2 lines, but human_score.txt has 3")


PAIRS = ',Sentence 1,Sentence 2\n1,"Cells divide, slowly.",Slow division of cells.\n2,Genes mutate.,Proteins fold.\n'
SCORES = "Sentence No,Annotator A,Annotator B,Annotator C,Annotator D,Annotator E\n1,4,4,3,4,3\n2,0,1,0,0,\n"


def test_biosses_has_five_ratings_in_another_table(make_file):
    path = make_file("Annotation-Pairs.csv", PAIRS)
    make_file("Annotator-Scores.csv", SCORES)
    assert recognise(path) == "biosses"
    found = read(path)
    # means by hand: 18 / 5, and 1 / 4 because annotator E gave no rating
    assert cells(found, "id", "left", "right", "score", "ratings", "raters") == [
        ("1", "Cells divide, slowly.", "Slow division of cells.", 3.6, [4.0, 4.0, 3.0, 4.0, 3.0],
         [f"Annotator {letter}" for letter in "ABCDE"]),
        ("2", "Genes mutate.", "Proteins fold.", 0.25, [0.0, 1.0, 0.0, 0.0],
         [f"Annotator {letter}" for letter in "ABCD"]),
    ]  # fmt: skip
    assert str(found.scale) == "0..4"
    assert found.licence == "GPL-3.0"


def test_biosses_scores_must_have_as_many_rows(make_file):
    path = make_file("Annotation-Pairs.csv", PAIRS)
    make_file("Annotator-Scores.csv", SCORES.rpartition("2,0")[0])
    with pytest.raises(InputError) as error:
        read(path)
    one_line(error, "Annotation-Pairs.csv", "2 lines, but Annotator-Scores.csv has 1")


def test_semeval_years_with_gold_beside_input(make_file, tmp_path):
    make_file("STS2012-test/STS.input.MSRpar.txt", 'A "man.\tA boy.\nB.\tC.\n')
    make_file("STS2012-test/STS.gs.MSRpar.txt", "4.2\n0\n")
    make_file("STS2012-test/STS.gs.ALL.txt", "4.2\n0\n")
    make_file("sts2016/STS2016.input.headlines.txt", "D.\tE.\thttp://d\thttp://e\nF.\tG.\thttp://f\thttp://g\n")
    make_file("sts2016-gs/STS2016.gs.headlines.txt", "\n2\n")
    make_file("blind/STS.input.OnWN.txt", "H.\tI.\n")
    assert recognise(tmp_path) == "semeval-sts"
    found = read(tmp_path)
    assert sorted(cells(found, "id", "left", "right", "score", "source")) == [
        ("STS2012-test/MSRpar-1", 'A "man.', "A boy.", 4.2, "STS2012-test/MSRpar"),
        ("STS2012-test/MSRpar-2", "B.", "C.", 0.0, "STS2012-test/MSRpar"),
        ("blind/OnWN-1", "H.", "I.", None, "blind/OnWN"),
        ("sts2016/headlines-1", "D.", "E.", None, "sts2016/headlines"),
        ("sts2016/headlines-2", "F.", "G.", 2.0, "sts2016/headlines"),
    ]
    assert "STS.input.OnWN.txt: there is no STS.gs.OnWN.txt, so there is no score" in found.provenance.notes
    assert str(found.scale) == "0..5"


def test_semeval_gold_in_two_places_is_refused(make_file, tmp_path):
    make_file("test/STS.input.a.txt", "A.\tB.\n")
    make_file("gs-1/STS.gs.a.txt", "1\n")
    make_file("gs-2/STS.gs.a.txt", "2\n")
    with pytest.raises(InputError) as error:
        read(tmp_path)
    one_line(error, "fit '../*gs*/{task}.gs.{name}.txt'", "keep one of them")


STS22_HEADER = (
    "url1_lang,url2_lang,pair_id,link1,link2,ia_link1,ia_link2,Geography,Entities,Time,Narrative,Overall,Style,Tone"
)


def sts22(make_file, overall: str = "Overall") -> Path:
    for name, title, text in (("1501", "Rain", "It rained."), ("1602", "Sun", "It shone."), ("1703", "Fog", "")):
        make_file(f"articles/{name[-2:]}/{name}.json", json.dumps({"title": title, "text": text}))
    rows = ["en,de,1501_1602,u,v,w,x,1,1,1,1,1.0,1,1", "en,en,1602_1703,u,v,w,x,4,4,4,4,3.5,1,1"]
    return make_file(
        "semeval-2022_task8_train.csv", "\n".join([STS22_HEADER.replace("Overall", overall), *rows]) + "\n"
    )


@pytest.mark.parametrize("overall", ["Overall", "OVERALL"])
def test_sts22_is_turned_round_and_finds_its_articles(make_file, overall: str):
    path = sts22(make_file, overall)
    assert recognise(path) == "sts22"
    found = read(path)
    # 1 is most similar in the file: 1 + 4 - 1 = 4 and 1 + 4 - 3.5 = 1.5
    assert cells(found, "id", "left", "right", "score", "language") == [
        ("1501_1602", "Rain\nIt rained.", "Sun\nIt shone.", 4.0, "en-de"),
        ("1602_1703", "Sun\nIt shone.", "Fog", 1.5, "en-en"),
    ]
    assert str(found.scale) == "1..4"
    assert any("turned round" in note for note in found.provenance.notes)


def test_sts22_rows_without_article_are_problems(make_file):
    path = sts22(make_file)
    (path.parent / "articles/03/1703.json").unlink()
    with pytest.raises(InputError) as error:
        read(path)
    one_line(error, "line 3", "there is no document '1703'")
    assert read(path, on_error="skip").frame["id"].to_list() == ["1501_1602"]


@pytest.mark.parametrize(
    ("folder", "name", "scale"),
    [
        ("stsbenchmark-sts", "mteb-stsbenchmark", "0..5"),
        ("sts12-sts", "mteb-sts12", "0..5"),
        ("sts13-sts", "mteb-sts13", "0..5"),
        ("sts14-sts", "mteb-sts14", "0..5"),
        ("sts15-sts", "mteb-sts15", "0..5"),
        ("sts16-sts", "mteb-sts16", "0..5"),
        ("sts17-crosslingual-sts", "mteb-sts17", "0..5"),
        ("sickr-sts", "mteb-sickr", "1..5"),
        ("biosses-sts", "mteb-biosses", "0..4"),
        ("sts22-crosslingual-sts", "mteb-sts22", "1..4"),
    ],
)
def test_mteb_sets_have_their_own_scale(make_file, folder: str, name: str, scale: str):
    rows = [
        {"sentence1": "One.", "sentence2": "Two.", "score": 3.0},
        {"sentence1": "A.", "sentence2": "B.", "score": 1.0},
    ]
    path = make_file(f"{folder}/test.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert recognise(path) == name
    found = read(path)
    assert cells(found, "left", "right", "score", "split") == [("One.", "Two.", 3.0, "test"), ("A.", "B.", 1.0, "test")]
    assert str(found.scale) == scale
    elsewhere = make_file("elsewhere/rows.jsonl", path.read_text(encoding="utf-8"))
    assert recognise(elsewhere) not in shipped_names()
    assert str(read(elsewhere, format=name).scale) == scale


def test_packed_files_of_mteb_and_recipes_beside_packed_files(make_file):
    pairs = (("One.", "Two.", 3), ("A.", "B.", 0.5))
    records = [json.dumps({"sentence1": left, "sentence2": right, "score": score}) for left, right, score in pairs]
    rows = "\n".join(records).encode()
    packed = make_file("biosses-sts/test.jsonl.gz", gzip.compress(rows))
    found = read(packed)
    assert (found.provenance.format, str(found.scale)) == ("mteb-biosses", "0..4")
    assert found.frame["split"].to_list() == ["test", "test"]
    make_file("own/rows.toml", 'name = "own"\nscale = "0..9"\n')
    assert str(read(make_file("own/rows.jsonl.gz", gzip.compress(rows))).scale) == "0..9"


def test_usts_gets_licence_and_citation_from_its_recipe(make_file):
    entry = {"s1": "一", "s2": "二", "raw_annotation": [1, 2, 3, 2], "mean_score": 2.0, "std": 0.71, "source": "x"}
    found = read(make_file("dev.json", json.dumps({"a1": entry})), format="usts2023")
    assert cells(found, "id", "left", "right", "score", "ratings") == [("a1", "一", "二", 2.0, [1.0, 2.0, 3.0, 2.0])]
    assert found.licence == "MIT"
    assert found.provenance.format == "usts2023"


def test_usts_recipe_reads_the_published_files():
    with_recipe, without = (read(EVIDENCE / "usts/ustsu", format=name) for name in ("usts2023", "usts"))
    assert with_recipe.frame.equals(without.frame)
    assert len(with_recipe) == 8900


def test_ruddit_holds_judgements_not_a_benchmark(make_file):
    with pytest.raises(ArgumentError) as error:
        read(make_file("r.csv", "a,b\n1,2\n"), format="ruddit2021")
    one_line(error, "reads judgements", "best-worst-csv")


def test_recipes_reach_the_reader_of_judgements(make_file):
    rows = "Item1,Item2,Item3,Item4,BestItem,WorstItem\na,b,c,d,b,a\nb,c,d,e,e,c\n"
    answers = read_judgements(make_file("r.csv", rows), format="ruddit2021")
    assert answers.frame["best"].to_list() == ["b", "e"]
    make_file("Annotator-Scores.csv", SCORES)
    ratings = read_judgements(make_file("Annotation-Pairs.csv", PAIRS), format="biosses")
    assert ratings.kind == "rating"
    assert len(ratings) == 9
    assert list(ratings.annotators) == [f"Annotator {letter}" for letter in "ABCDE"]


def test_a_recipe_beside_a_file_tells_whether_it_holds_judgements(make_file):
    path = make_file("mine.txt", "1||A dog.||A cat.||2.5\n2||He.||She.||0\n")
    make_file("mine.toml", recipe_text("cnsd-stsb"))
    assert not looks_like_judgements(BenchmarkSource(path=path))
    answers = make_file("bw.csv", "Item1,Item2,Item3,Item4,BestItem,WorstItem\na,b,c,d,b,a\n")
    make_file("bw.toml", 'reads = "judgements"\nformat = "best-worst-csv"\nlicence = "MIT"\n')
    assert looks_like_judgements(BenchmarkSource(path=answers))
    assert len(read_judgements(answers)) == 1
    with pytest.raises(ArgumentError, match="recipe 'bw' reads judgements, not a benchmark"):
        read(answers)


# --- own recipes ----------------------------------------------------------------------------------------------------

ROWS = "nr;first;second;value;note\n1;One.;Two.;3,5;x\n2;Three.;Four.;-1;y\n3;Five.;Six.;NA;z\n"
RECIPE = """
name = "own"
scale = "0..4"
licence = "CC0"
[container]
separator = ";"
decimal = ","
[columns]
id = "nr"
left = "first"
right = "second"
score = "value"
[codes]
hidden = [-1]
missing = ["NA"]
[constants]
language = "en"
[templates]
source = "{note}/{line}"
"""


def check_own(found) -> None:
    assert cells(found, "id", "left", "right", "score", "language", "source") == [
        ("1", "One.", "Two.", 3.5, "en", "x/2"),
        ("2", "Three.", "Four.", None, "en", "y/3"),
        ("3", "Five.", "Six.", None, "en", "z/4"),
    ]
    assert str(found.scale) == "0..4"
    assert found.licence == "CC0"
    assert "rows.csv: -1 means hidden gold: 1 value" in found.provenance.notes
    assert "rows.csv: NA means missing: 1 value" in found.provenance.notes


def test_a_recipe_beside_the_file_is_used(make_file):
    path = make_file("rows.csv", ROWS)
    make_file("rows.toml", RECIPE)
    assert recognise(path) == "own"
    check_own(read(path))


def test_a_recipe_in_the_folder_is_used_for_the_folder_and_its_tables(make_file, tmp_path):
    path = make_file("rows.csv", ROWS)
    other = make_file("other.tsv", "left\tright\tscore\nA.\tB.\t1\nC.\tD.\t0.5\n")
    make_file("recipe.toml", RECIPE + '[files]\ntables = ["*.csv"]\n')
    check_own(read(path))
    check_own(read(tmp_path))
    assert recognise(other) == "csv"


def test_a_recipe_is_named_by_its_path(make_file):
    check_own(read(make_file("rows.csv", ROWS), format=str(make_file("else/where.toml", RECIPE))))


def test_another_toml_beside_the_data_is_no_recipe(make_file):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,0.5\n")
    make_file("rows.toml", 'data = "rows.csv"\nsystems = ["jaro"]\n')
    assert recognise(path) == "csv"


def test_what_the_user_says_comes_before_the_recipe(make_file):
    path = make_file("rows.csv", ROWS)
    make_file("rows.toml", RECIPE)
    assert read(path, columns={"left": "note"}).items.lefts == ["x", "y", "z"]
    assert str(read(path, scale="0..5").scale) == "0..5"


def test_gold_in_another_file_by_id(make_file):
    path = make_file("texts.csv", "key,a,b\nk1,One.,Two.\nk2,Three.,Four.\n")
    make_file("gold.csv", "value,key\n2,k2\n1.5,k1\n0,k9\n")
    make_file(
        "texts.toml",
        'scale = "0..5"\n[columns]\nid = "key"\nleft = "a"\nright = "b"\nscore = "value"\n'
        '[[beside]]\nfile = "gold.csv"\nid = "key"\ncolumns = ["value"]\n',
    )
    found = read(path)
    assert cells(found, "id", "score") == [("k1", 1.5), ("k2", 2.0)]
    assert "gold.csv: 1 row belongs to no row of texts.csv" in found.provenance.notes
    make_file("gold.csv", "value,key\n2,k2\n0,k9\n")
    with pytest.raises(InputError) as error:
        read(path)
    one_line(error, "texts.csv, line 2", "gold.csv has no row for id 'k1'")
    make_file("gold.csv", "value,key\n2,k2\n0,k2\n")
    with pytest.raises(InputError) as error:
        read(path)
    one_line(error, "gold.csv, line 3", "id 'k2' in column 'key' occurs twice")


def test_values_are_mapped(make_file):
    path = make_file("rows.csv", "left,right,score,part\nA.,B.,1,Dev\nC.,D.,0.5,trn\n")
    make_file(
        "rows.toml", 'scale = "0..1"\n[columns]\nsplit = "part"\n[values.split]\ndev = "validation"\ntrn = "train"\n'
    )
    assert read(path).frame["split"].to_list() == ["validation", "train"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("A.\tB.\nonly one field\nC.\tD.\n", [("A.", 1.0), ("C.", 3.0)]),
        ("only one field\nA.\tB.\nC.\tD.\n", [("A.", 2.0), ("C.", 3.0)]),
        ("\nA.\tB.\nC.\tD.\n", [("A.", 2.0), ("C.", 3.0)]),
    ],
)
def test_a_bad_line_does_not_shift_the_gold_of_those_below_it(make_file, tmp_path, lines: str, expected):
    make_file("a/STS.input.x.txt", lines)
    make_file("a/STS.gs.x.txt", "1\n2\n3\n")
    assert cells(read(tmp_path, format="semeval-sts", on_error="skip"), "left", "score") == expected


def test_a_bad_row_above_rows_that_are_joined_by_order_is_an_error(make_file):
    path = make_file("Annotation-Pairs.csv", PAIRS.replace("2,Genes", "2,x,Genes"))
    make_file("Annotator-Scores.csv", SCORES)
    with pytest.raises(FormatError) as error:
        read(path, on_error="skip")
    one_line(error, "Annotation-Pairs.csv, line 3", "4 fields, not 3")


def test_a_scale_alone_is_a_recipe(make_file):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,0.5\n")
    make_file("rows.toml", 'scale = "0..4"\nlicence = "CC0"\n')
    assert str(read(path).scale) == "0..4"
    make_file("rows.toml", 'scal = "0..4"\ncitation = "A (2026)"\n')
    with pytest.raises(InputError, match="'scal' is not a known key; did you mean 'scale'"):
        read(path)


# --- mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ("[columns]\nlefft = 'a'\n", ["rows.toml, line 1", "'lefft' is not a column of ours"]),
        (
            "colums = 1\n[columns]\nleft = 'a'\n",
            ["rows.toml, line 1", "'colums' is not a known key", "did you mean 'columns'"],
        ),
        ("[container]\nseparator = 3\n", ["rows.toml, line 2", "container.separator = 3"]),
        ("[container]\nheader = false\n", ["rows.toml, line 1", "a file without a header needs names"]),
        ("[files]\npattern = '(?P<split'\n", ["rows.toml, line 2", "not a regular expression"]),
        ("scale = '5..0'\n[columns]\nleft = 'a'\n", ["rows.toml, line 1", "scale = '5..0'", "not a scale"]),
        ("reversed = true\n[columns]\nleft = 'a'\n", ["rows.toml", "reversed needs a scale"]),
        ("[split]\ncolumn = 'left'\nby = ';'\ninto = ['left']\n", ["rows.toml, line 4", "split.into"]),
        ("[split]\ncolumn = 'left'\n", ["rows.toml", "'split.by' is missing"]),
        ("[[beside]]\nfile = 'x.csv'\n", ["rows.toml", "either lines", "or columns"]),
        ("format = 'csv'\noptional = ['score']\n", ["rows.toml", "a recipe with a format cannot say optional"]),
        ("[columns\n", ["rows.toml, line 1", "not valid TOML"]),
    ],
)
def test_a_mistake_in_a_recipe_is_one_line(make_file, recipe: str, words: list[str]):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,0.5\n")
    make_file("rows.toml", recipe)
    with pytest.raises(InputError) as error:
        read(path)
    one_line(error, *words)


@pytest.mark.parametrize(
    ("recipe", "word"),
    [
        ("[columns]\nscore = 'gold'\n", "no column 'gold', which recipe 'rows' names in columns"),
        ("[split]\ncolumn = 'both'\nby = ';'\ninto = ['left', 'right']\n", "names in split.column"),
        ("[ratings]\ncolumns = ['A', 'B']\n", "no column 'A', which recipe 'rows' names in ratings.columns"),
    ],
)
def test_a_column_that_is_not_there_is_named(make_file, recipe: str, word: str):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,0.5\n")
    make_file("rows.toml", recipe)
    with pytest.raises(ColumnError) as error:
        read(path)
    one_line(error, "rows.csv", word)


def test_what_the_table_has_itself_is_not_overwritten(make_file):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,0.5\n")
    make_file("gold.txt", "3\n4\n")
    make_file("rows.toml", "[[beside]]\nfile = 'gold.txt'\nlines = 'score'\n")
    with pytest.raises(ColumnError) as error:
        read(path)
    one_line(error, "rows.csv", "there is a column 'score', which gold.txt gives as well")
    make_file("rows.toml", "[split]\ncolumn = 'left'\nby = ';'\ninto = ['left', 'right']\n")
    with pytest.raises(ColumnError, match="there is a column 'right', which the recipe makes by split"):
        read(path)


def test_a_score_off_a_reversed_scale_is_quoted_as_it_is_written(make_file):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,7\n")
    make_file("rows.toml", "scale = '1..4'\nreversed = true\n")
    with pytest.raises(ScaleError, match=r"score 7 is off the scale 1\.\.4"):
        read(path)


def test_a_recipe_can_add_a_scale_to_a_format(make_file):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,0.5\n")
    make_file("rows.toml", "format = 'csv'\nscale = '0..3'\ncitation = 'A (2026)'\n")
    assert str(read(path).scale) == "0..3"


def test_a_column_may_be_optional(make_file):
    path = make_file("rows.csv", "left,right\nA.,B.\nC.,D.\n")
    make_file("rows.toml", "optional = ['score']\n[columns]\nscore = 'gold'\n")
    assert read(path).frame["score"].to_list() == [None, None]


def test_a_field_that_the_name_does_not_give_is_named(make_file):
    path = make_file("rows.csv", "left,right,score\nA.,B.,1\nC.,D.,0.5\n")
    make_file("rows.toml", "[templates]\nsource = '{year}'\n")
    with pytest.raises(InputError) as error:
        read(path)
    one_line(error, "'{year}' in templates.source of the recipe is not known here")


def test_unknown_names_suggest_recipes(make_file):
    path = make_file("x.csv", "left,right\nA.,B.\n")
    with pytest.raises(UnknownNameError, match="did you mean 'semrel2024'"):
        read(path, format="semrel204")
    with pytest.raises(UnknownNameError, match="did you mean 'grade'"):
        recipe_text("grad")


def test_a_folder_without_its_files_says_what_it_looked_for(tmp_path, make_file):
    make_file("notes.txt", "nothing")
    with pytest.raises(InputError) as error:
        read(tmp_path, format="cnsd-stsb")
    one_line(error, "recipe 'cnsd-stsb' reads (cnsd-sts-*.txt)", "it holds notes.txt")


def test_too_many_fields_are_refused(make_file):
    path = make_file("cnsd-sts-dev.txt", "1||一||二||5\n2||三||四||0||x\n")
    with pytest.raises(FormatError) as error:
        read(path)
    one_line(error, "cnsd-sts-dev.txt, line 2", "5 fields, not 4")


def test_every_key_is_documented():
    keys = dict(documented_keys())
    assert all(keys.values())
    assert {"columns", "split.by", "beside.file", "codes.hidden", "recognised.hub"} <= set(keys)


@pytest.mark.parametrize("written", ["hf:mteb/biosses-sts", "hf:mteb/biosses-sts#test", "hf:mteb/biosses-sts/default"])
def test_names_on_the_hub_are_known(written: str):
    assert recognise(written) == "mteb-biosses"
    assert recognise("hf:somebody/biosses-sts") == "huggingface"


def test_data_sets_of_the_hub_get_scale_and_citation(monkeypatch):
    rows = {"sentence1": ["One.", "A."], "sentence2": ["Two.", "B."], "score": [3.0, 1.0]}
    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=lambda *_, **__: FakeDataset(rows)))
    found = read("hf:mteb/sickr-sts#test")
    assert cells(found, "left", "right", "score", "split") == [("One.", "Two.", 3.0, "test"), ("A.", "B.", 1.0, "test")]
    assert str(found.scale) == "1..5"
    assert any("Marelli" in note for note in found.provenance.notes)


# --- the page -------------------------------------------------------------------------------------------------------


def blocks_of_the_page(kind: str) -> list[str]:
    page = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return [text for found, text in blocks if found == kind]


def test_the_recipe_on_the_page_reads_the_file_on_the_page(make_file):
    path = make_file("pairs.csv", blocks_of_the_page("")[0])
    make_file("pairs.toml", blocks_of_the_page("toml")[0])
    assert cells(read(path), "id", "left", "right", "score", "language") == [
        ("1", "The kettle is on.", "Somebody boils water.", 3.5, "en"),
        ("2", "A red bus.", "A bus that is red.", None, "en"),
    ]


def test_the_other_recipes_on_the_page_are_valid(make_file, tmp_path):
    make_file("recipe.toml", blocks_of_the_page("toml")[1])
    make_file("STS.input.news.txt", "A.\tB.\n")
    make_file("STS.gs.news.txt", "4\n")
    assert cells(read(tmp_path), "left", "right", "score", "source") == [("A.", "B.", 4.0, "news")]
    recipe = TomlFile.read(make_file("third.toml", blocks_of_the_page("toml")[2])).validated(Recipe, name="third")
    assert recipe.turns is not None
    assert recipe.ratings is not None
    assert recipe.documents is not None
