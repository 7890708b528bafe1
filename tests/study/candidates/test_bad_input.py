"""Bad input of searches: clear errors, nothing dropped silently, and what is finished is kept."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trigram_encoder import TrigramEncoder

import similitude as sim
from similitude.collect.candidates.steps import Step
from similitude.errors import ArgumentError, FullDiskError, InputError, RunError
from similitude.study.candidates import vector_stage
from similitude.study.candidates.candidates_run import CandidatesRun
from similitude.study.candidates.search_folder import SearchFolder

TEXTS = [
    f"The {animal} {does} today." for animal in ("cat", "dog", "horse", "bird") for does in ("sleeps", "runs", "eats")
]


def find(data: Any, **options: Any) -> CandidatesRun:
    return sim.candidates(data, **{"pair": TrigramEncoder(), "k": 2, "cache": False, "duplicates": False, **options})


def step(found: CandidatesRun, name: str) -> Step:
    return next(step for step in found.steps if step.name == name)


def test_blank_and_huge_texts_are_counted() -> None:
    found = find([*TEXTS, "", "  \t", "word " * 1_000_000])
    assert step(found, "clean").losses == {"blank": 2, "over 10,000 characters": 1}
    cut = find([*TEXTS, "word " * 1_000_000], clean={"long": "cut"})
    assert step(cut, "clean").losses == {}
    assert max(map(len, cut.items.texts())) == 9_999


@pytest.mark.parametrize(
    ("data", "told"), [([], "there are no rows"), (["", " "], "no text is left of 2 after cleaning: 2 blank")]
)
def test_no_texts_at_all(data: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        find(data)


def test_copies_of_one_text_are_one_text() -> None:
    found = find(["Again and again the same." for _ in range(60_000)] + TEXTS, duplicates=0.8, items=5)
    assert step(found, "duplicates").after <= len(TEXTS) + 1
    assert step(found, "duplicates").before == 60_000 + len(TEXTS)


def test_texts_of_another_language_are_dropped() -> None:
    german = [f"Der Hund {tut} heute wieder im Garten hinter dem alten Haus." for tut in ("schläft", "bellt", "wartet")]
    found = find([*german, "The dog sleeps in the garden behind the old house again."], clean={"languages": ["de"]})
    assert step(found, "clean").losses == {"not in de": 1}


@pytest.mark.usefixtures("small_pieces")
def test_a_full_disk_keeps_finished_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, done = vector_stage.write_vectors, []

    def write_until_full(path: Path, start: int, vectors: Any) -> None:
        if done:
            raise OSError(errno.ENOSPC, "No space left on device")
        done.append(start)
        write(path, start, vectors)

    monkeypatch.setattr(vector_stage, "write_vectors", write_until_full)
    with pytest.raises(FullDiskError, match="the disk is full; free some space, and run the same command again"):
        find(TEXTS, out=tmp_path)
    written: list[int] = []
    monkeypatch.setattr(vector_stage, "write_vectors", lambda *given: (written.append(given[1]), write(*given)))
    find(TEXTS, out=tmp_path)
    assert (done, written) == ([0], [8])


def test_vectors_of_zeros_are_refused_by_name(tmp_path: Path) -> None:
    vectors = np.ones((len(TEXTS), 4), np.float32)
    vectors[3] = 0
    np.save(tmp_path / "vectors.npy", vectors)
    with pytest.raises(InputError, match=r"vectors\.npy.* 4"):
        find(TEXTS, pair=None, texts={"vectors": str(tmp_path / "vectors.npy")})


def test_pairs_of_texts_are_no_texts(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right\na cat,one cat\n")
    with pytest.raises(InputError, match=r"hold pairs of texts.*\[pairs\]"):
        find(tmp_path / "pairs.csv")


def test_two_searches_cannot_share_a_folder(tmp_path: Path) -> None:
    with SearchFolder(tmp_path / "out").claimed(), pytest.raises(RunError, match="another search is at work in it"):
        find(TEXTS, out=tmp_path / "out")


def test_texts_and_pairs_cannot_both_be_given(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right\na cat,one cat\n")
    with pytest.raises(ArgumentError, match="texts and pairs are both given"):
        find(TEXTS, pairs={"data": str(tmp_path / "pairs.csv")}, duplicates=None)


def test_too_many_texts_for_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from similitude.study.candidates import stages

    monkeypatch.setattr(stages, "BYTES_OF_TEXT", 100_000_000)  # twelve texts: 0.3 + 1.2 GB
    with pytest.raises(ArgumentError, match=r"12 texts need about 1\.5 GB of memory, and the search may use 1\.4 GB"):
        find(TEXTS, memory="1.4GB")
    find(TEXTS, memory="1.6GB")


def test_too_many_pairs_for_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from similitude.study.candidates import item_stage

    monkeypatch.setattr(item_stage, "BYTES_OF_PAIR", 100_000_000)
    with pytest.raises(ArgumentError, match=r"the filters keep \d+ pairs.* add filters, or raise memory="):
        find(TEXTS, memory="1GB")


@pytest.mark.parametrize("by", ["neighbours", "words", "random", "hard-negatives"])
def test_a_k_beyond_all_bounds_pairs_each_text_with_all_others(by: str) -> None:
    found = find(TEXTS, k=10**9, by=by)
    assert 1 <= step(found, "pairs").after <= len(TEXTS) * (len(TEXTS) - 1) // 2


def test_more_partners_than_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from similitude.study.candidates import pair_stage

    monkeypatch.setattr(pair_stage, "BYTES_OF_PARTNER", 10_000_000)  # twelve texts, eleven partners: 0.3 + 1.3 GB
    told = r"11 partners of each of 12 texts need about 1\.6 GB of memory, and .* 1\.5 GB; lower k, or raise memory="
    with pytest.raises(ArgumentError, match=told):
        find(TEXTS, k=500, memory="1.5GB")
