"""Sends requests to one endpoint: within its rate limits, and again after failures that may be temporary."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from similitude.errors import MissingExtraError
from similitude.models.language.endpoint.endpoint import Endpoint
from similitude.models.language.endpoint.failures import RequestRefused, Trouble, Unreadable, trouble_of
from similitude.models.language.endpoint.pace import Pace
from similitude.models.language.endpoint.request_format import ROUTES

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["Caller", "Paces", "open_caller"]

T = TypeVar("T")

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_PATIENCE = 300.0
"""The longest wait, in seconds, that an endpoint may ask for; if it asks for more, the user gets an error."""
_CONNECT_SECONDS = 10.0


class Paces(NamedTuple):
    """The rate limits of an endpoint, shared by all callers of one model."""

    requests: Pace
    tokens: Pace


class Caller:
    """Sends requests and parses the JSON responses.

    Attributes:
        repeated: called for each request that is sent again.
        answered: whether the endpoint has ever answered.
    """

    def __init__(self, client: AsyncOpenAI, endpoint: Endpoint, key: str | None, paces: Paces) -> None:
        self._client, self._endpoint, self._key, self._paces = client, endpoint, key, paces
        self._headers = _headers(endpoint, key)
        self.repeated: Callable[[], None] = lambda: None
        self.answered = False

    async def call(
        self,
        route: str,
        body: Mapping[str, Any],
        read: Callable[[Mapping[str, Any]], T],
        *,
        tokens: int = 0,
        probing: bool = False,
        about: str = "",
    ) -> T:
        """Send a request and return what `read` makes of the response.

        Args:
            route: the path after the base URL, or a whole URL.
            body: the body of the request.
            read: parses the response; raises `Unreadable` if it is not as expected, and the request is sent again.
            tokens: the estimated number of tokens of the request.
            probing: whether the request tests what the endpoint can do, so that a failure is a result.
            about: what the request is about, for errors.

        Raises:
            EndpointError: the request failed permanently.
            RequestRefused: the endpoint does not accept something in the request, or does not answer it.
        """
        tries, start = 0, time.monotonic()
        while True:
            await asyncio.sleep(max(self._paces.requests.turn(), self._paces.tokens.turn(tokens)))
            try:
                answer = read(await self._send(route, body))
            except Exception as error:
                trouble = trouble_of(error, self._endpoint, self._key)
            else:
                self.answered = True
                return answer
            waited = _waited(trouble, tries, time.monotonic() - start)
            is_beside = probing and route != ROUTES[self._endpoint.api]
            if is_beside and trouble.kind == "absent":  # a chat model may have no API but that of chats
                raise RequestRefused(trouble)
            self._raise_unless_it_may_pass(trouble, tries, probing, about, waited)
            tries += 1
            self.repeated()
            await self._wait(trouble, tries)

    async def _send(self, route: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        async with asyncio.timeout(self._endpoint.timeout):
            text = await self._client.post(route, cast_to=str, body=dict(body), options={"headers": self._headers})
        try:
            response = json.loads(text)
        except ValueError:
            raise Unreadable(f"not JSON: {text!r}") from None
        if not isinstance(response, Mapping):
            raise Unreadable("JSON, but not an object")
        if response.get("error"):  # some endpoints report errors with a success status
            raise Unreadable(f"it says {json.dumps(response['error'], ensure_ascii=False)}")
        return response

    def _raise_unless_it_may_pass(self, trouble: Trouble, tries: int, probing: bool, about: str, waited: str) -> None:
        if trouble.kind in ("unsupported", "filtered") or (probing and self._tells_enough(trouble, tries)):
            raise RequestRefused(trouble)
        if tries >= self._retries(trouble) or (trouble.wait or 0) > _PATIENCE:
            raise trouble.error(self._endpoint, about, waited)

    @staticmethod
    def _tells_enough(trouble: Trouble, tries: int) -> bool:
        """Whether a failure shows that the endpoint lacks the ability, rather than a temporary problem."""
        return trouble.kind == "unreadable" or (trouble.kind == "passing" and tries > 0)

    def _retries(self, trouble: Trouble) -> int:
        """Retry more often if the endpoint is busy, less if it is silent, and never if it was never reachable."""
        most = self._endpoint.retries
        by_kind = {
            "busy": 2 * most,
            "passing": most,
            "unreadable": most,
            "slow": min(most, 2),
            "down": min(most, 3) * self.answered,
        }
        return by_kind.get(trouble.kind, 0)

    async def _wait(self, trouble: Trouble, tries: int) -> None:
        """Wait as long as the endpoint asks, and delay all other requests; else twice as long each time."""
        if trouble.wait is not None:
            self._paces.requests.pause(trouble.wait)
            await asyncio.sleep(trouble.wait * random.uniform(1.0, 1.1))
        else:
            await asyncio.sleep(min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (tries - 1)) * random.uniform(0.5, 1.0))


@asynccontextmanager
async def open_caller(endpoint: Endpoint, paces: Paces) -> AsyncIterator[Caller]:
    """A caller whose connections are closed at the end.

    Proxies are not used for a loopback endpoint. Redirects are not followed: prompts and the key go only to the host
    that the user named.

    Raises:
        ArgumentError: the key is missing.
        MissingExtraError: the openai client is not installed.
    """
    try:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    except ImportError:
        raise MissingExtraError("the client for endpoints of language models", "prompted") from None
    key = endpoint.read_key()
    is_plain = endpoint.is_loopback and endpoint.url.startswith(
        "http:"
    )  # nothing to verify, so no certificates are loaded
    http = DefaultAsyncHttpxClient(trust_env=not endpoint.is_loopback, follow_redirects=False, verify=not is_plain)
    client = AsyncOpenAI(
        api_key=key or "none",
        admin_api_key="",
        base_url=endpoint.url,
        timeout=_timeout(endpoint),
        max_retries=0,
        http_client=http,
    )
    async with client:
        yield Caller(client, endpoint, key, paces)


def _waited(trouble: Trouble, tries: int, seconds: float) -> str:
    """How often a request was tried, and the wait that the endpoint asks for."""
    told = f"; tried {tries + 1} times in {seconds:.3g} seconds" if tries else ""
    if trouble.wait is None:
        return told
    most = f", longer than the {_PATIENCE:g} that are waited" if trouble.wait > _PATIENCE else ""
    return f"{told}; it asks to wait {trouble.wait:.3g} seconds{most}"


def _timeout(endpoint: Endpoint) -> Any:
    from openai import Timeout

    return Timeout(endpoint.timeout, connect=min(endpoint.timeout, _CONNECT_SECONDS))


def _headers(endpoint: Endpoint, key: str | None) -> Any:
    """The key, if any; no headers from the client's environment, except for OpenAI's own endpoint."""
    from openai import Omit

    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    headers: dict[str, Any] = {line.partition(":")[0].strip(): Omit() for line in lines if ":" in line}
    if not endpoint.is_openai:
        headers |= {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
    return headers | {"Authorization": f"Bearer {key}" if key else Omit()}
