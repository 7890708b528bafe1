"""The files that a recipe reads, and what their names say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from similitude.data.reading.files import existing
from similitude.data.reading.recipe_marks import matching_files, path_fits
from similitude.data.reading.recipes.recipe import Recipe
from similitude.data.reading.recipes.recipe_tables import Files
from similitude.errors import InputError
from similitude.paths import holdings

__all__ = ["TableFile", "filled", "table_files"]

FIELD = re.compile(r"\{([^{}]+)\}")


class TableFile(NamedTuple):
    """A file that holds a table.

    Attributes:
        path: the file.
        fields: the named groups of ``files.pattern``.
        notes: what was left out in its favour.
    """

    path: Path
    fields: Mapping[str, str]
    notes: tuple[str, ...] = ()


def table_files(recipe: Recipe, path: Path) -> list[TableFile]:
    """The file itself, or the files in a folder that the recipe reads, in order of their names.

    Raises:
        InputError: there is no such path, or the folder holds no such file.
    """
    if not existing(path).is_dir():
        return [TableFile(path, _fields(recipe.files, path))]
    patterns = recipe.files.tables or ("*",)
    ranks = {
        file: rank for rank, pattern in reversed(list(enumerate(patterns))) for file in matching_files(path, pattern)
    }
    kept = [file for file in sorted(ranks) if not any(path_fits(file, each) for each in recipe.files.ignore)]
    if not kept:
        what = f"the folder has no file that recipe '{recipe.name}' reads ({', '.join(patterns)})"
        raise InputError(what, where=str(path), remedy=f"it holds {holdings(path)}; pass another folder, or one file")
    found = [TableFile(file, _fields(recipe.files, file)) for file in kept]
    return list(_one_each(found, ranks)) if recipe.files.one_each else found


def filled(template: str, fields: Mapping[str, object], key: str, where: str) -> str:
    """The template with ``{name}`` replaced by the fields.

    Raises:
        InputError: there is no such field.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in fields:
            known = ", ".join(fields) or "none"
            what = f"'{{{match[1]}}}' in {key} of the recipe is not known here; known: {known}"
            raise InputError(what, where=where, remedy="correct the recipe, or rename the file to fit files.pattern")
        return str(fields[match[1]])

    return FIELD.sub(value, template)


def _fields(files: Files, path: Path) -> dict[str, str]:
    if files.pattern is None:
        return {}
    match = re.search(f"(?:^|/)(?:{files.pattern})$", path.absolute().as_posix())
    return {name: value for name, value in match.groupdict().items() if value} if match else {}


def _one_each(found: Sequence[TableFile], ranks: Mapping[Path, int]) -> Iterator[TableFile]:
    """The best of the files that have the same fields; files without fields are all kept."""
    groups: dict[object, list[TableFile]] = {}
    for file in found:
        groups.setdefault(tuple(file.fields.items()) or file.path, []).append(file)
    for files in groups.values():
        best, *others = sorted(files, key=lambda file: ranks[file.path])
        left_out = [f"{other.path.name} was left out: {best.path.name} holds the same part" for other in others]
        yield best._replace(notes=tuple(left_out))
