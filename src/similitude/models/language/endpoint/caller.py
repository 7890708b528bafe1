"""Requests to one endpoint: at the agreed pace, and again where what went wrong may pass."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from similitude.errors import MissingExtraError
from similitude.models.language.endpoint.endpoint import Endpoint
from similitude.models.language.endpoint.failures import RequestRefused, Trouble, Unreadable, trouble_of
from similitude.models.language.endpoint.pace import Pace

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["Caller", "Paces", "open_caller"]

T = TypeVar("T")

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_PATIENCE = 300.0
"""Seconds that an endpoint may ask to wait; where it asks for more, the user is told instead."""
_CONNECT_SECONDS = 10.0


class Paces(NamedTuple):
    """How fast an endpoint may be asked, over all that ask it through one model."""

    requests: Pace
    tokens: Pace


class Caller:
    """Sends requests and reads JSON.

    Attributes:
        repeated: told of each request that is sent again.
        answered: whether the endpoint ever did.
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
    ) -> T:
        """What is read off the response.

        Args:
            route: after the base URL; or a whole URL.
            body: of the request.
            read: raises `Unreadable` where the response is not what it should be; then it is asked for again.
            tokens: that the request is thought to take.
            probing: whether this is to find out what the endpoint can: a failure is an answer to that.

        Raises:
            EndpointError: it failed for good.
            Refused: something in the request is not taken, or not answered.
        """
        tries = 0
        while True:
            await asyncio.sleep(max(self._paces.requests.turn(), self._paces.tokens.turn(tokens)))
            try:
                answer = read(await self._send(route, body))
            except Exception as error:
                trouble = trouble_of(error, self._endpoint, self._key)
            else:
                self.answered = True
                return answer
            self._raise_unless_it_may_pass(trouble, tries, probing)
            tries += 1
            self.repeated()
            await self._wait(trouble, tries)

    async def _send(self, route: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        async with asyncio.timeout(self._endpoint.timeout):
            text = await self._client.post(route, cast_to=str, body=dict(body), options={"headers": self._headers})
        try:
            response = json.loads(text)
        except ValueError:
            raise Unreadable(f"no JSON: {text!r}") from None
        if not isinstance(response, Mapping):
            raise Unreadable("JSON, but no object")
        if response.get("error"):  # some endpoints say so with the status of success
            raise Unreadable(f"it says {json.dumps(response['error'], ensure_ascii=False)}")
        return response

    def _raise_unless_it_may_pass(self, trouble: Trouble, tries: int, probing: bool) -> None:
        if trouble.kind in ("unsupported", "filtered") or (probing and self._tells_enough(trouble, tries)):
            raise RequestRefused(trouble)
        if tries >= self._retries(trouble) or (trouble.wait or 0) > _PATIENCE:
            raise trouble.error(self._endpoint)

    @staticmethod
    def _tells_enough(trouble: Trouble, tries: int) -> bool:
        """Whether a failure says that the endpoint cannot do what was tried, rather than that it failed just now."""
        return trouble.kind == "unreadable" or (trouble.kind == "passing" and tries > 0)

    def _retries(self, trouble: Trouble) -> int:
        """More patience with an endpoint that is busy; little with one that is silent; none with one never there."""
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
        """As long as the endpoint says, and all with it; or twice as long each time, and not all at the same moment."""
        if trouble.wait is not None:
            self._paces.requests.pause(trouble.wait)
            await asyncio.sleep(trouble.wait * random.uniform(1.0, 1.1))
        else:
            await asyncio.sleep(min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (tries - 1)) * random.uniform(0.5, 1.0))


@asynccontextmanager
async def open_caller(endpoint: Endpoint, paces: Paces) -> AsyncIterator[Caller]:
    """A caller, whose connections are closed at the end.

    A loopback endpoint is never asked through a proxy. Redirects are not followed: a prompt, and the key, go to the
    host that the user named and to no other.

    Raises:
        ArgumentError: there is no key.
        MissingExtraError: the client is not installed.
    """
    try:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    except ImportError:
        raise MissingExtraError("the client for endpoints of language models", "prompted") from None
    key = endpoint.read_key()
    is_plain = endpoint.is_loopback and endpoint.url.startswith("http:")  # no certificate to check: none is loaded
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


def _timeout(endpoint: Endpoint) -> Any:
    from openai import Timeout

    return Timeout(endpoint.timeout, connect=min(endpoint.timeout, _CONNECT_SECONDS))


def _headers(endpoint: Endpoint, key: str | None) -> Any:
    """Our key or none, and nothing that the client would take from the environment, but for OpenAI's own endpoint."""
    from openai import Omit

    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    headers: dict[str, Any] = {line.partition(":")[0].strip(): Omit() for line in lines if ":" in line}
    if not endpoint.is_openai:
        headers |= {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
    return headers | {"Authorization": f"Bearer {key}" if key else Omit()}
