"""Pipes, standard input and packed files as plain files; what never ends, is damaged or too large is refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import pytest

from similitude.data.reading import compression, pipes, spool
from similitude.data.reading.compression import BLOCK, zstd
from similitude.data.reading.spool import local_files
from similitude.errors import ArgumentError, FormatError, InputError

CONTENT = b"id,left,right,score\n" + b"".join(b"%d,a man %d,a woman %d,3\n" % (n, n, n) for n in range(5_000))
PACK = {
    "gz": gzip.compress,
    "zst": zstd.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "lzma": lambda data: lzma.compress(data, format=lzma.FORMAT_ALONE),
}


@pytest.fixture(autouse=True)
def spools(tmp_path_factory, monkeypatch) -> Path:
    """The folder for temporary files; nothing may be left in it."""
    folder = tmp_path_factory.mktemp("spools")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert not list(folder.iterdir())


def content(path: str | Path) -> tuple[str, bytes]:
    """The name of the local file, and what it holds, read twice."""
    with local_files([path]) as [local]:
        first = Path(local).read_bytes()
        assert Path(local).read_bytes() == first
        return Path(local).name, first


def refused(*paths: str | Path, kind: type[Exception] = InputError) -> str:
    with pytest.raises(kind) as raised, local_files(paths):
        pass
    shown = str(raised.value)
    assert "\n" not in shown
    assert raised.value.remedy
    return shown


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


# --- what stays as it is ----------------------------------------------------------------------------------------------


def test_files_folders_and_names_stay_as_they_are(make_file, tmp_path, spools):
    paths = [make_file("a.csv", CONTENT), str(tmp_path), tmp_path, "hf:mteb/stsb", "sample:opinions", "hf:a/b.gz"]
    with local_files(paths) as local:
        assert all(one is other for one, other in zip(local, paths, strict=True))
        assert not list(spools.iterdir())


def test_a_link_to_a_file_stays_a_link(make_file, tmp_path):
    make_file("a.csv", CONTENT)
    (tmp_path / "link.csv").symlink_to("a.csv")
    with local_files([tmp_path / "link.csv"]) as [local]:
        assert local == tmp_path / "link.csv"


def test_a_file_with_a_colon_in_its_name_is_a_file(make_file):
    assert content(make_file("stsb:dev.csv.gz", gzip.compress(CONTENT))) == ("stsb:dev.csv", CONTENT)


@pytest.mark.parametrize("start", [b"BZh9,b\n", b"PK,b\n", b"(\xc2\xb5/", b"]\n"])
def test_text_that_begins_like_a_packed_file(make_file, start):
    assert content(make_file("a.csv", start + CONTENT)) == ("a.csv", start + CONTENT)


# --- packed files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", PACK)
def test_packed_files_are_unpacked(make_file, suffix):
    assert content(make_file(f"pairs.csv.{suffix}", PACK[suffix](CONTENT))) == ("pairs.csv", CONTENT)


@pytest.mark.parametrize("suffix", PACK)
def test_the_bytes_tell_a_packed_file_not_its_name(make_file, suffix):
    assert content(make_file("pairs.csv", PACK[suffix](CONTENT))) == ("pairs.csv", CONTENT)
    assert content(make_file(f"plain.{suffix}", CONTENT)) == (f"plain.{suffix}", CONTENT)


def test_names_of_contents(make_file):
    names = {"A.CSV.GZ": "A.CSV", "a.gz": "a", ".gz": ".gz", "a.tgz": "a.tar", "ä ö.jsonl.gz": "ä ö.jsonl"}
    for name, expected in names.items():
        assert content(make_file(name, gzip.compress(CONTENT)))[0] == expected


@pytest.mark.parametrize("suffix", ["gz", "zst", "xz", "bz2"])
def test_several_streams_in_one_file(make_file, suffix):
    pack = PACK[suffix]
    padding = b"\0" * 8 if suffix == "xz" else b""
    assert content(make_file("a.csv", pack(b"one\n") + padding + pack(b"two\n")))[1] == b"one\ntwo\n"


@pytest.mark.parametrize("suffix", ["gz", "zst", "xz", "bz2"])
def test_content_of_many_blocks(make_file, suffix):
    data = os.urandom(BLOCK + 17) + bytes(3 * BLOCK) + b"end"
    assert content(make_file("a.csv", PACK[suffix](data)))[1] == data


@pytest.mark.parametrize("suffix", ["gz", "zst", "xz", "bz2"])
def test_an_empty_file_that_is_packed_is_an_empty_file(make_file, suffix):
    assert content(make_file(f"a.csv.{suffix}", PACK[suffix](b""))) == ("a.csv", b"")


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_file_that_is_cut_off(make_file, suffix):
    data = PACK[suffix](CONTENT)
    for size in (len(data) // 2, len(data) - 1) if suffix != "lzma" else (len(data) // 2,):
        assert f"a.csv.{suffix}: the " in (shown := refused(make_file(f"a.csv.{suffix}", data[:size])))
        assert "file is cut off; copy the file from its source again" in shown


@pytest.mark.parametrize("suffix", ["gz", "zst", "xz", "bz2"])
def test_a_damaged_packed_file(make_file, suffix):
    data = bytearray(PACK[suffix](CONTENT))
    data[len(data) // 2] ^= 0xFF
    shown = refused(make_file(f"a.csv.{suffix}", bytes(data)))
    assert "file is damaged: " in shown or "file is cut off" in shown


@pytest.mark.parametrize("suffix", ["gz", "zst", "xz", "bz2"])
def test_bytes_after_the_last_stream_are_not_dropped(make_file, suffix):
    assert "file is damaged" in refused(make_file(f"a.csv.{suffix}", PACK[suffix](CONTENT) + b"3,more,rows,1\n"))


def test_a_file_that_is_packed_twice_but_not_thrice(make_file):
    twice = gzip.compress(zstd.compress(CONTENT))
    assert content(make_file("a.csv.zst.gz", twice)) == ("a.csv", CONTENT)
    assert "is packed more than 2 times" in refused(make_file("a.csv.zst.gz.xz", lzma.compress(twice)))


def test_two_packed_files_of_one_name_are_two(make_file):
    one, two = make_file("one/a.csv.gz", gzip.compress(b"1")), make_file("two/a.csv.gz", gzip.compress(b"2"))
    with local_files([one, two]) as local:
        assert [Path(path).name for path in local] == ["a.csv", "a.csv"]
        assert [Path(path).read_bytes() for path in local] == [b"1", b"2"]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_content(make_file):
    data = zstd.compress(bytes(200 << 20))
    code = """
