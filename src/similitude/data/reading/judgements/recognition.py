"""Which format of judgements a file has, found by looking at what it holds."""

from __future__ import annotations

from pathlib import Path

from similitude.data.reading.files import folder_error
from similitude.data.reading.format import FORMATS
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.judgements.catalogue import JUDGEMENT_FORMATS
from similitude.data.reading.judgements.format import JudgementFormat
from similitude.data.reading.judgements.tables import header_of
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.text_decoder import load_document
from similitude.errors import FormatError, InputError

__all__ = ["recognise_judgements", "recognised_judgements"]


def recognise_judgements(path: str | Path) -> str:
    """The name of the format of judgements that a file or folder seems to have.

    Raises:
        FormatError: it looks like none that we know; the message says what was seen and how to name a format.
        InputError: nothing is there, or the file is empty.
    """
    return recognised_judgements(Sniffer(path)).name


def recognised_judgements(glimpse: Sniffer) -> JudgementFormat:
    """The first format, in the order of the registry, that what we see fits.

    Raises:
        FormatError: none does.
    """
    _refuse_empty(glimpse)
    for name in JUDGEMENT_FORMATS:
        known = JUDGEMENT_FORMATS.maker(name)()
        if known.fits(glimpse):
            return known
    if any(FORMATS.maker(name)().fits(glimpse) for name in FORMATS):
        return JUDGEMENT_FORMATS.maker("benchmark")()  # whose reader says that only scores are kept
    raise _unknown(glimpse)


def _refuse_empty(glimpse: Sniffer) -> None:
    if glimpse.on_hub or glimpse.is_folder:
        return
    if glimpse.path.stat().st_size < 1000 and not glimpse.path.read_bytes().strip():
        raise InputError("the file is empty", where=glimpse.name, remedy="at least one answer is needed")


def _unknown(glimpse: Sniffer) -> InputError:
    if glimpse.is_folder:
        return folder_error(glimpse.path)
    if glimpse.text.lstrip().startswith(("{", "[")):
        parse_document(load_document(glimpse.path), glimpse.name) if not glimpse.first_object else None
    seen = f"{len(header_of(glimpse))} columns: {listing(header_of(glimpse), 12)}"
    return FormatError(
        f"no format of judgements was recognised; the first line has {seen}",
        where=glimpse.name,
        remedy=f"name it (--format NAME, in Python format='NAME': {', '.join(JUDGEMENT_FORMATS)}) "
        "or say which columns hold what (--column item=NAME --column annotator=NAME --column value=NAME)",
    )
