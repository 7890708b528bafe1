"""The library of recipes: those shipped with us, those beside the data, those in a file that the user names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from similitude.data.reading.format import FORMATS, Format
from similitude.data.reading.recipe_marks import FOLDER_RECIPE, SHIPPED, is_recognised, path_fits, shipped_marks
from similitude.data.reading.recipes.recipe import Recipe
from similitude.data.reading.recipes.recipe_format import format_of
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.toml_file import TomlFile
from similitude.errors import UnknownNameError

__all__ = [
    "named_format",
    "named_recipe",
    "recipe_beside",
    "recipe_text",
    "recognised_recipe",
    "shipped_names",
    "shipped_recipes",
]

KEYS = frozenset(Recipe.model_fields)
SHARED_KEYS = frozenset({"name", "title", "summary", "format", "scale", "values", "split", "files", "licence"})
"""Keys that other TOML files have as well, such as study plans and task cards."""


def shipped_names() -> list[str]:
    """The names of the recipes that are shipped with us."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def shipped_recipes() -> Iterator[Recipe]:
    """All recipes that are shipped with us, in the order of their names."""
    return (_shipped(name) for name in shipped_names())


def recipe_text(name: str) -> str:
    """The TOML of a recipe that is shipped with us.

    Raises:
        UnknownNameError: there is no such recipe.
    """
    if name not in shipped_names():
        raise UnknownNameError("recipe", name, set(shipped_names()))
    return (SHIPPED / f"{name}.toml").read_text(encoding="utf-8")


def named_format(written: str) -> Format:
    """The format that the user named: a registered one, a shipped recipe, or the path of a recipe (``.toml``).

    Raises:
        InputError: the file is not a valid recipe.
        UnknownNameError: there is neither a format nor a recipe of that name.
    """
    recipe = named_recipe(written)
    if recipe is not None:
        return format_of(recipe)
    try:
        return FORMATS.maker(written)()
    except UnknownNameError:
        raise UnknownNameError("format", written, {*FORMATS, *shipped_names()}) from None


def named_recipe(written: str) -> Recipe | None:
    """The recipe that the user named: a shipped one, or the path of one (``.toml``); None for other names.

    Raises:
        InputError: the file is not a valid recipe.
    """
    if written.endswith(".toml"):
        return TomlFile.read(written).validated(Recipe, name=_plain(Path(written)))
    return _shipped(written.lower()) if written.lower() in shipped_names() else None


def recognised_recipe(sniffer: Sniffer) -> Recipe | None:
    """The recipe beside the data, else the shipped one whose marks the data has, unless the user says how to read it.

    Raises:
        InputError: the recipe beside the data is not valid.
    """
    own = None if sniffer.on_hub or sniffer.is_object else recipe_beside(sniffer.path)
    if own is not None or sniffer.is_told:
        return own
    found = next((name for name, marks in shipped_marks().items() if is_recognised(marks, sniffer)), None)
    return None if found is None else _shipped(found)


def recipe_beside(path: Path) -> Recipe | None:
    """The recipe of a file or folder: ``NAME.toml`` beside ``NAME.csv``, or ``recipe.toml`` in the folder.

    Raises:
        InputError: it is not valid.
    """
    if path.is_dir():
        file = path / FOLDER_RECIPE
        return TomlFile.read(file).validated(Recipe, name=_plain(path)) if file.is_file() else None
    for file in (path.with_suffix(".toml"), path.parent / FOLDER_RECIPE):
        if file == path or not file.is_file():
            continue
        toml = TomlFile.read(file)
        if file.name == FOLDER_RECIPE or _is_recipe(toml.values):
            recipe = toml.validated(Recipe, name=_plain(path))
            if file.name != FOLDER_RECIPE or any(path_fits(path, each) for each in recipe.files.tables or ("*",)):
                return recipe
    return None


def _is_recipe(values: Mapping[str, object]) -> bool:
    """Whether a TOML file beside the data is a recipe and not, say, a study plan.

    It is if all its keys are those of recipes, or if one of them is that of no other file.
    """
    return set(values) <= KEYS or bool(set(values) & KEYS - SHARED_KEYS) or isinstance(values.get("split"), Mapping)


@cache
def _shipped(name: str) -> Recipe:
    return TomlFile.read(SHIPPED / f"{name}.toml").validated(Recipe)


def _plain(path: Path) -> str:
    """A name for a recipe that gives none: that of the data, in small letters."""
    plain = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in path.stem.lower())
    return plain if plain[:1].isascii() and plain.isascii() and plain[:1].isalnum() else "recipe"
