"""CSRF protection: every form carries a token that belongs to the session's cookie."""

from __future__ import annotations

import hashlib
import hmac

__all__ = ["FIELD", "form_token", "is_form_token"]

FIELD = "csrf"
"""Name of the hidden field."""


def form_token(session: str) -> str:
    """The token of a session's forms.

    It is derived from the session's secret, so it needs neither a store nor a server key, and nobody without the
    (HttpOnly) cookie can make it. Another site can make a browser send the cookie, but never the token.

    >>> form_token("a") == form_token("a"), form_token("a") == form_token("b")
    (True, False)
    """
    return hmac.new(session.encode(), b"similitude form token", hashlib.sha256).hexdigest()


def is_form_token(session: str, token: str) -> bool:
    """Whether a form carries the token of this session; compared in constant time."""
    return hmac.compare_digest(form_token(session), token) if token.isascii() else False
