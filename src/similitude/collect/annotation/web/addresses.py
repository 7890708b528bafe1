"""Addresses below the root of a study.

One server may hold many studies, each below a root of its own (``/s/SLUG``). Routes, pages and redirects speak of
addresses below that root; a study that is served alone has the empty root.
"""

from __future__ import annotations

from fastapi import Request

__all__ = ["local_path", "public_base", "root_of"]


def root_of(request: Request) -> str:
    """The root of the request's study: ``/s/SLUG``, or nothing."""
    root: str = request.scope.get("root_path", "")
    return root.rstrip("/")


def public_base(request: Request, public_url: str | None) -> str:
    """The address of the request's study as people write it: the one that the server was told, or the browser's."""
    return f"{public_url.rstrip('/')}{root_of(request)}" if public_url else str(request.base_url).rstrip("/")


def local_path(request: Request) -> str:
    """The path of a request, below the root of its study."""
    path: str = request.scope["path"]
    return path.removeprefix(root_of(request)) or "/"
