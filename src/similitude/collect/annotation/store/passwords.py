"""Random secrets and pseudonyms, and the hashes that the database keeps of them."""

from __future__ import annotations

import hashlib
import hmac
import secrets

__all__ = ["completion_code", "hashed", "new_pseudonym", "new_secret", "salted"]

CLEAR = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits that nobody mistakes for one another."""


def new_secret() -> str:
    """A secret of 256 random bits, for addresses and cookies."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """The hash that is kept of a random secret. A secret of 256 bits needs no salt or slow hash.

    Looking up a secret by its hash takes a time that says nothing about the secret's characters.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def salted(salt: str, *parts: str) -> str:
    """The hash that is kept of an id from outside: salted per study, so that studies cannot be matched.

    >>> salted("s", "prolific", "x") == salted("s", "prolific", "x"), salted("s", "a", "bc") == salted("s", "ab", "c")
    (True, False)
    """
    content = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hmac.new(salt.encode(), content.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def new_pseudonym() -> str:
    """A random name of eight unambiguous characters (40 bits)."""
    return "".join(secrets.choice(CLEAR) for _ in range(8))


def completion_code() -> str:
    """A code that an annotator enters on the platform that they came from."""
    return "".join(secrets.choice(CLEAR) for _ in range(10))
