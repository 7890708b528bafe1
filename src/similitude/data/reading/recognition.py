"""Which format a file has, found by looking at what it holds."""

from __future__ import annotations

import re
from pathlib import Path

from similitude.data.reading.files import folder_error
from similitude.data.reading.format import FORMATS, Format
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.text_decoder import load_document
from similitude.errors import FormatError, InputError

__all__ = ["recognise", "recognised_format"]

JSON = re.compile(r"\s*(\{|\[\s*[{\[])")


def recognise(path: str | Path) -> str:
    """The name of the format that a file or folder seems to have.

    Raises:
        FormatError: it looks like none that we know; the message says what was seen and how to name a format.
        InputError: nothing is there, or the file is empty.
    """
    return recognised_format(Sniffer(path)).name


def recognised_format(glimpse: Sniffer) -> Format:
    """The first format, in the order of the registry, that what we see fits.

    Raises:
        FormatError: none does.
    """
    for name in FORMATS:
        known = FORMATS.maker(name)()
        if known.fits(glimpse):
            return known
    raise _unknown(glimpse)


def _unknown(glimpse: Sniffer) -> InputError:
    if glimpse.is_folder:
        return folder_error(glimpse.path)
    if JSON.match(glimpse.text):
        return _unknown_json(glimpse)
    seen = f"{len(glimpse.header)} fields: {listing(glimpse.header, 12)}"
    return FormatError(
        f"the format was not recognised; the first line has {seen}",
        where=glimpse.name,
        remedy=f"name it (--format NAME, in Python format='NAME': {', '.join(FORMATS)}) "
        "or say which columns hold the texts (--column left=NAME --column right=NAME)",
    )


def _unknown_json(glimpse: Sniffer) -> FormatError:
    """The error for JSON of unknown form; broken JSON raises its own."""
    parse_document(load_document(glimpse.path), glimpse.name)
    seen = (
        f"entries with the keys {listing(glimpse.entry, 12)}" if glimpse.entry else "neither entries nor lines we know"
    )
    return FormatError(
        f"the format was not recognised; a JSON document with {seen}",
        where=glimpse.name,
        remedy=f"write one object a line (.jsonl), or name it (--format NAME: {', '.join(FORMATS)})",
    )
