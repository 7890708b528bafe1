"""Recognition of formats from the beginning of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from similitude.data.reading.containers import read_tables
from similitude.data.reading.files import folder_error
from similitude.data.reading.format import FORMATS, NATIVE, AnyFormat, Format
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.problems import listing
from similitude.data.reading.recipes import format_of, recognised_recipe
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.text_decoder import load_document
from similitude.errors import FormatError, InputError
from similitude.registry import Registry

__all__ = ["first_fit", "format_error", "layout_of", "recognise", "recognised_format"]

JSON = re.compile(r"\s*(\{|\[\s*[{\[])")

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
    recipe = recognised_recipe(sniffer)
    if recipe is not None:
        return format_of(recipe)
    if sniffer.is_object:
        return layout_of(sniffer.header) or OBJECT
    found = first_fit(FORMATS, sniffer)
    if found is None:
        raise _unknown(sniffer)
    return found


def layout_of(columns: Sequence[str]) -> Format | None:
    """The first format whose columns have these names, whatever holds them; None if there is none."""
    known = (FORMATS.maker(name)() for name in FORMATS)
    return next((each for each in known if each.names is not None and each.names(columns)), None)


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
    return next((each for each in known if each.fits(sniffer)), None)


def format_error(what: str, sniffer: Sniffer, names: Iterable[str], hint: str) -> FormatError:
    """The error for a file whose format was not recognised.

    Args:
        what: what was seen.
        sniffer: the file.
        names: of all formats.
        hint: another remedy than to name the format.
    """
    remedy = f"name the format (--format NAME, in Python format='NAME': {', '.join(names)}) or {hint}"
    return FormatError(what, where=sniffer.name, remedy=remedy)


def _unknown(sniffer: Sniffer) -> InputError:
    if sniffer.is_folder:
        return folder_error(sniffer.path)
    if JSON.match(sniffer.text):
        return _unknown_json(sniffer)
    first = sniffer.dialect().first if sniffer.is_file and sniffer.is_text else sniffer.header
    what = f"format not recognised; the first line has {len(first)} fields: {listing(first, 12)}"
    return format_error(what, sniffer, FORMATS, "name the columns of texts (--column left=NAME --column right=NAME)")


def _unknown_json(sniffer: Sniffer) -> FormatError:
    """The error for JSON of an unknown layout; broken JSON raises its own error."""
    parse_document(load_document(sniffer.path), sniffer.name)
    seen = f"the keys {listing(sniffer.entry, 12)}" if sniffer.entry else "no known keys"
    what = f"format not recognised; a JSON document of entries with {seen}"
    return format_error(what, sniffer, FORMATS, "write one object per line (.jsonl)")