import resource, sys
from similitude.data.reading.spool import local_files
with local_files([sys.argv[2]]): pass
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with local_files([sys.argv[1]]) as [path]:
    print(path.stat().st_size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    paths = [make_file("a.csv.zst", data), make_file("b.csv.zst", zstd.compress(CONTENT))]
    shown = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True)
    size, growth = map(int, shown.stdout.split())
    assert size == 200 << 20
    assert growth < 40_000  # kilobytes


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["gz", "zst", "xz", "bz2"])
def test_a_bomb_is_refused(make_file, monkeypatch, suffix):
    monkeypatch.setattr(spool, "LARGEST_CONTENT", 1 << 21)
    monkeypatch.setattr(spool, "LARGEST_RATIO", 50)
    bomb = make_file("bomb.csv.gz", PACK[suffix](bytes(1 << 23)))
    assert "bomb.csv.gz: unpacks to more than 2,097,152 bytes" in refused(bomb)


def test_a_bomb_in_a_bomb_counts_against_the_outer_size(make_file, monkeypatch):
    monkeypatch.setattr(spool, "LARGEST_CONTENT", 1 << 21)
    bomb = gzip.compress(zstd.compress(bytes(1 << 26)))
    assert len(bomb) * spool.LARGEST_RATIO < 1 << 26
    assert "unpacks to more than" in refused(make_file("bomb.csv.zst.gz", bomb))


