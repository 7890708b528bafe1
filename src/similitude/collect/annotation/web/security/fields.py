"""The fields of forms and addresses: valid UTF-8 or refused."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote_to_bytes

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from similitude.collect.annotation.web.security.refusals import Refusal

__all__ = ["MOST_FIELDS", "check_address", "parse_fields", "read_form"]

MOST_FIELDS = 500
"""How many fields a form may have; a page of twenty questions has fewer than two hundred."""


def check_address(request: Request) -> None:
    """Refuse a path or query that does not decode to UTF-8, or that contains a zero byte."""
    for part in (request.scope.get("raw_path") or b"", request.scope["query_string"]):
        _decoded(unquote_to_bytes(part))


async def read_form(request: Request) -> FormData:
    """The fields of a form, in either encoding that browsers use; only multipart has files.

    Raises:
        Refusal: neither encoding (415); too many fields or not UTF-8 (400).
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        return await request.form(max_files=1, max_fields=20)
    if kind != "application/x-www-form-urlencoded":
        raise Refusal(415, "error.bad_request")
    return parse_fields(await request.body())


def parse_fields(body: bytes) -> FormData:
    """The fields of an ``application/x-www-form-urlencoded`` body.

    >>> parse_fields(b"1.best=2&csrf=abc")["1.best"]
    '2'
    """
    text = _decoded(body)
    try:
        fields = parse_qsl(text, keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=MOST_FIELDS)
    except UnicodeDecodeError:
        raise Refusal(400, "error.encoding") from None
    except ValueError:
        raise Refusal(400, "error.bad_request") from None
    if any("\0" in name or "\0" in value for name, value in fields):
        raise Refusal(400, "error.encoding")
    pairs: list[tuple[str, str | UploadFile]] = [*fields]
    return FormData(pairs)


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise Refusal(400, "error.encoding") from None
    if "\0" in text:
        raise Refusal(400, "error.encoding")
    return text
