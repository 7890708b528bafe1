"""Paths that users name wrongly."""

import pytest

from similitude.errors import InputError
from similitude.paths import missing_path, printable, refuse_missing


def test_only_files_that_do_not_exist_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.csv").write_text("left,right\n")
    (tmp_path / "broken").symlink_to("nowhere")
    refuse_missing(["pairs.csv", ".", "-", "sample:opinions", "hf:owner/name", "x" * 5000, "a\0b", "broken"])
    with pytest.raises(InputError, match=r"pears\.csv: no such file; did you mean pairs\.csv\?"):
        refuse_missing(["pairs.csv", "pears.csv"])
    with pytest.raises(InputError, match="there is no folder away either"):
        refuse_missing(["away/pairs.csv"])


def test_what_is_said_of_links_and_addresses(tmp_path):
    link = tmp_path / "link.csv"
    link.symlink_to("nowhere.csv")
    assert "is a link to nowhere.csv, which does not exist" in str(missing_path(link))


def test_long_and_odd_paths_are_shown_in_one_line():
    assert printable("a\nb") == "a\\nb"
    assert printable("x" * 200) == "x" * 200
    assert printable("x" * 201) == f"{'x' * 100}…{'x' * 100}"
