"""Files that are larger than memory: the same benchmark, kept on disk; and refusals where that cannot be."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import similitude as sim
from similitude.data.reading import disk_frames, free_memory
from similitude.data.reading.disk_frames import frame_on_disk
from similitude.errors import InputError

ROWS = 40_000
"""Rows of a file above the size from which files are mapped."""


def pairs(rows: int = ROWS) -> pl.DataFrame:
    at = pl.int_range(rows)
    return pl.select(
        id=pl.format("pair-{}", at),
        left=pl.format('A man who is {} said "so", twice and once more.', at),
        right=pl.format("Ein Männchen läuft {} Runden, dann noch eine und noch eine weitere.", at * 7),
        score=(at % 51) / 10,
    )


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gives tables no memory; lists the files whose tables are kept on disk."""
    monkeypatch.setenv("SIMILITUDE_MEMORY", "1MB")
    files: list[str] = []

    def listed(batches: object, where: str) -> pl.DataFrame | None:
        files.append(where)
        return frame_on_disk(batches, where)  # type: ignore[arg-type]

    for name in ("regular_rows", "regular_json", "containers.columnar"):
        monkeypatch.setattr(f"similitude.data.reading.{name}.frame_on_disk", listed)
    return files


WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    "pairs.csv": lambda frame, path: frame.write_csv(path),
    "pairs.tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "pairs.jsonl": lambda frame, path: frame.write_ndjson(path),
    "pairs.parquet": lambda frame, path: frame.write_parquet(path),
    "pairs.arrow": lambda frame, path: frame.write_ipc(path),
    "pairs.csv.gz": lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode(), 1)),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_table_on_disk_is_read_like_one_in_memory(name: str, tmp_path: Path, kept: list[str]) -> None:
    path = tmp_path / name
    WRITERS[name](pairs(), path)
    on_disk = sim.read(path)
    assert kept == [name.removesuffix(".gz")]
    assert on_disk.frame.select("id", "left", "right", "score").equals(pairs())
    assert str(on_disk.scale) == "0..5"
    assert on_disk.provenance.readings[0].rows == ROWS


@pytest.mark.parametrize("target", ["out.csv", "out.jsonl", "out.parquet"])
def test_a_table_on_disk_is_written_whole(target: str, tmp_path: Path, kept: list[str]) -> None:
    pairs().write_csv(tmp_path / "pairs.csv")
    sim.write(sim.read(tmp_path / "pairs.csv"), tmp_path / target)
    again = sim.read(tmp_path / target)
    assert again.frame.select("id", "left", "right", "score").equals(pairs())
    assert kept[0] == "pairs.csv"


def test_a_bad_row_of_a_table_on_disk_is_named_by_its_line(tmp_path: Path, kept: list[str]) -> None:
    frame = pairs().with_columns(id=pl.col("id").replace("pair-39990", "pair-7"))
    frame.write_csv(tmp_path / "pairs.csv")
    with pytest.raises(InputError, match=r"pairs\.csv, line 39992: id 'pair-7' is already used at line 9"):
        sim.read(tmp_path / "pairs.csv")
    assert len(sim.read(tmp_path / "pairs.csv", on_error="skip")) == ROWS - 1
    assert kept == ["pairs.csv", "pairs.csv"]


def test_small_tables_stay_in_memory(tmp_path: Path, kept: list[str]) -> None:
    pairs(100).write_parquet(tmp_path / "few.parquet")
    assert len(sim.read(tmp_path / "few.parquet")) == 100
    assert kept == []


def test_without_the_library_a_table_that_is_too_large_is_refused(
    tmp_path: Path, kept: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs().write_csv(tmp_path / "pairs.csv")
    monkeypatch.setattr(free_memory, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs about 6\.0 MB of memory, and 1\.0 MB are free.*'\.\[large\]"):
        sim.read(tmp_path / "pairs.csv")
    monkeypatch.setenv("SIMILITUDE_MEMORY", "9MB")  # more than half of it, but it fits
    assert len(sim.read(tmp_path / "pairs.csv")) == ROWS
    assert kept == []


def test_an_irregular_file_that_is_too_large_is_refused(
    tmp_path: Path, kept: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = pairs().write_csv() + 'odd,"a "quote" inside",b,3\n'
    (tmp_path / "odd.csv").write_text(text)
    monkeypatch.setattr(free_memory, "SMALL", 1000)
    with pytest.raises(InputError, match=r"odd\.csv: needs about 1\d\.\d MB of memory.*all have the same columns"):
        sim.read(tmp_path / "odd.csv")


def test_a_full_disk_is_reported(tmp_path: Path, kept: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pairs().write_csv(tmp_path / "pairs.csv")

    def full(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk_frames, "_write", full)
    with pytest.raises(InputError, match=r"cannot be kept on disk in .*: No space left on device.*TMPDIR"):
        sim.read(tmp_path / "pairs.csv")


def test_temporary_files_are_on_disk_unless_the_user_names_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    assert disk_frames.temporary_folder() == "/var/tmp"
    monkeypatch.setattr(disk_frames, "LARGE", tmp_path / "nowhere")
    assert disk_frames.temporary_folder() == "/tmp"
    monkeypatch.setattr(disk_frames, "LARGE", Path("/var/tmp"))
    monkeypatch.setenv("TMPDIR", "/tmp")
    assert disk_frames.temporary_folder() == "/tmp"
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert disk_frames.temporary_folder() == str(tmp_path)


def test_nothing_is_kept_of_no_rows() -> None:
    assert frame_on_disk([], "none.csv") is None


def write_files(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with 8,000 kB of free memory and no control groups."""
    monkeypatch.delenv("SIMILITUDE_MEMORY", raising=False)
    (tmp_path / "meminfo").write_text("MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable: 8000 kB\n")
    for name, path in (("SYSTEM", "meminfo"), ("GROUPS", "groups"), ("CONTAINER", "cgroup")):
        monkeypatch.setattr(free_memory, name, tmp_path / path)
    return tmp_path


def test_free_memory_is_what_the_system_says(machine: Path) -> None:
    assert free_memory.free_memory() == 8_192_000
    (machine / "meminfo").unlink()
    assert free_memory.free_memory() is None


def test_control_groups_limit_free_memory_but_files_can_be_dropped(machine: Path) -> None:
    (machine / "groups").write_text("0::/some/group\n")
    stated = {"memory.max": "5000", "memory.current": "3000", "memory.stat": "anon 1000\nfile 1500\n"}
    write_files(machine / "cgroup" / "some" / "group", stated)
    assert free_memory.free_memory() == 3500
    write_files(machine / "cgroup", {"memory.max": "max", "memory.current": "4000"})
    assert free_memory.free_memory() == 3500


def test_control_groups_of_the_first_version(machine: Path) -> None:
    (machine / "groups").write_text("5:cpu,cpuacct:/x\n4:memory:/mine\n0::/\n")
    folder = machine / "cgroup" / "memory" / "mine"
    stated = {"memory.limit_in_bytes": "7000", "memory.usage_in_bytes": "6900", "memory.stat": "total_cache 400\n"}
    write_files(folder, stated)
    assert free_memory.free_memory() == 500
    (folder / "memory.usage_in_bytes").write_text("9000")
    assert free_memory.free_memory() == 0


def test_a_size_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(sim.SimilitudeError, match=r"cannot read SIMILITUDE_MEMORY='much'.*500MB"):
        free_memory.free_memory({"SIMILITUDE_MEMORY": "much"})
