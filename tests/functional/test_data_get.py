"""``similitude data get`` as a user runs it: in a process of its own, against a server on this machine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from public_home import Home, data_of, home

from similitude.data.public import PublicData

__all__ = ["home"]


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "similitude", "data", "get", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def write_catalogue(path: Path, *known: PublicData) -> str:
    lines: list[str] = []
    for data in known:
        told = data.model_dump(mode="json", exclude={"file"}, exclude_defaults=True)
        lines += ["[[data]]", *(f"{key} = {json.dumps(value)}" for key, value in told.items())]
        for file in data.file:
            lines += ["[[data.file]]", *(f"{k} = {json.dumps(v)}" for k, v in file.model_dump(mode="json").items())]
    path.write_text("\n".join(lines))
    return str(path)


@pytest.mark.slow
def test_a_data_set_comes_with_licence_and_citation(home: Home, tmp_path: Path) -> None:
    content = b"left,right,score\na cat,one cat,4.5\na cat,two dogs,1\n"
    mine = write_catalogue(tmp_path / "mine.toml", data_of(home.file("pets.csv", content), read="pets.csv"))
    done = run("pets", "--catalogue", mine, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"pets: 1 file in {tmp_path}/pets (1 from its public home)" in done.stdout
    for line in ("licence: CC0", "cite: A (1)", f"next: similitude data show {tmp_path}/pets/pets.csv"):
        assert line in done.stdout
    assert (tmp_path / "pets" / "pets.csv").read_bytes() == content


@pytest.mark.slow
def test_a_wrong_hash_says_which_file_must_lie_where(home: Home, tmp_path: Path) -> None:
    file = home.file("pets.csv", b"left,right\n")
    home.content["/pets.csv"] = b"left;right\n"
    mine = write_catalogue(tmp_path / "mine.toml", data_of(file))
    done = run("pets", "--catalogue", mine, "--folder", "here", cwd=tmp_path)
    assert done.returncode == 1
    assert "error: 1 file of pets could not be had" in done.stderr
    assert f"{tmp_path}/here/pets.csv: another file" in done.stderr
    assert f"from {file.address}" in done.stderr
    assert f"11 bytes, SHA-256 {file.sha256}" in done.stderr
    assert not list((tmp_path / "here").iterdir())
    # as it says: put the right file there, and run the same command again
    (tmp_path / "here" / "pets.csv").write_bytes(b"left,right\n")
    again = run("pets", "--catalogue", mine, "--folder", "here", "--json", cwd=tmp_path)
    assert again.returncode == 0
    assert json.loads(again.stdout)["files"] == [{"path": f"{tmp_path}/here/pets.csv", "source": "there"}]


@pytest.mark.slow
def test_a_clone_needs_no_network_for_what_it_holds(tmp_path: Path) -> None:
    done = run("nlu-de", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "(1 from evidence/)" in done.stdout
    assert "licence: CC BY 4.0" in done.stdout


@pytest.mark.slow
def test_what_only_people_can_fetch_says_how(tmp_path: Path) -> None:
    done = run("csts", cwd=tmp_path)
    assert done.returncode == 1
    assert "1. ask for the password" in done.stderr
    assert f"{tmp_path}/csts/csts_train.csv" in done.stderr


@pytest.mark.slow
def test_without_a_name_all_are_listed(tmp_path: Path) -> None:
    done = run("--json", cwd=tmp_path)
    listed = [data["name"] for data in json.loads(done.stdout)]
    assert {"usts", "ruddit", "nlu-de", "stsb-en", "sick", "csts", "giccs"} <= set(listed)