def test_large_content_that_is_no_bomb_is_unpacked(make_file, monkeypatch):
    monkeypatch.setattr(spool, "LARGEST_CONTENT", 100)
    assert content(make_file("a.csv.gz", gzip.compress(CONTENT))) == ("a.csv", CONTENT)


def test_a_bomb_in_a_zip_archive(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "LARGEST_CONTENT", 1 << 21)
    monkeypatch.setattr(spool, "LARGEST_RATIO", 50)
    assert "unpacks to more than" in refused(zipped(tmp_path / "a.zip", **{"a.csv": bytes(1 << 23)}))


def test_a_full_disk(make_file, monkeypatch):
    monkeypatch.setattr(spool, "SPARE_ROOM", 1 << 62)
    shown = refused(make_file("a.csv.gz", gzip.compress(CONTENT)))
    assert "a.csv.gz: cannot be unpacked or copied: less than" in shown
    assert "TMPDIR" in shown


def test_no_folder_for_temporary_files(make_file, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    assert "no folder for temporary files" in refused(make_file("a.csv.gz", gzip.compress(CONTENT)))


# --- ZIP archives -----------------------------------------------------------------------------------------------------


def test_a_zip_archive_of_one_file(tmp_path):
    assert content(zipped(tmp_path / "a.zip", **{"data/pairs.csv": CONTENT})) == ("pairs.csv", CONTENT)
    clutter = {"d/": b"", "d/pairs.csv": CONTENT, "__MACOSX/d/._pairs.csv": b"x", "d/.DS_Store": b"x"}
    assert content(zipped(tmp_path / "b.zip", **clutter)) == ("pairs.csv", CONTENT)


@pytest.mark.parametrize("name", ["../../evil.csv", "/tmp/evil.csv", "..\\evil.csv", ".."])
def test_names_in_an_archive_stay_in_the_folder(tmp_path, spools, name):
    with local_files([zipped(tmp_path / "a.zip", **{name: CONTENT})]) as [local]:
        assert Path(local).resolve().is_relative_to(spools.resolve())
        assert Path(local).read_bytes() == CONTENT


def test_a_zip_archive_of_several_files_names_them(tmp_path):
    archive = zipped(tmp_path / "a.zip", **{"train.csv": b"x", "test.csv": b"y"})
    shown = refused(archive, kind=FormatError)
    assert "a.zip: is a ZIP archive of 2 files: train.csv, test.csv; unpack it" in shown


def test_a_zip_archive_without_files(tmp_path):
    assert "a.zip: is a ZIP archive without files" in refused(zipped(tmp_path / "a.zip"))


@pytest.mark.parametrize("name", ["[Content_Types].xml", "mimetype", "arr_0.npy", "model/data.pkl"])
def test_archives_that_are_formats_stay_as_they_are(tmp_path, name):
    archive = zipped(tmp_path / "a.xlsx", **{name: b"x"} | ({"a.xml": b"y"} if "npy" not in name else {}))
    with local_files([archive]) as [local]:
        assert local is archive


def test_damaged_zip_archives(tmp_path):
    whole = zipped(tmp_path / "a.zip", **{"a.csv": CONTENT}).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-30])
    assert "cut.zip: the ZIP archive is damaged or cut off" in refused(tmp_path / "cut.zip")
    broken = bytearray(whole)
    broken[200] ^= 0xFF
    (tmp_path / "broken.zip").write_bytes(broken)
    assert "broken.zip: the ZIP archive is damaged or cut off" in refused(tmp_path / "broken.zip")


