"""The benchmarks of a study of settings: found, parted, and merged on one scale."""

import json
from pathlib import Path

import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError, InputError
from similitude.study.five_settings.domains import merged, open_domains

USTS = Path(__file__).parents[2] / "evidence" / "usts"


def write(folder: Path, items: int = 40, splits: bool = True, name: str = "data.jsonl") -> Path:
    folder.mkdir(exist_ok=True)
    parts = ["train"] * (items // 2) + ["dev"] * (items // 4) + ["test"] * (items - items // 2 - items // 4)
    rows = [
        {"id": f"{n}", "left": f"l {n}", "right": f"r {n}", "score": n % 6, "ratings": [n % 6, n % 6], "scale": "0..5"}
        | ({"split": parts[n]} if splits else {})
        for n in range(items)
    ]
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / name


def sizes(domain) -> tuple[int, int, int]:
    return len(domain.train), len(domain.validation), len(domain.test)


def test_splits_are_taken_as_they_are_called(tmp_path):
    (one,) = open_domains([str(write(tmp_path))])
    assert (one.name, sizes(one), one.notes, one.has_spread) == ("data", (20, 10, 10), (), True)


def test_without_a_test_split_a_fifth_is_held_out_and_no_part_overlaps(tmp_path):
    (one,) = open_domains([str(write(tmp_path, splits=False))], seed=3)
    assert sizes(one) == (29, 3, 8)
    ids = [set(part.items.ids) for part in (one.train, one.validation, one.test)]
    assert len(set.union(*ids)) == 40
    assert "8 items (20% of the sentence pairs) are test items" in one.notes[0]


def test_a_limit_is_on_what_is_learned_from_alone(tmp_path):
    (one,) = open_domains([str(write(tmp_path))], limit=5)
    assert sizes(one) == (5, 10, 10)


def test_another_limit_is_on_what_is_measured(tmp_path):
    (one,) = open_domains([str(write(tmp_path))], test_limit=4)
    assert sizes(one) == (20, 4, 4)


def test_one_benchmark_with_several_domains_is_several():
    domains = open_domains(["sample:opinions(pairs=20, held_out=10)"])
    assert [(one.name, sizes(one)) for one in domains] == [("meals", (20, 10, 10)), ("trips", (20, 10, 10))]
    written = [f"sample:opinions(pairs=20, held_out=10, domain={name})" for name in ("meals", "trips")]
    apart = open_domains(written)
    assert [one.name for one in apart] == ["meals", "trips"]
    assert [one.test.items.ids for one in apart] == [one.test.items.ids for one in domains]


def test_a_folder_that_holds_benchmarks_stands_for_them():
    domains = open_domains([str(USTS)])
    assert {one.name: sizes(one) for one in domains} == {"ustsc": (2051, 2000, 2000), "ustsu": (4900, 2000, 2000)}


def test_data_that_cannot_be_used(tmp_path):
    path = str(write(tmp_path))
    with pytest.raises(ArgumentError, match="two benchmarks are called 'data'"):
        open_domains([path, path])
    with pytest.raises(InputError, match="no such file"):
        open_domains([str(tmp_path / "nowhere.csv")])
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError):
        open_domains([str(empty)])


def benchmark(name: str, scale: str, scores: list[float]) -> sim.Benchmark:
    texts = [f"text {place}" for place in range(len(scores))]
    ratings = [[score, score] for score in scores]
    columns = {"left": texts, "right": texts, "score": scores, "sigma": [0.5] * len(scores), "ratings": ratings}
    return sim.Benchmark.from_columns(name, scale=scale, **columns)


def test_merged_benchmarks_are_on_the_first_ones_scale():
    # 1..3 onto 0..5: 1 -> 0, 2 -> 2.5, 3 -> 5; a sigma of 0.5 of 2 is 1.25 of 5.
    both = merged([benchmark("a", "0..5", [0.0, 5.0]), benchmark("b", "1..3", [1.0, 2.0, 3.0])])
    assert both.items.ids == ["a:1", "a:2", "b:1", "b:2", "b:3"]
    np.testing.assert_allclose(both.gold.scores, [0, 5, 0, 2.5, 5])
    np.testing.assert_allclose(both.gold.sigmas, [0.5, 0.5, 1.25, 1.25, 1.25])
    np.testing.assert_allclose(both.gold.ratings[0], [0, 0, 5, 5, 0, 0, 2.5, 2.5, 5, 5])
    assert both.name == "a + b"


def test_one_benchmark_stays_what_it_is():
    one = benchmark("a", "0..5", [0.0, 5.0])
    assert merged([one]) is one
