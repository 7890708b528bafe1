"""``evidence/``: packed files are the originals, the script writes the same bytes, and both are read alike."""

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

import similitude as sim
from similitude.data.public import EvidenceFolder, read_catalogue

ROOT = Path(__file__).parents[2]
LIMIT = 12_000_000


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The original files, unpacked, under names that say nothing; and the licences."""
    folder = tmp_path_factory.mktemp("originals")
    held = EvidenceFolder.at(ROOT / "evidence")
    for position, sha256 in enumerate(held.packed):
        content = held.content(sha256)
        assert content is not None
        (folder / str(position)).write_bytes(content)
    for licence in held.path.glob("*/LICENSE"):
        (folder / f"{licence.parent.name}.licence").write_bytes(licence.read_bytes())
    return folder


def build(originals: Path, out: Path) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "build_evidence.py"
    command = [sys.executable, script, originals, "--out", out]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_file_is_the_one_that_the_manifest_and_the_catalogue_name(originals: Path) -> None:
    manifest = tomllib.loads((ROOT / "evidence" / "MANIFEST.toml").read_text())["file"]
    known = {file.sha256: file for data in read_catalogue() for file in data.file}
    unpacked = {hashlib.sha256(content).hexdigest(): content for content in contents(originals).values()}
    for entry in manifest:
        packed = (ROOT / "evidence" / entry["path"]).read_bytes()
        assert (len(packed), hashlib.sha256(packed).hexdigest()) == (entry["bytes"], entry["sha256"])
        assert len(unpacked[entry["original_sha256"]]) == entry["original_bytes"]
        assert known[entry["original_sha256"]].address == entry["address"]


def test_it_is_small() -> None:
    assert sum(map(len, contents(ROOT / "evidence").values())) < LIMIT


@pytest.mark.slow
def test_the_script_writes_the_same_bytes(originals: Path, tmp_path: Path) -> None:
    done = build(originals, tmp_path / "evidence")
    assert done.returncode == 0, done.stderr
    ours = contents(ROOT / "evidence")
    del ours["README.md"]
    assert contents(tmp_path / "evidence") == ours


@pytest.mark.slow
def test_a_file_that_is_not_there_is_named(originals: Path, tmp_path: Path) -> None:
    some = tmp_path / "some"
    some.mkdir()
    for path in originals.iterdir():
        if path.name != "0":
            (some / path.name).symlink_to(path)
    done = build(some, tmp_path / "evidence")
    assert done.returncode == 1
    assert "usts/ustsu/train.json (https://" in done.stderr
    assert not (tmp_path / "evidence").exists()


BENCHMARKS = {
    "usts/ustsu": ["train.json", "dev.json", "test.json"],
    "usts/ustsc": ["train.json", "dev.json", "test.json"],
    "usts/usts_multilingual_case_study_examples.json": None,
    "nlu-de/NLU-Data-Home-Domain-similarity-de.csv": None,
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The original files in their original layout."""
    folder = tmp_path_factory.mktemp("plain")
    held = EvidenceFolder.at(ROOT / "evidence")
    for sha256, path in held.packed.items():
        target = folder / path.relative_to(held.path).with_suffix("")
        target.parent.mkdir(parents=True, exist_ok=True)
        content = held.content(sha256)
        assert content is not None
        target.write_bytes(content)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", BENCHMARKS)
def test_packed_and_original_files_are_read_as_the_same_benchmark(plain: Path, name: str) -> None:
    packed = ROOT / "evidence" / (name if BENCHMARKS[name] else f"{name}.bz2")
    ours, theirs = sim.read(packed), sim.read(plain / name)
    assert ours.fingerprint == theirs.fingerprint
    assert ours.frame.equals(theirs.frame)
    assert ours.splits == theirs.splits


@pytest.mark.slow
@pytest.mark.parametrize("name", ["usts/ustsc", "ruddit/Ruddit_individual_annotations.csv"])
def test_packed_and_original_files_are_read_as_the_same_judgements(plain: Path, name: str) -> None:
    packed = ROOT / "evidence" / (name if "ustsc" in name else f"{name}.bz2")
    ours, theirs = sim.read_judgements(packed), sim.read_judgements(plain / name)
    assert ours.frame.equals(theirs.frame)
    assert isinstance(ours.frame, pl.DataFrame)
    assert ours.name == theirs.name


@pytest.mark.slow
def test_evidence_is_not_in_the_wheel() -> None:
    held = (ROOT / "pyproject.toml").read_text()
    found = tomllib.loads(held)["tool"]["setuptools"]
    assert found["packages"]["find"] == {"where": ["src"]}
    assert not [pattern for pattern in found["package-data"]["similitude"] if "evidence" in pattern]
