"""Public data comes whole and with the right hash, or not at all; the network is real, the server is ours."""

import io
import socket
import zipfile
from pathlib import Path

import pytest
from public_home import Home, data_of

from similitude.data.public import EvidenceFolder, get_data, public_data
from similitude.errors import ArgumentError, InputError


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_files_come_and_are_kept(home: Home, tmp_path: Path) -> None:
    data = data_of(home.file("a.csv", b"left,right\n"), home.file("deep/b.csv", b"x" * 200_000))
    found = get_data(data, tmp_path / "pets")
    assert found.missing == []
    assert [file.source for file in found.delivered] == ["home", "home"]
    assert (tmp_path / "pets/deep/b.csv").read_bytes() == b"x" * 200_000
    again = get_data(data, tmp_path / "pets")
    assert [file.source for file in again.delivered] == ["there", "there"]
    assert home.asked == ["/a.csv", "/deep/b.csv"]


def test_another_file_at_its_home_is_refused_and_leaves_nothing(home: Home, tmp_path: Path) -> None:
    file = home.file("a.csv", b"left,right\n")
    home.content["/a.csv"] = b"left;right\n"
    found = get_data(data_of(file), tmp_path)
    assert found.delivered == []
    (missing,) = found.missing
    assert missing.why.startswith("another file: its SHA-256 is ")
    assert names(tmp_path) == []


def test_more_than_announced_is_refused(home: Home, tmp_path: Path) -> None:
    file = home.file("a.csv", b"left,right\n")
    home.content["/a.csv"] += b"more"
    (missing,) = get_data(data_of(file), tmp_path).missing
    assert missing.why == "more than the 11 bytes that it should have"
    assert names(tmp_path) == []


def test_an_interrupted_download_leaves_nothing_and_the_next_one_succeeds(home: Home, tmp_path: Path) -> None:
    file = home.file("a.csv", b"x" * 300_000)
    home.cut["/a.csv"] = 100_000
    (missing,) = get_data(data_of(file), tmp_path).missing
    assert missing.why.startswith("interrupted")
    assert names(tmp_path) == []
    home.cut.clear()
    assert get_data(data_of(file), tmp_path).missing == []
    assert names(tmp_path) == ["a.csv"]


def test_a_file_that_is_gone_does_not_hold_up_the_others(home: Home, tmp_path: Path) -> None:
    gone, there = home.file("a.csv", b"a"), home.file("b.csv", b"b")
    del home.content["/a.csv"]
    found = get_data(data_of(gone, there), tmp_path)
    assert [(missing.path.name, missing.why) for missing in found.missing] == [
        ("a.csv", "the server says 404 Not Found")
    ]
    assert names(tmp_path) == ["b.csv"]


def test_a_host_that_cannot_be_reached_is_asked_once(home: Home, tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    files = [home.file(name, b"x", address=f"http://127.0.0.1:{port}/{name}") for name in ("a.csv", "b.csv")]
    found = get_data(data_of(*files), tmp_path)
    assert [missing.why.partition(":")[0] for missing in found.missing] == ["no connection", "no connection"]
    assert [missing.why for missing in found.missing][1] == "no connection"
    assert home.asked == []


def test_a_file_that_lies_in_the_way_is_left_alone(home: Home, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("mine")
    (missing,) = get_data(data_of(home.file("a.csv", b"theirs")), tmp_path).missing
    assert "another file lies there" in missing.why
    assert (tmp_path / "a.csv").read_text() == "mine"


def test_a_folder_that_is_a_file_is_refused(home: Home, tmp_path: Path) -> None:
    (tmp_path / "pets").write_text("mine")
    with pytest.raises(ArgumentError, match=r"pets: the folder cannot be made: .*; name another folder"):
        get_data(data_of(home.file("a.csv", b"a")), tmp_path / "pets")


def test_members_of_an_archive_are_laid_beside_it(home: Home, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("pairs.txt", "a\tb\n")
        archive.writestr("readme.txt", "about")
    data = data_of(home.file("pets.zip", packed.getvalue(), unpack=("pairs.txt",)))
    assert get_data(data, tmp_path).missing == []
    assert names(tmp_path) == ["pairs.txt", "pets.zip"]
    with pytest.raises(InputError, match=r"pets.zip: holds no other.txt"):
        get_data(data_of(home.file("pets.zip", packed.getvalue(), unpack=("other.txt",))), tmp_path)


def test_what_people_must_fetch_is_missing_until_it_is_there(tmp_path: Path) -> None:
    data = data_of(steps=("ask for it",), expects=("a.csv", "b.csv"))
    assert [missing.path.name for missing in get_data(data, tmp_path).missing] == ["a.csv", "b.csv"]
    for name in data.expects:
        (tmp_path / name).write_text("x")
    found = get_data(data, tmp_path)
    assert (found.missing, [file.source for file in found.delivered]) == ([], ["by hand", "by hand"])


def test_evidence_is_asked_before_the_network(evidence: Path, tmp_path: Path) -> None:
    found = get_data(public_data("nlu-de"), tmp_path, evidence=EvidenceFolder.at(evidence))
    assert [file.source for file in found.delivered] == ["evidence"]


def test_a_damaged_packed_file_is_named(evidence: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "evidence"
    (damaged / "nlu-de").mkdir(parents=True)
    (damaged / "MANIFEST.toml").write_bytes((evidence / "MANIFEST.toml").read_bytes())
    name = "nlu-de/NLU-Data-Home-Domain-similarity-de.csv.bz2"
    (damaged / name).write_bytes((evidence / name).read_bytes()[:1000])
    with pytest.raises(InputError, match=r"similarity-de.csv.bz2: cannot be unpacked"):
        get_data(public_data("nlu-de"), tmp_path / "out", evidence=EvidenceFolder.at(damaged))
    assert not list((tmp_path / "out").rglob("*"))
