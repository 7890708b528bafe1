"""What CONTRIBUTING says of the house is so."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "similitude"
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def walks() -> list[str]:
    """The five diagrams."""
    section = TEXT.partition("## Five walks")[2].partition("\n## ")[0]
    return re.findall(r"```\n(.*?)```", section, flags=re.DOTALL)


def test_there_are_five_walks():
    assert len(walks()) == 5


@pytest.mark.parametrize("walk", walks(), ids=["evaluate", "candidates", "gold", "train", "answer"])
def test_every_file_of_a_walk_exists(walk):
    paths = re.findall(r"[a-z_]+(?:/[a-z_]+)+(?:\.py|/)", walk)
    assert paths
    assert [path for path in paths if not (SOURCE / path).exists()] == []


def test_files_named_without_their_folder_exist_somewhere():
    names = {name for walk in walks() for name in re.findall(r"(?<![\w/])[a-z_]+\.py", walk)}
    assert {name for name in names if not list(SOURCE.rglob(name))} == set()


def test_the_rooms_are_those_of_the_contract():
    [layers] = [
        contract["layers"]
        for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
            "contracts"
        ]
        if contract["type"] == "layers"
    ]
    drawn = re.search(r"```\n(cli >.*?)```", TEXT, flags=re.DOTALL)[1]
    wanted = [layer for layer in layers if not layer.startswith("_")]
    assert [layer.strip() for layer in drawn.replace("\n", " ").split(">")] == wanted
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    table = TEXT.partition("| room |")[2].partition("\n\n")[0]
    assert {name.rstrip("/") for name in re.findall(r"\n\| `(\w+/)`", table)} == rooms


def test_every_noun_is_in_the_glossary_once():
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert "(docs/glossary.md)" in TEXT
    table = f"{glossary.partition('| noun | meaning |')[2]}\n".partition("\n\n")[0]
    nouns = re.findall(r"\n\| (\w[\w ]*) \|", table)
    assert len(nouns) == len(set(nouns)) > 25
