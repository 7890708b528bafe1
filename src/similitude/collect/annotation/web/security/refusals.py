"""A request that is turned down, with the status and the text that says why."""

from __future__ import annotations

__all__ = ["Refusal"]


class Refusal(Exception):  # noqa: N818 -- not an error of ours: the answer to a request
    """A request that is not carried out.

    Attributes:
        status: the HTTP status.
        message: key of the interface text that tells why.
        values: what stands in the braces of that text.
    """

    def __init__(self, status: int, message: str, **values: object) -> None:
        super().__init__(f"{status} {message}")
        self.status = status
        self.message = message
        self.values = values
