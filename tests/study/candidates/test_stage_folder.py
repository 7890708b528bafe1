"""Stages: finished ones are not run again, begun ones go on, changed ones start anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, digest_of_files
from similitude.study.engines import LocalEngine

KEY = {"texts": "a", "plan": {"k": (1, 2)}}
STEP = Step(
    name="iou <= 0.12",
    of="pairs",
    before=4,
    after=2,
    losses={"above": 2},
    facts={"recall": 0.5},
    examples=(BorderExample(left="a", right="b", value=0.12, is_kept=True),),
    distributions=(Distribution(name="iou", edges=(0.0, 0.5, 1.0), before=(3, 1), after=(2, 0)),),
    notes=("one",),
)


class Counted:
    """A task that counts its pieces and fails on some."""

    def __init__(self, fails: Sequence[int] = ()) -> None:
        self.done: list[int] = []
        self.fails = fails

    def __call__(self, piece: Piece) -> dict[str, Any]:
        if piece.number in self.fails:
            raise ValueError(piece.number)
        self.done.append(piece.number)
        return {"number": piece.number}


def run(folder: Path, task: Callable[[Piece], dict[str, Any]], key: Any = KEY) -> list[dict[str, Any]]:
    stage = StageFolder(folder / "stage")
    stage.begin(key)
    return stage.run_pieces(task, Piece.cut(5, 2), LocalEngine(), None, "work")


def test_pieces_cover_all_rows_once() -> None:
    assert [(piece.start, piece.stop) for piece in Piece.cut(4, 2)] == [(0, 2), (2, 4)]
    assert Piece.cut(0, 2) == []
    assert Piece(12, 0, 1).name == "000012"


def test_a_failed_piece_keeps_the_others_and_only_it_runs_again(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1"):
        run(tmp_path, Counted(fails=[1]))
    again = Counted()
    assert run(tmp_path, again) == [{"number": 0}, {"number": 1}, {"number": 2}]
    assert again.done == [1]


def test_another_key_starts_anew(tmp_path: Path) -> None:
    run(tmp_path, Counted())
    (tmp_path / "stage" / "left-over").write_text("old")
    again = Counted()
    run(tmp_path, again, {**KEY, "texts": "b"})
    assert again.done == [0, 1, 2]
    assert not (tmp_path / "stage" / "left-over").exists()


def test_a_damaged_record_of_a_piece_does_not_count(tmp_path: Path) -> None:
    run(tmp_path, Counted())
    (tmp_path / "stage" / "unfinished" / "pieces" / "work" / "000002.json").write_text('{"numb')
    again = Counted()
    run(tmp_path, again)
    assert again.done == [2]


def test_results_come_back_as_they_were_for_the_same_key_alone(tmp_path: Path) -> None:
    stage = StageFolder(tmp_path / "stage")
    assert stage.finished(KEY) is None
    stage.begin(KEY)
    assert stage.finished(KEY) is None
    result = StageResult(output="d", steps=(STEP,), facts={"rows": 3})
    stage.finish(KEY, result)
    assert not stage.scratch.exists()
    assert stage.finished(KEY) == result
    assert stage.finished({**KEY, "texts": "b"}) is None


def test_digest_tells_where_one_file_ends(tmp_path: Path) -> None:
    contents = {"a": "xy", "b": "z", "c": "x", "d": "yz"}
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    assert digest_of_files([tmp_path / "a", tmp_path / "b"]) != digest_of_files([tmp_path / "c", tmp_path / "d"])
