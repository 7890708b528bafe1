"""Downloads that are streamed, and refused before they begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice

from starlette.responses import StreamingResponse

__all__ = ["streamed"]


def streamed(lines: Iterator[str], *, media_type: str, headers: Mapping[str, str] | None = None) -> StreamingResponse:
    """A download whose first piece is made at once: what is wrong with it is answered by a status, not by a cut."""
    first = list(islice(lines, 1))
    return StreamingResponse(chain(first, lines), media_type=media_type, headers=headers)
