"""Recognition of formats of judgements from the beginning of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from similitude.data.reading.containers.clues import has_two_texts
from similitude.data.reading.files import folder_error
from similitude.data.reading.format import FORMATS, GENERAL
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.judgements.catalogue import JUDGEMENT_FORMATS
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.tables import NAMES, header_of, sample_rows
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.recipe_marks import may_have_recipe
from similitude.data.reading.recognition import first_fit, format_error
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.text_decoder import load_document
from similitude.errors import InputError

if TYPE_CHECKING:
    from similitude.data.reading.recipes import Recipe

__all__ = ["looks_like_judgements", "recognise_judgements", "recognised_judgements"]

SHOWN = 12
"""As many columns are shown with values."""

NAME_THEM = (
    "name the columns: --column item=NAME --column annotator=NAME --column value=NAME if each row is one answer, "
    "--column raters=A,B,C if columns are raters, --column units=A,B,C if columns are items and rows are raters "
    "(--kind counts if cells count answers, --kind table for a cross table of two raters)"
)

EITHER = ("benchmark", "ratings-wide")
"""Formats of judgements that also fit a benchmark with further columns of numbers."""


def recognise_judgements(path: str | Path) -> str:
    """The name of the format of a file or folder of judgements.

    Raises:
        FormatError: no format fits; the message quotes the columns and tells how to name a format.
        InputError: there is no such file, or it is empty.
    """
    return recognised_judgements(Sniffer(path)).name


def recognised_judgements(sniffer: Sniffer) -> JudgementFormat:
    """The first format of judgements that fits, in the order of the registry.

    Raises:
        FormatError: no format fits.
    """
    _refuse_empty(sniffer)
    recipe = _recipe(sniffer)
    if recipe is not None:
        return JUDGEMENT_FORMATS.maker(str(recipe.format) if recipe.reads == "judgements" else "benchmark")()
    if _is_said_to_be_wide(sniffer):
        return JUDGEMENT_FORMATS.maker("ratings-wide")()
    found = first_fit(JUDGEMENT_FORMATS, sniffer)
    if found is None and _keeps_pairs(sniffer):
        found = JUDGEMENT_FORMATS.maker("benchmark")()  # its reader explains that the file keeps scores only
    if found is None:
        raise _unknown(sniffer)
    return found


def _is_said_to_be_wide(sniffer: Sniffer) -> bool:
    """Whether the user named columns of raters or units, or asked for counts or for a cross table.

    In a benchmark with lists of ratings, the column of raters holds lists of names.
    """
    kind = sniffer.source.kind if isinstance(sniffer.source, JudgementSource) else None
    lists = sniffer.has_columns("ratings", "left", "right")
    named = sniffer.columns.get("units") or (sniffer.columns.get("raters") and not lists)
    return kind in ("counts", "table") or bool(named)


def _keeps_pairs(sniffer: Sniffer) -> bool:
    """Whether a file is a benchmark; of tables, which may hold anything, those with the two texts."""
    known = None if sniffer.is_object else first_fit(FORMATS, sniffer)
    return known is not None and (known.priority > GENERAL or sniffer.has_columns("left", "right"))


def looks_like_judgements(source: BenchmarkSource, format: str | None = None) -> bool:
    """Whether a file holds answers of people rather than a benchmark, by its columns.

    Args:
        source: what is to be read.
        format: the format that the user named.
    """
    recipe = _recipe(Sniffer.of(source), format)
    if recipe is not None:
        return recipe.reads == "judgements"
    if format is not None:
        return format in list(JUDGEMENT_FORMATS) and format not in list(FORMATS)
    sniffer = Sniffer.of(source)
    if _is_said_to_be_wide(sniffer):
        return True
    found = first_fit(JUDGEMENT_FORMATS, sniffer)
    if found is None or _is_bare_benchmark(sniffer):
        return False
    return found.name not in EITHER or first_fit(FORMATS, sniffer) is None


def _recipe(sniffer: Sniffer, format: str | None = None) -> Recipe | None:
    """The recipe that the user named or, where nothing is named, the one that the data has."""
    if format is None and not may_have_recipe(sniffer):
        return None
    from similitude.data.reading.recipes import named_recipe, recognised_recipe

    return recognised_recipe(sniffer) if format is None else named_recipe(format)


def _is_bare_benchmark(sniffer: Sniffer) -> bool:
    """Whether a text has no header but two columns of texts, as a benchmark has them and a table of ratings has not."""
    if not (sniffer.is_file and sniffer.is_text):
        return False
    found = sniffer.dialect(NAMES)
    return found.header is False and has_two_texts(found)


def _refuse_empty(sniffer: Sniffer) -> None:
    if not sniffer.is_file:
        return
    if sniffer.path.stat().st_size < 1000 and not sniffer.path.read_bytes().strip():
        raise InputError("the file is empty", where=sniffer.name, remedy="at least one answer is needed")


def _unknown(sniffer: Sniffer) -> InputError:
    if sniffer.is_folder:
        return folder_error(sniffer.path)
    if sniffer.text.lstrip().startswith(("{", "[")):
        parse_document(load_document(sniffer.path), sniffer.name) if not sniffer.first_object else None
    header, rows = header_of(sniffer), sample_rows(sniffer)
    columns = [_described(name, [row[at] for row in rows if at < len(row)]) for at, name in enumerate(header[:SHOWN])]
    more = f", {len(header) - SHOWN} more" if len(header) > SHOWN else ""
    what = f"format of judgements not recognised; {len(header)} columns: {', '.join(columns) or 'none'}{more}"
    return format_error(what, sniffer, JUDGEMENT_FORMATS, NAME_THEM, NAMES)


def _described(name: str, cells: Sequence[str]) -> str:
    """A column with its first two different values."""
    values = list(dict.fromkeys(cell.strip() for cell in cells if cell.strip()))[:2]
    return f"{listing([name]) if name else 'one without a name'} ({', '.join(excerpt(each, 16) for each in values)})"
