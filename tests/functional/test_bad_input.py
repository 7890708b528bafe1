"""Mistakes that users make: one clear line, exit code 2, no traceback."""

import pytest

import similitude as sim
from similitude.errors import InputError

HEADER = "sentence1,sentence2,score\n"


def check_error(shown, *words: str) -> None:
    assert shown.returncode == 2, shown.stdout + shown.stderr
    assert "Traceback" not in shown.stderr
    lines = [line for line in shown.stderr.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, shown.stderr
    for word in words:
        assert word in lines[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["evaluate", "nowhere.csv"], ["nowhere.csv", "no such file"]),
        (["evaluate", "pairs.csv", "-s", "levenstein"], ["no system named 'levenstein'", "did you mean 'levenshtein'"]),
        (["evaluate", "pairs.csv", "-m", "kendal"], ["no measure named 'kendal'", "did you mean 'kendall'"]),
        (["evaluate", "pairs.csv", "-s", "char-ngram-cosine(n=0)"], ["n=0"]),
        (["evaluate", "pairs.csv", "-s", "char-ngram-cosine(m=3)"], ["arguments of 'char-ngram-cosine': n="]),
        (
            ["evaluate", "pairs.csv", "-s", "me/my-model"],
            ["if it is a model of the hub or in a folder: encoder(me/my-"],
        ),
        (
            ["evaluate", "pairs.csv", "-s", "all-MiniLM-L6-v2"],
            ["a model of the hub or in a folder: encoder(all-MiniLM"],
        ),
        (["evaluate", "pairs.csv", "-s", "levenshtein,jaro"], ["cannot read", "give several names one by one"]),
        (["evaluate", "pairs.csv", "-s", "levenshtein("], ["cannot read 'levenshtein('"]),
        (["evaluate", "pairs.csv", "--scale", "five"], ["cannot read 'five' as a scale", "0..5"]),
        (["evaluate", "pairs.csv", "--scale", "0..3"], ["line 2", "4.8", "0..3"]),
        (["evaluate", "pairs.csv", "--split", "test"], ["has no split 'test'"]),
        (["evaluate", "pairs.csv", "--format", "stsbb"], ["no format named 'stsbb'", "did you mean 'stsb'"]),
        (["evaluate", "pairs.csv", "--column", "left"], ["cannot read '--column left'"]),
        (["evaluate", "pairs.csv", "--column", "left=nope"], ["nope", "sentence1"]),
        (
            ["evaluate", "pairs.csv", "--column", "score=score", "--column", "score=sentence1"],
            ["--column names 'score' twice, as 'score' and as 'sentence1'"],
        ),
        (["evaluate", "pairs.csv", "--calibrate-on", "dev"], ["two different splits"]),
        (["evaluate", "pairs.csv", "--calibrate", "linnear"], ["did you mean 'linear'"]),
        (["data", "show", "pairs.csv", "--rows", "1", "--rows", "2"], ["--rows is given twice; give it once"]),
        (["evaluate", "pairs.csv", "--scale", "0..5", "--scale", "0..4"], ["--scale is given twice"]),
        (["data", "show", "pairs.csv", "pairs.csv"], ["pairs.csv", "given twice"]),
        (["evaluate", "sample:dialoges"], ["did you mean 'dialogues'"]),
        (["evaluate", "pairs.csv", "--folder", "pairs.csv"], ["is a file"]),
        (["evaluate", "pairs.csv", "--folder", "pairs.csv/run"], ["cannot be written (Not a directory)", "--folder"]),
        (["data", "show", "nowhere.json"], ["no such file"]),
        (["data", "convert", "pairs.csv", "--out", "out.xlsx"], ["out.xlsx", "jsonl"]),
        (["data", "check", "pairs.csv", "--only", "leeks"], ["no check named 'leeks'"]),
    ],
)
def test_wrong_arguments(similitude, pairs, arguments, words):
    check_error(similitude(*arguments), *words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["bad.csv", "empty"]),
        (HEADER.encode(), ["bad.csv", "no rows"]),
        (b"sentence1,score\na,1\n", ["bad.csv", "right"]),
        (HEADER.encode() + b"a,b,1\nc,d,much\n", ["bad.csv, line 3", "much"]),
        (HEADER.encode() + b"a,b,1\nc,,2\n", ["bad.csv, line 3", "blank"]),
        (HEADER.encode() + b"a,b,1\nc,d\n", ["bad.csv, line 3", "2 fields"]),
        (HEADER.encode() + "für,für,1\ngrün,blau,2\n".encode("latin-1"), ["bad.csv, line 2", "--encoding latin-1"]),
        (HEADER.encode() + b'a,"b,1\nc,d,2\n', ["bad.csv, line 2"]),
        (b'{"sentence1": "a", "sentence2": "b", "score": 1}\n{"sentence1": \n', ["bad.csv, line 2"]),
    ],
    ids=[
        "empty",
        "header only",
        "missing column",
        "no number",
        "blank text",
        "too few fields",
        "latin-1",
        "open quote",
        "broken json",
    ],
)
def test_wrong_files(similitude, tmp_path, content, words):
    tmp_path.joinpath("bad.csv").write_bytes(content)
    check_error(similitude("evaluate", "bad.csv", "-s", "jaro"), *words)


