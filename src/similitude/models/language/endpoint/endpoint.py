"""Where a model is, and how it may be asked: all that a user says of an endpoint, and nothing that is secret."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit

from similitude.data.protocols import ModelKey
from similitude.errors import ArgumentError

__all__ = ["Api", "Constrain", "Endpoint", "OPENAI", "USUAL_KEY"]  # noqa: RUF022

Api = Literal["chat", "completions"]
Constrain = Literal["auto", "choice", "grammar", "schema", "plain"]

OPENAI = "https://api.openai.com/v1"
USUAL_KEY = "OPENAI_API_KEY"
SCHEME = 1
"""Goes up when this room asks the same question in another way, so that answers kept before are not taken for it."""

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_ROUTE = re.compile(r"/(chat/)?completions/?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model at an OpenAI-compatible endpoint.

    Attributes:
        model: the name of the model there.
        url: the base URL, up to and with its version: ``https://api.openai.com/v1``.
        key_variable: the environment variable that holds the key; None for an endpoint that needs none. The usual one
            is not sent to a loopback address: what listens there is seldom OpenAI.
        api: "chat", or "completions" for a model that knows no chat and reads the prompt as plain text.
        concurrency: requests under way at once.
        requests_a_minute: at most; None for as many as go.
        tokens_a_minute: read and written, at most.
        timeout: seconds that one request may take.
        retries: of a request that failed for a reason that may pass.
        window: tokens that the model reads and writes at most; None where that is unknown.
        constrain: how answers are held to those allowed; "auto" finds out what the endpoint can.
        scores_choices: whether it gives the likelihood of given texts; None to find out.
        price_in: of a million tokens read, in any currency.
        price_out: of a million tokens written.
        extra: further fields of each request, such as ``{"reasoning_effort": "low"}``.

    Raises:
        ArgumentError: a value is not valid. The message never holds a key, even one given in the wrong place.
    """

    model: str
    url: str = OPENAI
    key_variable: str | None = USUAL_KEY
    api: Api = "chat"
    concurrency: int = 8
    requests_a_minute: float | None = None
    tokens_a_minute: float | None = None
    timeout: float = 120.0
    retries: int = 5
    window: int | None = None
    constrain: Constrain = "auto"
    scores_choices: bool | None = None
    price_in: float | None = None
    price_out: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ArgumentError(
                "the endpoint's model has no name", remedy="give the name that the endpoint knows it by"
            )
        object.__setattr__(self, "url", _canonical(self.url))
        _check_variable(self.key_variable)
        if self.concurrency < 1 or self.retries < 0:
            raise ArgumentError(
                f"concurrency={self.concurrency}, retries={self.retries} cannot be", remedy="give 1 or more, 0 or more"
            )
        for name in ("requests_a_minute", "tokens_a_minute", "timeout", "window"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ArgumentError(f"{name}={value} cannot be", remedy="give more than 0, or leave it out")

    @property
    def key(self) -> ModelKey:
        """Where the model is and what else of this changes its answers; not how fast it is asked."""
        content = [SCHEME, self.url, self.model, self.api, self.constrain, dict(self.extra)]
        written = json.dumps(content, sort_keys=True, ensure_ascii=False, default=str)
        fingerprint = hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
        return ModelKey(f"{self.model} at {self.host}", fingerprint)

    @property
    def host(self) -> str:
        """Host and port."""
        return urlsplit(self.url).netloc

    @property
    def is_loopback(self) -> bool:
        """Whether it runs on this machine: then no proxy, and not the usual key."""
        name = urlsplit(self.url).hostname or ""
        if name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or address.is_unspecified

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own, which alone may hear of organisation and project."""
        name = urlsplit(self.url).hostname or ""
        return name == "openai.com" or name.endswith(".openai.com")

    @property
    def sends_key(self) -> bool:
        """Whether a key goes with each request."""
        return self.key_variable is not None and not (self.is_loopback and self.key_variable == USUAL_KEY)

    def read_key(self, environment: Mapping[str, str] = os.environ) -> str | None:
        """The key, read anew each time and kept nowhere; None where none is sent.

        Raises:
            ArgumentError: the variable is not set, or holds what cannot be sent.
        """
        if not self.sends_key:
            return None
        key = environment.get(str(self.key_variable), "").strip()
        if not key:
            raise ArgumentError(
                f"the environment variable {self.key_variable} holds no key for {self.host}",
                remedy=f"export {self.key_variable}=..., name another with key_variable, or none where none is needed",
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ArgumentError(
                f"what {self.key_variable} holds cannot be a key", remedy="it has spaces or signs that cannot be sent"
            )
        return key


def _canonical(url: str) -> str:
    """The URL as requests are built on it. Nothing of a wrong one is quoted: it may hold a password."""
    parts = _split(url.strip())
    if parts is None or parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise ArgumentError("the endpoint's URL cannot be read", remedy="write it as in https://host/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ArgumentError(
            "the endpoint's URL holds more than host and path",
            remedy="put the key into an environment variable and name that with key_variable",
        )
    path = _ROUTE.sub("", parts.path).rstrip("/")
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{path}"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (read to see that it is a number)
    except ValueError:
        return None
    return parts


def _check_variable(name: str | None) -> None:
    """Refuse what looks like the key itself, and do not repeat it."""
    if name is not None and not _VARIABLE.fullmatch(name):
        raise ArgumentError(
            "key_variable is not the name of an environment variable",
            remedy=f"give a name in capitals such as {USUAL_KEY}, never the key itself",
        )
