"""Text files that a study names: guidelines, consent, keys."""

from __future__ import annotations

from pathlib import Path

from similitude.errors import InputError

__all__ = ["text_of"]

LARGEST_TEXT = 200_000
"""Bytes of a text that is shown to people."""


def text_of(path: Path, where: str) -> str:
    """The text of a file that a study names.

    Args:
        path: the file.
        where: the place in the study's file that names it, for messages.

    Raises:
        InputError: it cannot be read, is not UTF-8, or is too large.
    """
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        what = f"'{path.name}' cannot be read: {error.strerror or error}"
        raise InputError(what, where=where, remedy="check the name and the folder") from None
    except UnicodeDecodeError as error:
        what = f"'{path.name}' is not UTF-8 (byte {error.start})"
        raise InputError(what, where=where, remedy="save it as UTF-8") from None
    if len(data) > LARGEST_TEXT:
        raise InputError(
            f"'{path.name}' has {len(data):,} bytes", where=where, remedy=f"shorten it to {LARGEST_TEXT:,}"
        )
    return text
