"""The settings of an endpoint, without any secrets."""

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
"""Incremented when the same question is sent in another way, so that older cached answers are not reused."""

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_ROUTE = re.compile(r"/(chat/)?completions/?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model at an OpenAI-compatible endpoint.

    Attributes:
        url: the base URL, including the version: ``https://api.openai.com/v1``.
        key_variable: the environment variable with the API key; None if the endpoint needs none. The default one is not
            sent to a loopback address, where the server is seldom OpenAI's.
        api: "chat", or "completions" for a model without a chat format, which reads the prompt as plain text.
        concurrency: maximum concurrent requests.
        requests_a_minute: maximum requests per minute; None for no limit.
        tokens_a_minute: maximum tokens per minute, read and written.
        timeout: maximum seconds per request.
        retries: retries after failures that may be temporary.
        window: the context window in tokens; None if unknown.
        constrain: how answers are restricted to the allowed ones; "auto" tests what the endpoint supports.
        scores_choices: whether it returns likelihoods of given texts; None to test it.
        price_in: price per million tokens read, in any currency.
        price_out: price per million tokens written.
        extra: extra fields of each request, such as ``{"reasoning_effort": "low"}``.

    Raises:
        ArgumentError: a value is invalid. The message never contains a key, even if one was given in the wrong place.
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
            raise ArgumentError("the model's name is empty", remedy="give the name that the endpoint uses")
        object.__setattr__(self, "url", _canonical(self.url))
        _check_variable(self.key_variable)
        if self.concurrency < 1 or self.retries < 0:
            raise ArgumentError(
                f"concurrency={self.concurrency}, retries={self.retries} is not valid",
                remedy="give concurrency as 1 or more and retries as 0 or more",
            )
        for name in ("price_in", "price_out"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise ArgumentError(
                    f"{name}={value:g} is no price", remedy=f"give {name} per million tokens, from 0 on"
                )
        for name in ("requests_a_minute", "tokens_a_minute", "timeout", "window"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ArgumentError(
                    f"{name}={value} is not valid", remedy=f"give {name} as more than 0, or leave it out"
                )

    @property
    def key(self) -> ModelKey:
        """Name and fingerprint of the model: everything that changes its answers, but not the rate limits."""
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
        """Whether it runs on this machine; if so, no proxy is used and the default key is not sent."""
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
        """Whether it is OpenAI's own endpoint, the only one that may see organisation and project."""
        name = urlsplit(self.url).hostname or ""
        return name == "openai.com" or name.endswith(".openai.com")

    @property
    def sends_key(self) -> bool:
        """Whether requests carry a key."""
        return self.key_variable is not None and not (self.is_loopback and self.key_variable == USUAL_KEY)

    def read_key(self, environment: Mapping[str, str] = os.environ) -> str | None:
        """The key, read from the environment at each call and stored nowhere; None if none is sent.

        Raises:
            ArgumentError: the variable is not set, or its value cannot be a key.
        """
        if not self.sends_key:
            return None
        key = environment.get(str(self.key_variable), "").strip()
        if not key:
            raise ArgumentError(
                f"the environment variable {self.key_variable} contains no key for {self.host}",
                remedy=f"export {self.key_variable}=..., or set key_variable to another variable, or to none",
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ArgumentError(
                f"the value of {self.key_variable} cannot be a key",
                remedy="remove spaces and non-ASCII characters from it",
            )
        return key


def _canonical(url: str) -> str:
    """The normalised URL. An invalid URL is never quoted, since it may contain a password."""
    parts = _split(url.strip())
    if parts is None or parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise ArgumentError("cannot read the endpoint's URL", remedy="write it like https://host/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ArgumentError(
            "the endpoint's URL contains more than a host and a path",
            remedy="put the key into an environment variable and name it with key_variable",
        )
    path = _ROUTE.sub("", parts.path).rstrip("/")
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{path}"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (raises if it is not a number)
    except ValueError:
        return None
    return parts


def _check_variable(name: str | None) -> None:
    """Reject a value that looks like the key itself, without repeating it."""
    if name is not None and not _VARIABLE.fullmatch(name):
        raise ArgumentError(
            "key_variable is not a valid name of an environment variable",
            remedy=f"give a name in capitals such as {USUAL_KEY}, never the key itself",
        )