def test_a_zip_archive_with_a_password(tmp_path):
    data = bytearray(zipped(tmp_path / "a.zip", **{"a.csv": CONTENT}).read_bytes())
    data[6] |= 1  # the flag of the member, in its own header
    data[data.rindex(b"PK\x01\x02") + 8] |= 1  # and in the directory
    (tmp_path / "a.zip").write_bytes(data)
    assert "a.zip: needs a password" in refused(tmp_path / "a.zip")


# --- companions -------------------------------------------------------------------------------------------------------


def test_companions_are_found_beside_the_copy(make_file):
    for name in ("pairs.judgements.jsonl", "pairs.items.jsonl", "pairs.toml", "other.toml"):
        make_file(name, name)
    with local_files([make_file("pairs.csv.gz", gzip.compress(CONTENT))]) as [local]:
        beside = {each.name: each.read_text() for each in Path(local).parent.iterdir() if each != local}
    names = ("pairs.judgements.jsonl", "pairs.items.jsonl", "pairs.toml")
    assert beside == {name: name for name in names}


def test_companions_of_a_relative_path(make_file, tmp_path, monkeypatch):
    make_file("pairs.toml", "x = 1")
    make_file("pairs.csv.gz", gzip.compress(CONTENT))
    monkeypatch.chdir(tmp_path)
    with local_files(["pairs.csv.gz"]) as [local]:
        assert Path(local).with_name("pairs.toml").read_text() == "x = 1"


def test_packed_companions_are_unpacked(make_file):
    make_file("pairs.judgements.jsonl.zst", zstd.compress(b"{}"))
    with local_files([make_file("pairs.csv.gz", gzip.compress(CONTENT))]) as [local]:
        assert Path(local).with_name("pairs.judgements.jsonl").read_bytes() == b"{}"


def test_scores_of_semeval_belong_to_their_texts(make_file):
    gold = make_file("STS.gs.news.txt.gz", gzip.compress(b"5\n"))
    texts = make_file("STS.input.news.txt.gz", gzip.compress(b"a\tb\n"))
    for path, other in ((texts, "STS.gs.news.txt"), (gold, "STS.input.news.txt")):
        with local_files([path]) as [local]:
            assert Path(local).with_name(other).exists()


# --- standard input ---------------------------------------------------------------------------------------------------


class Input:
    """Standard input with this content."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


SHOW = """
import sys
from pathlib import Path
from similitude.data.reading.spool import local_files
from similitude.errors import SimilitudeError
try:
    with local_files(sys.argv[1:]) as local:
        for path in local:
            print(Path(path).name, len(Path(path).read_bytes()))
except SimilitudeError as error:
    print(error)
