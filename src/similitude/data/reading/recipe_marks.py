"""The marks by which data is recognised that a recipe reads.

Most files have none of them, and recipes themselves take longer to import than a small file takes to read. So the marks
are known without the recipes.
"""

from __future__ import annotations

import glob
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from similitude.data.reading.sniffer import HUB, Sniffer

__all__ = [
    "FOLDER_RECIPE",
    "SHIPPED",
    "Marks",
    "is_recognised",
    "matching_files",
    "may_have_recipe",
    "path_fits",
    "shipped_marks",
]

SHIPPED = Path(__file__).parent / "recipes" / "shipped"
FOLDER_RECIPE = "recipe.toml"
RECOGNISED = re.compile(r"^\[recognised\]\n(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
"""The table of marks; the rest of a recipe need not be parsed."""

OF_JUDGEMENTS = re.compile(r"^reads = \"judgements\"$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a recipe.

    Attributes:
        columns: names that the header must have, all of them.
        files: patterns of the path, one of which must fit.
        folders: patterns of files that a folder must hold, one of which must fit.
        hub: names of datasets on the Hugging Face hub.
    """

    columns: tuple[str, ...]
    files: tuple[str, ...]
    folders: tuple[str, ...]
    hub: tuple[str, ...]

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Marks:
        """The marks in the table ``[recognised]`` of a recipe."""
        return cls(*(tuple(table.get(name, ())) for name in ("columns", "files", "folders", "hub")))


@cache
def shipped_marks() -> Mapping[str, Marks]:
    """The marks of every shipped recipe of benchmarks that has some, in the order of their names."""
    recipes = {path.stem: path.read_text(encoding="utf-8") for path in sorted(SHIPPED.glob("*.toml"))}
    return {
        name: Marks.of(tomllib.loads(found[1]))
        for name, text in recipes.items()
        if (found := RECOGNISED.search(text)) and not OF_JUDGEMENTS.search(text)
    }


def may_have_recipe(sniffer: Sniffer) -> bool:
    """Whether data has the marks of a shipped recipe, or a TOML file beside it that may be a recipe."""
    return _has_toml(sniffer) or any(is_recognised(marks, sniffer) for marks in shipped_marks().values())


def _has_toml(sniffer: Sniffer) -> bool:
    if sniffer.on_hub or sniffer.is_object:
        return False
    path = sniffer.path
    beside = [path.with_suffix(".toml")] if path.name else []  # "." has no name
    return any(file.is_file() for file in (path / FOLDER_RECIPE, path.parent / FOLDER_RECIPE, *beside))


def is_recognised(marks: Marks, sniffer: Sniffer) -> bool:
    """Whether a file, a folder or a name on the hub has all the marks of a recipe."""
    if sniffer.on_hub:
        return _hub_name(sniffer.written) in marks.hub
    if sniffer.is_object:
        return bool(marks.columns) and not marks.files and _has_columns(marks, sniffer)
    if sniffer.is_folder:
        found = [file for pattern in marks.folders for file in matching_files(sniffer.path, pattern)[:1]]
        return any(_has_columns(marks, Sniffer(file)) for file in found)
    if not marks.columns and not marks.files:
        return False
    named = not marks.files or any(path_fits(sniffer.path, pattern) for pattern in marks.files)
    return named and _has_columns(marks, sniffer)


def matching_files(folder: Path, pattern: str) -> list[Path]:
    """The files under a folder that fit a pattern such as ``**/*.csv``; ``..`` leads to the folder above."""
    found = glob.glob(f"{glob.escape(str(folder))}/{pattern}", recursive=True)  # noqa: PTH207 (Path.glob refuses **.csv)
    return sorted(Path(name) for name in found if Path(name).is_file() and not Path(name).name.endswith(".toml"))


def path_fits(path: Path, pattern: str) -> bool:
    """Whether the end of a path fits a pattern: ``*.csv`` is about the name, ``gold/*.csv`` about its folder, too."""
    depth = pattern.removeprefix("**/").count("/") + 1
    return fnmatchcase("/".join(path.absolute().parts[-depth:]), pattern.removeprefix("**/"))


def _hub_name(written: str) -> str:
    """The name in ``hf:owner/name:config#split`` or ``hf:owner/name/config``."""
    name = written.removeprefix(HUB).partition("#")[0].partition(":")[0]
    return "/".join(name.split("/")[:2])


def _has_columns(marks: Marks, sniffer: Sniffer) -> bool:
    return not marks.columns or set(marks.columns) <= set(sniffer.header)