HALF = '[{"%s": "a \\ud800", "%s": "b", "score": 1},\n {"%s": "c", "%s": "d", "score": 2}]'
"""A document with half a surrogate pair, which no text holds."""


@pytest.mark.parametrize(
    ("names", "command"),
    [
        (("left", "right"), ["data", "show", "half.json"]),
        (("left", "right"), ["data", "check", "half.json"]),
        (("left", "right"), ["evaluate", "half.json", "-s", "jaro"]),
        (("item", "annotator"), ["reliability", "half.json"]),
        (("item", "annotator"), ["gold", "half.json", "--out", "gold.csv"]),
        (("text", "note"), ["candidates", "half.json", "--items", "1", "--out", "mine"]),
        (("id", "note"), ["measure", "pairs.csv", "half.json"]),
    ],
)
def test_half_a_character_in_a_document_is_refused_with_its_line(similitude, pairs, tmp_path, names, command):
    tmp_path.joinpath("half.json").write_text(HALF % (names * 2))
    check_error(similitude(*command), "half.json, line 1: \\ud800 is half a character")


def test_half_a_character_in_memory_is_refused():
    for data in (
        [("a \ud800", "b", 1.0), ("c", "d", 2.0)],
        {"left": ["a", "c"], "right": ["b", "d"], "id": ["1", "\ud800"], "score": [1, 2]},
    ):
        with pytest.raises(InputError, match="holds half a character"):
            sim.read(data)
    with pytest.raises(InputError, match="holds half a character"):
        sim.read_judgements([{"item": "a", "annotator": "x\ud800", "rating": 1}])


def test_a_line_of_100_megabytes(similitude, tmp_path):
    with tmp_path.joinpath("long.csv").open("wb") as file:
        file.write(HEADER.encode() + b"a,b,1\n")
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b",b,1\n")
    check_error(similitude("evaluate", "long.csv", "-s", "jaro"), "long.csv, line 3")


def test_skipping_reports_what_was_left_out(similitude, tmp_path):
    tmp_path.joinpath("some.csv").write_text(HEADER + "a b,a c,1\nc,d,much\ne f,,2\ng h,g i,4\nk l,m n,3\n")
    shown = similitude("evaluate", "some.csv", "-s", "jaro", "-m", "mae", "--on-error", "skip")
    assert shown.returncode == 0, shown.stderr
    assert "3 items" in shown.stdout
    assert "left out: 2" in shown.stdout
    assert "line 3" in shown.stdout


def test_latin_1_with_its_name_is_read(similitude, tmp_path):
    tmp_path.joinpath("alt.csv").write_bytes(HEADER.encode() + "für,für,5\ngrün,blau,1\n".encode("latin-1"))
    shown = similitude("data", "show", "alt.csv", "--encoding", "latin-1")
    assert "grün" in shown.stdout


def test_constant_scores_have_no_correlation_and_say_why(similitude, tmp_path):
    tmp_path.joinpath("flat.csv").write_text(HEADER + "a b,a c,2\nc d,c e,2\ne f,x y,2\n")
    shown = similitude("evaluate", "flat.csv", "-s", "jaro", "-m", "pearson", "-m", "mae")
    assert shown.returncode == 0
    assert "pearson is undefined for every system: all gold scores are the same" in shown.stdout


@pytest.mark.slow
def test_a_file_of_three_rows(similitude, tmp_path):
    tmp_path.joinpath("three.csv").write_text(HEADER + "a b,a c,2\nc d,c e,3\ne f,x y,0\n")
    assert similitude("evaluate", "three.csv", "-s", "jaro").returncode == 0
