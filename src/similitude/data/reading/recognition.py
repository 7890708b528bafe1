"""Recognition of formats from the beginning of a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from similitude.data.reading.containers import read_tables
from similitude.data.reading.containers.clues import Clue, column_flags, find_clue, numbered_fields
from similitude.data.reading.containers.dialects import TextDialect
from similitude.data.reading.containers.folder import PACKED, FolderFiles, data_files, refuse_several_layouts
from similitude.data.reading.containers.kinds import Kind, whole_lines
from similitude.data.reading.containers.table import USUAL_NAMES
from similitude.data.reading.files import folder_error
from similitude.data.reading.format import FORMATS, GENERAL, NATIVE, AnyFormat, Format, fits
from similitude.data.reading.problems import excerpt, listing, settle
from similitude.data.reading.recipe_marks import may_have_recipe
from similitude.data.reading.sniffer import Sniffer
from similitude.errors import FormatError, InputError, MissingExtraError
from similitude.registry import Registry

__all__ = ["files_in", "first_fit", "format_error", "layout_of", "recognise", "recognised_format"]

SAMPLED = 200
"""So many rows tell what a column may be."""

OBJECT = Format(
    name="object",
    summary="a data frame, a dataset, columns or records in memory",
    recognised="it is an object, not a path",
    fits=lambda sniffer: sniffer.is_object,
    tables=read_tables,
    layout=NATIVE,
)
"""The format of objects in memory, which is not registered because no file has it."""


def recognised_format(sniffer: Sniffer) -> Format:
    """The recipe beside the data, else the first recipe or format of benchmarks that fits.

    Raises:
        FormatError: no format fits.
    """
    own = _recipe_format(sniffer) if may_have_recipe(sniffer) else None
    if own is not None:
        return own
    if sniffer.is_object:
        return layout_of(sniffer.header) or OBJECT
    found = first_fit(FORMATS, sniffer)
    if found is None:
        raise _unknown(sniffer)
    return found


def _recipe_format(sniffer: Sniffer) -> Format | None:
    from similitude.data.reading.recipes import format_of, recognised_recipe

    recipe = recognised_recipe(sniffer)
    return None if recipe is None else format_of(recipe)


def layout_of(columns: Sequence[str]) -> Format | None:
    """The first format whose columns have these names, whatever holds them; None if there is none."""
    known = (FORMATS.maker(name)() for name in FORMATS)
    return next((each for each in known if each.names is not None and each.names(columns)), None)


def files_in(folder: Path, format: str | None, encoding: str = "utf-8") -> FolderFiles | None:
    """The data files of a folder that are read as if each was named; None if a format reads the folder as a whole.

    Args:
        folder: the folder.
        format: the name of the format, if the user named it.
        encoding: of text without a byte-order mark.

    Raises:
        InputError: the folder has no data files, or files that do not belong together.
    """
    sniffer = Sniffer(folder, encoding=encoding)
    if _has_recipe(sniffer, format):
        return None
    known = first_fit(FORMATS, sniffer) if format is None else FORMATS.maker(format)()
    if known is not None and (fits(known, sniffer) or known.priority > GENERAL):
        return None
    found = _tables_among(data_files(folder), folder, encoding)
    headers = {each.name: Sniffer(each, encoding=encoding).header for each in _unpacked(found.files)}
    named = {name: header for name, header in headers.items() if header}
    if named and format is None:
        refuse_several_layouts(folder, named)
    return found


def _has_recipe(sniffer: Sniffer, format: str | None) -> bool:
    """Whether the user named a recipe or, where nothing is named, the data has one."""
    from similitude.data.reading.recipes import named_recipe, recognised_recipe

    return (recognised_recipe(sniffer) if format is None else named_recipe(format)) is not None


def _unpacked(files: Iterable[Path]) -> list[Path]:
    return [each for each in files if each.suffix.lower() not in PACKED]


def _tables_among(found: FolderFiles, folder: Path, encoding: str) -> FolderFiles:
    """The files without plain texts that no format fits, such as notes; they are listed as ignored."""
    strange = [each for each in _unpacked(found.files) if first_fit(FORMATS, Sniffer(each, encoding=encoding)) is None]
    if len(strange) == len(found.files):
        raise folder_error(folder)
    notes = [each for each in strange if each.suffix.lower() == ".txt"]
    ignored = {**found.ignored, **dict.fromkeys((each.name for each in notes), "a text without known columns")}
    return FolderFiles([each for each in found.files if each not in notes], ignored)


def recognise(path: str | Path) -> str:
    """The name of the format of a file or folder.

    Raises:
        FormatError: no format fits; the message quotes the columns and tells how to name a format.
        InputError: there is no such file, or it is empty.
    """
    return recognised_format(Sniffer(path)).name


def first_fit(formats: Registry[AnyFormat], sniffer: Sniffer) -> AnyFormat | None:
    """The first format that fits, in the order of its registry; None if none does."""
    known = (formats.maker(name)() for name in formats)
    return next((each for each in known if fits(each, sniffer)), None)


def format_error(
    what: str, sniffer: Sniffer, names: Iterable[str], hint: str, usual: Collection[str] = USUAL_NAMES
) -> FormatError:
    """The error for a file whose format was not recognised; if something is odd about its text, that is what it says.

    Args:
        what: what was seen.
        sniffer: the file.
        names: of all formats.
        hint: another remedy than to name the format.
        usual: plain names that a header is likely to have.

    Raises:
        InputError: the file is a JSON document that is broken, or has no rows.
    """
    clue = _clue(sniffer, usual)
    if clue is not None:
        return FormatError(clue.what, where=f"{sniffer.name}, line {clue.line}", remedy=clue.remedy)
    if sniffer.is_file and sniffer.container in (Kind.JSON, Kind.JSON_LINES):
        _refuse_no_rows(sniffer, usual)
    return FormatError(what, where=sniffer.name, remedy=f"{hint}, or the format: --format NAME{_known(names)}")


def _refuse_no_rows(sniffer: Sniffer, usual: Collection[str]) -> None:
    """Raise the error of JSON that is broken, or holds something else than rows."""
    for table in read_tables(sniffer.source, usual):
        if not len(table):
            settle(table.problems, "stop")


def _clue(sniffer: Sniffer, usual: Collection[str]) -> Clue | None:
    if not (sniffer.is_file and sniffer.is_text):
        return None
    return find_clue(whole_lines(sniffer.path, sniffer.source.encoding), sniffer.dialect(usual), sniffer.source, usual)


def _known(names: Iterable[str]) -> str:
    """The names of all formats, or how to list them."""
    return " (similitude data formats lists them)" if names is FORMATS else f", one of {', '.join(names)}"


def _unknown(sniffer: Sniffer) -> InputError:
    if sniffer.is_folder:
        return folder_error(sniffer.path)
    found = sniffer.dialect() if sniffer.is_file and sniffer.is_text else _first_rows(sniffer)
    shown = listing(found.first, 12) if found.header else numbered_fields(found.first)
    place = "line" if sniffer.is_file and sniffer.is_text else "row"
    seen = f"the {'columns are' if found.header else f'first {place} has {len(found.first)} fields'}: {shown}"
    twice = next((name for name in found.first if name and found.first.count(name) > 1), None) if found.header else None
    rename = "" if twice is None else f"rename one of the columns {excerpt(twice)}, and "
    hint = f"{rename}name the columns: {column_flags(found)}"
    return format_error(f"format not recognised; {seen}", sniffer, FORMATS, hint)


def _first_rows(sniffer: Sniffer) -> TextDialect:
    """The first rows of a table that is not separated text, as if it was."""
    try:
        table = read_tables(sniffer.source)[0]
    except MissingExtraError:
        return TextDialect(separator="", rows=[], header=True)
    some = [list(column[:SAMPLED]) for column in table.columns.values()]
    rows = [["" if cell is None else str(cell) for cell in row] for row in zip(*some, strict=True)]
    bare = list(table.columns) == [str(at + 1) for at in range(len(table.columns))]
    return TextDialect(separator="", rows=rows if bare else [list(table.columns), *rows], header=not bare)
