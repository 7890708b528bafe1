"""Secrets: made at random, shown once, and kept as hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets

__all__ = ["completion_code", "hashed", "new_pseudonym", "new_secret", "salted"]

CLEAR = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits that nobody mistakes for one another."""


def new_secret() -> str:
    """256 random bits, fit for addresses and cookies."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """How a random secret is kept. It has 256 bits, so a plain hash cannot be searched.

    Looking a secret up by the hash's index takes no time that depends on the secret's characters: they are mixed
    before anything is compared.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def salted(salt: str, *parts: str) -> str:
    """How an id from outside is kept: a hash under the study's own salt, which cannot be matched across studies.

    >>> salted("s", "prolific", "x") == salted("s", "prolific", "x"), salted("s", "a", "bc") == salted("s", "ab", "c")
    (True, False)
    """
    content = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hmac.new(salt.encode(), content.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def new_pseudonym() -> str:
    """A random name: eight clear characters, 40 bits."""
    return "".join(secrets.choice(CLEAR) for _ in range(8))


def completion_code() -> str:
    """What an annotator enters on the platform that they came from."""
    return "".join(secrets.choice(CLEAR) for _ in range(10))