"""


def shell(command: str, **options) -> str:
    """What a command line prints in which ``show`` stands for a program that reads its arguments."""
    script = f'show() {{ "{sys.executable}" -c "$SHOW" "$@"; }}; {command}'
    environment = os.environ | {"SHOW": SHOW, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60, env=environment, check=True, **options
    )
    assert not done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", ["-", Path("-"), "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_standard_input(monkeypatch, name):
    monkeypatch.setattr(sys, "stdin", Input(CONTENT))
    assert content(name) == ("standard-input", CONTENT)


def test_standard_input_may_be_packed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Input(gzip.compress(CONTENT)))
    assert content("-") == ("standard-input", CONTENT)


def test_standard_input_without_content(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Input(b""))
    assert "standard input: holds nothing" in refused("-")


@pytest.mark.parametrize("closed", [None, io.StringIO()])
def test_standard_input_that_is_closed(monkeypatch, closed):
    monkeypatch.setattr(sys, "stdin", closed)
    assert "standard input: is closed" in refused("-")


def test_standard_input_named_twice(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Input(CONTENT))
    assert "standard input is named twice" in refused("-", "/dev/stdin", kind=ArgumentError)


def test_a_terminal_is_refused_at_once(monkeypatch):
    leader, follower = os.openpty()
    with os.fdopen(leader, "rb"), os.fdopen(follower) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        assert "standard input: is a terminal" in refused("-")
        assert "is a device, which may never end" in refused(os.ttyname(follower))
        assert "is a terminal" in refused(f"/dev/fd/{follower}")


def test_a_source_that_does_not_block_is_waited_for(monkeypatch):
    here, there = socket.socketpair()
    here.setblocking(False)
    writer = threading.Thread(
        target=lambda: [(time.sleep(0.2), there.send(b"ab\n")) for _ in range(3)] + [there.close()]
    )
    with here, os.fdopen(os.dup(here.fileno())) as source:
        monkeypatch.setattr(sys, "stdin", source)
        writer.start()
        assert content("-") == ("standard-input", b"ab\n" * 3)
        writer.join()


@pytest.mark.slow
def test_pipes_of_the_shell(make_file, tmp_path):
    make_file("a.csv", CONTENT)
    make_file("b.csv.gz", gzip.compress(CONTENT))
    size = len(CONTENT)
    assert shell("cat a.csv | show -", cwd=tmp_path) == f"standard-input {size}"
    assert shell("show - < a.csv", cwd=tmp_path) == f"standard-input {size}"
    assert shell("(read line; show -) < a.csv", cwd=tmp_path) == f"standard-input {size - 20}"
    assert shell("cat b.csv.gz | show -", cwd=tmp_path) == f"standard-input {size}"
    assert shell("(sleep 1; cat a.csv) | show /dev/stdin", cwd=tmp_path) == f"standard-input {size}"
    shown = shell("show <(cat a.csv) a.csv <(gunzip -c b.csv.gz; sleep 0.5; echo x)", cwd=tmp_path).split("\n")
    assert [line.split()[1] for line in shown] == [str(size), str(size), str(size + 2)]
    assert shown[0].startswith("pipe-")
    assert shell("show <(true)").endswith("holds nothing; " + pipes.empty("").remedy)
    assert "standard input: is closed" in shell("show - <&-")
    assert "standard input: is a device, which may never end" in shell("show - < /dev/zero")
    assert "standard input: holds nothing" in shell("show - < /dev/null")
    assert "/dev/fd/77: is not open" in shell("show /dev/fd/77")


# --- named pipes ------------------------------------------------------------------------------------------------------


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "answers.csv"
    os.mkfifo(path)
    return path


def writing(path: Path, *blocks: bytes, before: float = 0.0, between: float = 0.0) -> threading.Thread:
    """A thread that writes to a pipe: waits before it opens it, and between the blocks."""

    def write() -> None:
        time.sleep(before)
        with path.open("wb", buffering=0) as file:
            for block in blocks:
                time.sleep(between)
                file.write(block)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def test_a_named_pipe(fifo):
    writing(fifo, CONTENT[:1000], CONTENT[1000:])
    assert content(fifo) == ("answers.csv", CONTENT)


def test_a_named_pipe_with_packed_content(fifo):
    writing(fifo, gzip.compress(CONTENT))
    assert content(fifo) == ("answers.csv", CONTENT)


def test_a_named_pipe_without_a_writer(fifo, monkeypatch):
    monkeypatch.setattr(pipes, "WAIT", 0.3)
    start = time.monotonic()
    shown = refused(fifo)
    assert f"{fifo}: is a named pipe to which nobody writes; waited 0.3 seconds" in shown
    assert time.monotonic() - start < 3


def test_a_writer_that_comes_late_is_waited_for(fifo):
    writing(fifo, CONTENT, before=0.5)
    assert content(fifo) == ("answers.csv", CONTENT)


def test_a_writer_that_is_slow_is_waited_for_beyond_the_limit(fifo, monkeypatch):
    monkeypatch.setattr(pipes, "WAIT", 0.3)
    writing(fifo, b"a\n", b"b\n", between=0.8)
    assert content(fifo) == ("answers.csv", b"a\nb\n")


def test_a_writer_that_writes_nothing(fifo):
    writing(fifo)
    assert f"{fifo}: holds nothing" in refused(fifo)


def test_a_named_pipe_named_twice(fifo):
    assert f"{fifo} is named twice" in refused(fifo, str(fifo), kind=ArgumentError)


def test_a_missing_file_is_told_before_a_pipe_is_read(fifo, tmp_path):
    assert "gone.csv: no such file" in refused(fifo, tmp_path / "gone.csv")


# --- paths that cannot be read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/full"])
def test_devices_that_never_end(device):
    assert f"{device}: is a device, which may never end" in refused(device)


def test_the_null_device_holds_nothing():
    assert "/dev/null: holds nothing" in refused("/dev/null")


def test_a_socket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("a.csv")
        assert "a.csv: is a socket" in refused("a.csv")


def test_links_that_lead_nowhere(tmp_path):
    (tmp_path / "a.csv").symlink_to("gone.csv")
    (tmp_path / "b.csv").symlink_to("c.csv")
    (tmp_path / "c.csv").symlink_to("b.csv")
    assert "a.csv: is a link to gone.csv, which does not exist" in refused(tmp_path / "a.csv")
    assert "b.csv: is a link that leads back to itself" in refused(tmp_path / "b.csv")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("a\0b.csv", "a\\x00b.csv: cannot be read: embedded null byte"),
        ("x" * 300, "cannot be read: the name is too long"),
        ("x/" * 3000, "cannot be read: the name is too long"),
        ("a.csv/b.csv", "a part of the path is a file, not a folder"),
        ("new\nline.csv", "new\\nline.csv: no such file"),
        (os.fsdecode(b"\xff.csv"), "\\udcff.csv: no such file"),
        ("https://example.org/a.csv", "no such file"),
    ],
)
def test_names_that_cannot_be_read(make_file, tmp_path, name, what):
    make_file("a.csv", CONTENT)
    shown = refused(tmp_path / name)
    assert what in shown
    assert len(shown) < 600


def test_an_address_on_the_web_is_a_name(tmp_path):
    with local_files(["https://example.org/a.csv"]) as [local]:
        assert local == "https://example.org/a.csv"


@pytest.fixture
def nobody():
    """A user without rights, where the tests run as root, whom no permission stops."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield
    if root:
        os.seteuid(0)


