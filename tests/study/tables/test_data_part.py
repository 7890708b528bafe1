"""The data of tables about judgements: opened, pooled, filtered, divided."""

import json
from pathlib import Path

import pytest

from similitude.errors import InputError, UnknownNameError
from similitude.study.tables.data_part import ALL, DataSource


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Four pairs in two domains and two languages, each with two ratings."""
    rows = [
        {"id": str(n), "left": "a" * n, "right": "b", "score": float(n), "ratings": [n, n + 0.5]}
        | {"domain": "talks" if n < 3 else "news", "language": "en" if n % 2 else "de"}
        for n in range(1, 5)
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sizes(source: DataSource) -> dict[tuple[str, ...], int]:
    return {tuple(part.at.values()): len(part.benchmark) for part in source.parts}


def test_undivided_data_has_one_part(pairs: Path):
    assert sizes(DataSource(name="made", addresses=(str(pairs),))) == {(): 4}


def test_parts_by_all_columns_then_by_fewer_then_the_whole(pairs: Path):
    found = sizes(DataSource(name="made", addresses=(str(pairs),), by=("domain", "language")))
    assert found == {
        ("talks", "en"): 1,
        ("talks", "de"): 1,
        ("news", "en"): 1,
        ("news", "de"): 1,
        ("talks", ALL): 2,
        ("news", ALL): 2,
        (ALL, ALL): 4,
    }


def test_only_items_with_the_values_asked_for(pairs: Path):
    source = DataSource(name="made", addresses=(str(pairs),), where={"language": ("de",)}, by=("domain",))
    assert sizes(source) == {("talks",): 1, ("news",): 1, (ALL,): 2}
    assert [part.judgements.judged for part in source.parts] == [["2"], ["4"], ["2", "4"]]


def test_best_worst_answers_go_with_their_items():
    source = DataSource(name="made", addresses=("sample:dialogues",), by=("turns",))
    three, five, whole = source.parts
    assert (three.at, five.at, whole.at) == ({"turns": "3"}, {"turns": "5"}, {"turns": ALL})
    assert len(three.judgements) + len(five.judgements) == len(whole.judgements) == 600
    assert set(three.judgements.judged) == set(three.benchmark.frame["id"])


def test_judgements_without_items(evidence: Path):
    path = str(evidence / "ruddit" / "Ruddit_individual_annotations.csv.bz2")
    (part,) = DataSource(name="ruddit", addresses=(path,)).parts
    assert part.judgements.kind == "best-worst"
    with pytest.raises(InputError, match="without texts"):
        _ = part.benchmark
    with pytest.raises(InputError, match="'by' needs items"):
        _ = DataSource(name="ruddit", addresses=(path,), by=("domain",)).parts


def test_several_files_are_one(pairs: Path, tmp_path: Path):
    other = tmp_path / "other.jsonl"
    other.write_text(pairs.read_text().replace('"id": "', '"id": "x'), encoding="utf-8")
    assert sizes(DataSource(name="both", addresses=(str(pairs), str(other)))) == {(): 8}
    with pytest.raises(InputError, match="more than one item has the id '1'"):
        _ = DataSource(name="both", addresses=(str(pairs), str(pairs))).parts


def test_bad_columns_and_values_are_named(pairs: Path):
    with pytest.raises(InputError, match="no item has language fr; values there: en, de"):
        _ = DataSource(name="made", addresses=(str(pairs),), where={"language": ("fr",)}).parts
    with pytest.raises(UnknownNameError, match="'langage'"):
        _ = DataSource(name="made", addresses=(str(pairs),), by=("langage",)).parts


def test_a_file_that_is_neither_has_the_error_of_a_benchmark(tmp_path: Path):
    path = tmp_path / "notes.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="format not recognised"):
        _ = DataSource(name="made", addresses=(str(path),)).parts


def test_the_fingerprint_follows_the_content(pairs: Path):
    def fingerprint(**how: object) -> str:
        return DataSource(name="made", addresses=(str(pairs),), **how).fingerprint

    before = fingerprint()
    assert fingerprint() == before
    assert fingerprint(by=("domain",)) != before
    assert fingerprint(round="first") != before
    pairs.write_text(pairs.read_text().replace("[1, 1.5]", "[1, 1.0]"), encoding="utf-8")
    assert fingerprint() != before
