"""Searches: what they find, that they compute nothing twice, and that the engine does not matter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from trigram_encoder import TrigramEncoder

import similitude as sim
from similitude.errors import ArgumentError, PredictionError, RunError
from similitude.study.candidates.candidates_run import CandidatesRun
from similitude.study.candidates.vector_source import FoundVectors, SystemVectors
from similitude.study.engines import LocalEngine

PIECE = 8
ANIMALS = ["cat", "dog", "horse", "mouse", "bird"]
DOES = ["sleeps in the garden", "runs over the street", "eats all the bread", "watches the old man", "hides in a box"]
TEXTS = [f"The {animal} {does}." for animal in ANIMALS for does in DOES]


class Watched:
    """Counts the rows that were encoded; ``fails_at`` is a row that cannot be."""

    def __init__(self) -> None:
        self.rows = 0
        self.fails_at: int | None = None

    def of(self, source: SystemVectors, start: int, stop: int) -> FoundVectors:
        if self.fails_at is not None and start <= self.fails_at < stop:
            raise PredictionError(f"cannot encode row {self.fails_at}")
        self.rows += stop - start
        return encode(source, start, stop)


encode = SystemVectors.of


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch, small_pieces: int) -> Watched:
    """Small pieces, and somebody who watches what is encoded."""
    seen = Watched()
    monkeypatch.setattr(SystemVectors, "of", lambda *given: seen.of(*given))
    return seen


def find(out: Path, **options: Any) -> CandidatesRun:
    usual: dict[str, Any] = {"pair": TrigramEncoder(), "k": 3, "duplicates": False, "filters": "cosine >= 0.3"}
    return sim.candidates(options.pop("data", TEXTS), **{**usual, "items": 9, "out": out, "cache": False, **options})


RICH: dict[str, Any] = {
    "by": ["neighbours", "words", "random", "hard-negatives"],
    "duplicates": 0.9,
    "filters": ["cosine >= 0.2", "iou <= 0.9", "length_ratio >= 0.3", "levenshtein <= 0.95", "tfidf-cosine >= 0"],
    "select": {"spread": "cosine", "bins": 3, "diverse": "k-center", "over": {"stratum": "found"}},
}
"""A search that uses every kind of stage."""


def contents(folder: Path) -> dict[str, bytes]:
    """All files that must not depend on the engine: all but records with times, and the page that shows them."""
    timed = {"stage.json", "candidates.json", "index.html", "in-use"}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in timed)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.parent.name != "pieces"}


def test_items_leave_with_their_descriptions(tmp_path: Path) -> None:
    found = find(tmp_path / "out")
    assert len(found) == 9
    assert found.descriptions["id"].to_list() == found.items.ids
    assert (found.descriptions["cosine"] >= 0.3).all()
    written = [json.loads(line) for line in (tmp_path / "out" / "items.jsonl").read_text().splitlines()]
    assert [row["id"] for row in written] == found.items.ids
    assert set(written[0]) == {"id", "left", "right"}
    assert sim.read(tmp_path / "out" / "items.jsonl").items.fingerprint == found.items.fingerprint
    assert len(sim.design(tmp_path / "out" / "items.jsonl", "rating", batch=3)) == 9


def test_the_cosine_of_an_item_is_that_of_its_texts(tmp_path: Path) -> None:
    found = find(tmp_path)
    encoder = TrigramEncoder()
    left, right = (encoder.encode(side).astype(np.float64) for side in (found.items.lefts, found.items.rights))
    cosines = (left * right).sum(1) / np.sqrt((left**2).sum(1) * (right**2).sum(1))
    np.testing.assert_allclose(found.descriptions["cosine"].to_numpy(), cosines, atol=2e-6)


@pytest.mark.parametrize("memory", ["1GB", "3GB"])
def test_workers_and_memory_do_not_change_a_byte(tmp_path: Path, memory: str) -> None:
    find(tmp_path / "one", **RICH)
    find(tmp_path / "two", workers=2, memory=memory, **RICH)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_ray_does_not_change_a_byte(tmp_path: Path, ray_engine: Any) -> None:
    find(tmp_path / "one", **RICH)
    find(tmp_path / "ray", engine=ray_engine, **RICH)
    assert contents(tmp_path / "one") == contents(tmp_path / "ray")


def test_a_second_call_computes_nothing(tmp_path: Path, watched: Watched) -> None:
    first = find(tmp_path)
    assert watched.rows >= len(TEXTS)
    before = watched.rows
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*") if path.name != "in-use"}
    again = find(tmp_path)
    assert watched.rows == before
    assert again.items.fingerprint == first.items.fingerprint
    assert again.steps == first.steps
    assert stamps == {path: path.stat().st_mtime_ns for path in stamps}


def finished(folder: Path) -> dict[str, float]:
    return {path.parent.name: path.stat().st_mtime_ns for path in (folder / "work").rglob("stage.json")}


@pytest.mark.parametrize(
    ("changed", "stages"),
    [
        ({"seed": 5}, {"9-items"}),
        ({"items": 5}, {"9-items"}),
        ({"filters": "cosine >= 0.8"}, {"8-filters", "9-items"}),
        ({"filters": "cosine >= 0.3000001"}, {"8-filters"}),  # the same pairs are kept, so the draw stands
        ({"k": 4}, {"5-neighbours", "6-pairs", "8-filters", "9-items"}),
        ({"pair": TrigramEncoder("x")}, {"4-vectors"}),  # another state, the same vectors: nothing else changes
        ({"name": "other"}, set()),
    ],
)
def test_a_stage_runs_again_if_what_it_depends_on_changed(
    tmp_path: Path, changed: dict[str, Any], stages: set[str]
) -> None:
    find(tmp_path)
    before = finished(tmp_path)
    find(tmp_path, **changed)
    assert {name for name, stamp in finished(tmp_path).items() if before.get(name) != stamp} == stages


def test_another_column_leaves_vectors_alone(tmp_path: Path, watched: Watched) -> None:
    table = pl.DataFrame({"text": TEXTS, "domain": ["a"] * len(TEXTS)})
    find(tmp_path, data=table)
    before = watched.rows
    find(tmp_path, data=table.with_columns(pl.lit("b").alias("domain")))
    assert watched.rows == before
    find(tmp_path, data=table.with_columns(pl.col("text") + "!"))
    assert watched.rows > before


def test_a_failed_piece_is_the_only_one_that_runs_again(tmp_path: Path, watched: Watched) -> None:
    watched.fails_at = PIECE  # the first row of the second piece
    with pytest.raises(PredictionError, match="cannot encode row 8"):
        find(tmp_path)
    watched.fails_at, before = None, watched.rows
    found = find(tmp_path)
    assert watched.rows - before == PIECE + 1  # the missing piece, and the text that shows the width
    assert contents(tmp_path) == contents(find(tmp_path.with_name("whole")).folder)
    assert len(found) == 9


def test_a_filter_that_keeps_nothing_is_named_with_what_it_saw(tmp_path: Path) -> None:
    with pytest.raises(
        ArgumentError,
        match=r"filter 'cosine >= 0\.9999': keeps none of the \d+ pairs .* it saw cosine: .*\(filters=, or",
    ):
        find(tmp_path, filters=["cosine >= 0.1", "cosine >= 0.9999"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"filters": "cosin >= 0.3"}, "did you mean 'cosine'"),
        ({"filters": "levenstein >= 0.3"}, "did you mean 'levenshtein'"),
        ({"pair": "levenshtein"}, "has no vectors of texts"),
        ({"pair": "used"}, "no system named 'used'"),
        ({"memory": "1MB"}, "too little"),
        ({"memory": "much"}, "give a size"),
        ({"select": {"bins": 3}}, "bins without spread"),
        ({"engine": "rai"}, "did you mean 'ray'"),
        ({"engine": LocalEngine(), "workers": 2}, "workers= would change nothing"),
        ({"texts": {"data": "x.txt"}}, "given twice"),
        ({"pairs": {"within": "nothing"}}, r"no column named 'nothing'; known: context, document"),
        ({"pairs": {"of": "image"}}, "texts have no column 'image'"),
        ({"device": "abacus"}, "device 'abacus': .*leave device= out"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_encoded(
    tmp_path: Path, options: dict[str, Any], told: str, watched: Watched
) -> None:
    with pytest.raises(sim.SimilitudeError, match=told):
        find(tmp_path, **options)
    assert watched.rows == 0


def test_folders_of_others_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(RunError, match="other files"):
        find(tmp_path)
    with pytest.raises(RunError, match="is a file"):
        find(tmp_path / "mine.txt")


def test_a_finished_search_opens_again(tmp_path: Path) -> None:
    found = find(tmp_path / "out", select={"spread": "cosine"})
    opened = CandidatesRun.load(tmp_path / "out")
    assert opened.items.fingerprint == found.items.fingerprint
    assert opened.steps == found.steps
    assert opened.plan == found.plan
    assert opened.descriptions.equals(found.descriptions)
    with pytest.raises(RunError, match="holds no finished search"):
        CandidatesRun.load(tmp_path)


def test_a_search_without_out_can_be_saved(tmp_path: Path) -> None:
    found = sim.candidates(TEXTS, pair=TrigramEncoder(), k=2, items=3, cache=False)
    saved = found.save(tmp_path / "mine")
    assert (saved.folder / "items.jsonl").read_bytes() == (found.folder / "items.jsonl").read_bytes()
    assert (saved.folder / "index.html").is_file()
    with pytest.raises(RunError, match="is there already"):
        found.save(tmp_path / "mine")


def first_words(left: str, right: str) -> float:
    """Whether both texts are about the same animal."""
    return float(left.split()[1] == right.split()[1])


def test_objects_score_pairs_under_their_names(tmp_path: Path) -> None:
    found = find(
        tmp_path, by="random", pairs={"random": 1.0}, systems={"mine": first_words}, filters="mine >= 0.5", items=5
    )
    assert len(found.items) > 3
    assert {first_words(item.left, item.right) for item in found.items} == {1.0}
    assert set(found.descriptions["mine"]) == {1.0}
    with pytest.raises(sim.SimilitudeError, match="did you mean 'mine'"):
        find(tmp_path, systems={"mine": first_words}, filters=["mines >= 0.5"])


def test_a_system_of_a_filter_that_changes_filters_again(tmp_path: Path) -> None:
    find(tmp_path, filters="levenshtein <= 0.95")
    before = finished(tmp_path)
    find(tmp_path, filters="levenshtein <= 0.95", systems={"levenshtein": first_words})
    assert {name for name, stamp in finished(tmp_path).items() if before[name] != stamp} == {"8-filters", "9-items"}
