"""Whether texts in files have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from similitude.study.candidates.data_files import file_state


@pytest.mark.parametrize(
    "data", [None, "hf:owner/name", "sample:dialogues", "-", [], ["a text", "two"], {"text": []}, 3]
)
def test_what_is_in_no_file_has_no_state(data: object) -> None:
    assert file_state(data) is None


def test_state_follows_bytes_names_and_number_of_files(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("one")
    before = file_state(str(first))
    assert before == file_state(first) == file_state([first]) == file_state(tmp_path) == file_state(f"{tmp_path}/*.txt")
    second.write_text("one")
    assert file_state(tmp_path) == [*before, ["b.txt", before[0][1]]]  # type: ignore[misc, index]
    first.write_text("two")
    assert file_state(first) != before


def test_texts_beside_a_path_are_no_files(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    assert file_state([str(file), "a text that is no path"]) is None
    assert file_state(["a\ntext", "x" * 9999]) is None


@pytest.mark.parametrize("text", ["", " ", "long " * 100, "x" * 9999, "a\x00b", "what *is* this?", "**/", "/*/*" * 200])
def test_no_text_is_taken_for_a_path(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("one")
    assert file_state([text, "a text"]) is None
    assert file_state(["a text", text]) is None
