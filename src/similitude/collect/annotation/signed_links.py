"""Signed links: Prolific's own (a JWT, RS256) and those that a leader signs with a secret (HMAC-SHA256)."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from urllib.parse import urlencode

from similitude.errors import MissingExtraError

__all__ = ["TOKEN", "LinkError", "LinkKeys", "SignedLink", "check_keys", "sign_parameters", "verify_link"]

TOKEN = "prolific_token"
"""The parameter in which Prolific sends its JWT."""
SIGNED = ("PROLIFIC_PID", "SESSION_ID", "STUDY_ID", "expires")
"""The parameters that the leader's own signature covers, in this order."""
LEEWAY = timedelta(seconds=60)
"""How far two clocks may differ."""


class LinkKeys(Protocol):
    """What a study says of signatures: the section ``[access.prolific]``."""

    @property
    def jwks(self) -> str | None:
        """The text of a JSON Web Key Set."""

    @property
    def public_key(self) -> str | None:
        """The text of a PEM file."""

    @property
    def audience(self) -> str | None:
        """For whom tokens are signed."""

    @property
    def issuer(self) -> str:
        """Who signs them."""

    @property
    def secret(self) -> str | None:
        """The secret of the leader's own signatures."""

    @property
    def study(self) -> str | None:
        """The platform's id of the study; None if any will do."""


class LinkError(Exception):
    """A link that is not accepted. ``key`` is "link_unsigned", "link_expired" or "link_invalid"."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(why)
        self.key = key


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedLink:
    """A link whose signature is valid.

    Attributes:
        participant: the person's id on the platform.
        submission: the id of their submission.
        study: the platform's id of the study.
        proof: the signature; a proof is accepted in one browser only.
        expires: until when it is accepted.
    """

    participant: str
    submission: str
    study: str
    proof: str
    expires: datetime


def verify_link(access: LinkKeys, sent: Mapping[str, str], *, now: datetime) -> SignedLink:
    """Verify the signature of a link's parameters.

    Args:
        access: the study's section with keys or a secret.
        sent: the parameters of the link.
        now: the time, in UTC.

    Raises:
        LinkError: there is no signature, it is wrong, or it has expired; or the link is for another study.
    """
    if sent.get(TOKEN) and (access.jwks or access.public_key):
        link = _from_token(access, sent[TOKEN], now)
    elif sent.get("signature") and access.secret:
        link = _from_parameters(access.secret, sent, now)
    else:
        raise LinkError("link_unsigned", "the link has no signature that this study accepts")
    for name, value in (("PROLIFIC_PID", link.participant), ("SESSION_ID", link.submission)):
        if sent.get(name) and sent[name] != value:
            raise LinkError("link_invalid", f"{name} is not the one that was signed")
    if access.study and link.study != access.study:
        raise LinkError("link_invalid", "the link is for another study")
    return link


def _from_token(access: LinkKeys, token: str, now: datetime) -> SignedLink:
    jwt = _jwt()
    try:
        key = _key(access, token)
        # The clock is ours: exp and nbf are compared below.
        options = {"require": ["exp", "aud", "iss"], "verify_exp": False, "verify_nbf": False, "verify_iat": False}
        claims: dict[str, Any] = jwt.decode(
            token, key, algorithms=["RS256"], audience=access.audience, issuer=access.issuer, options=options
        )
        expires = datetime.fromtimestamp(int(claims["exp"]), UTC)
        begins = datetime.fromtimestamp(int(claims.get("nbf", 0)), UTC)
        payload = claims["prolific"]
        ids = {name: str(payload[name]) for name in ("PROLIFIC_PID", "SESSION_ID", "STUDY_ID")}
    except (jwt.PyJWTError, KeyError, TypeError, ValueError, OverflowError, OSError) as error:
        raise LinkError("link_invalid", f"the signature is not valid: {error}") from None
    if expires + LEEWAY <= now:
        raise LinkError("link_expired", "the link has expired")
    if begins - LEEWAY > now:
        raise LinkError("link_invalid", "the link is not valid yet")
    return SignedLink(
        participant=ids["PROLIFIC_PID"],
        submission=ids["SESSION_ID"],
        study=ids["STUDY_ID"],
        proof=token,
        expires=expires,
    )


def _key(access: LinkKeys, token: str) -> Any:
    """The public key that a token names, or the only one."""
    jwt = _jwt()
    if access.jwks is None:
        return access.public_key
    keys = jwt.PyJWKSet.from_json(access.jwks).keys
    name = jwt.get_unverified_header(token).get("kid")
    found = [key for key in keys if key.key_id == name]
    if not found:
        raise ValueError(f"no key '{str(name)[:40]}'")
    return found[0].key


def _from_parameters(secret: str, sent: Mapping[str, str], now: datetime) -> SignedLink:
    right = sign_parameters(secret, sent)
    given = sent.get("signature", "")
    if not given.isascii() or not hmac.compare_digest(right, given.lower()):
        raise LinkError("link_invalid", "the signature is wrong")
    try:
        expires = datetime.fromtimestamp(int(sent.get("expires", "")), UTC)
    except (ValueError, OverflowError, OSError):
        raise LinkError("link_invalid", "expires is not a time in seconds since 1970") from None
    if expires + LEEWAY <= now:
        raise LinkError("link_expired", "the link has expired")
    participant = sent.get("PROLIFIC_PID", "")
    return SignedLink(
        participant=participant,
        submission=sent.get("SESSION_ID", ""),
        study=sent.get("STUDY_ID", ""),
        proof=right,
        expires=expires,
    )


def sign_parameters(secret: str, sent: Mapping[str, str]) -> str:
    """The signature of a link's parameters, as 64 hexadecimal digits.

    It is the HMAC-SHA256 of ``PROLIFIC_PID=..&SESSION_ID=..&STUDY_ID=..&expires=..`` as in an address, with the
    secret's UTF-8 bytes as key. A parameter that is not there is empty.

    >>> sign_parameters("a secret of our own", {"PROLIFIC_PID": "anna", "expires": "1900000000"})[:8]
    '4ec699ab'
    """
    content = urlencode([(name, sent.get(name, "")) for name in SIGNED])
    return hmac.new(secret.encode(), content.encode(), hashlib.sha256).hexdigest()


def check_keys(*, jwks: str | None, public_key: str | None) -> None:
    """Check that there are RSA keys in a key set, or one in a PEM text.

    Raises:
        ValueError: there are none; the message says why.
    """
    jwt = _jwt()
    try:
        if jwks is not None:
            held = json.loads(jwks)
            if any(key.get("kty") != "RSA" for key in held["keys"]) or not jwt.PyJWKSet.from_dict(held).keys:
                raise ValueError("the keys are not RSA keys")
        if public_key is not None:
            jwt.get_algorithm_by_name("RS256").prepare_key(public_key)
            if "PRIVATE" in public_key:
                raise ValueError("this is a private key; the study needs the public one")
    except (jwt.PyJWTError, KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise ValueError(str(error) or type(error).__name__) from None


def _jwt() -> Any:
    try:
        import cryptography  # noqa: F401 -- PyJWT needs it for RS256
        import jwt
    except ModuleNotFoundError:
        raise MissingExtraError("Prolific's signed links", "annotate") from None
    return jwt
