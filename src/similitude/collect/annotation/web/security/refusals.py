"""The refusal of a request, with a status and a text."""

from __future__ import annotations

__all__ = ["Refusal"]


class Refusal(Exception):  # noqa: N818 -- not an error of ours: the answer to a request
    """A refused request.

    Attributes:
        status: the HTTP status.
        message: the key of the text that says why.
        values: for the braces of that text.
    """

    def __init__(self, status: int, message: str, **values: object) -> None:
        super().__init__(f"{status} {message}")
        self.status = status
        self.message = message
        self.values = values