def test_a_file_without_permission(tmp_path, nobody):
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path = Path(folder) / "a.csv"
        path.write_bytes(CONTENT)
        path.chmod(0)
        assert f"{path}: cannot be read: no permission" in refused(path)


def test_a_file_that_vanishes_before_it_is_opened(make_file, monkeypatch):
    path = make_file("a.csv.gz", gzip.compress(CONTENT))
    monkeypatch.setattr(spool, "stream_of", lambda given: given.unlink())
    assert "a.csv.gz: no such file" in refused(path)


def test_a_file_that_vanishes_while_it_is_unpacked(make_file, monkeypatch):
    path, opening = make_file("a.csv.gz", gzip.compress(CONTENT)), compression.opening_bytes
    monkeypatch.setattr(compression, "opening_bytes", lambda *given: (opening(*given), path.unlink())[0])
    assert "a.csv.gz: was removed while it was read" in refused(path)


# --- the end ----------------------------------------------------------------------------------------------------------


def test_the_folder_is_private_and_removed_also_after_an_error(make_file, spools):
    path, seen = make_file("a.csv.gz", gzip.compress(CONTENT)), []

    def fail() -> None:
        with local_files([path]) as [local]:
            seen.append(Path(local))
            assert seen[0].is_relative_to(spools)
            made = next(folder for folder in seen[0].parents if folder.parent == spools)
            assert made.stat().st_mode & 0o077 == 0
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not seen[0].exists()
    assert path.exists()


def test_companions_outlive_the_links_to_them(make_file):
    judgements = make_file("a.judgements.jsonl", "{}")
    with local_files([make_file("a.csv.gz", gzip.compress(CONTENT))]):
        pass
    assert judgements.read_text() == "{}"
