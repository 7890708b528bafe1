"""A small OpenAI-compatible server on loopback that can be told to fail, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Fault(NamedTuple):
    """What happens to one request instead of an answer.

    Attributes:
        kind: "status", "cut" (half of the body, then the connection closes), "reset" (it closes at once), "garbage" (no
            JSON), "html", "wrong" (JSON without an answer), "empty" (an answer without words) or "slow".
        status: of the response.
        headers: of the response.
        body: of the response.
        seconds: before it answers after all.
    """

    kind: str
    status: int = 500
    headers: dict[str, str] = {}  # noqa: RUF012
    body: Any = {"error": {"message": "told to fail"}}  # noqa: RUF012
    seconds: float = 0.0


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        if "messages" in self.body:
            return self.body["messages"][-1]["content"]
        prompt = self.body.get("prompt", "")
        return prompt if isinstance(prompt, str) else prompt[0]


def say_length(asked: Asked) -> str:
    """An answer that depends on the prompt alone."""
    return str(len(asked.prompt) % 5 + 1)


@dataclass
class EndpointServer:
    """Serves ``/v1/chat/completions``, ``/v1/completions`` and ``/tokenize``; use as a context.

    Attributes:
        model: that it knows.
        key: that it wants; None for none.
        seconds: that each answer takes.
        answer: what it says.
        knows: of "choice", "grammar", "schema", "logprobs", "echo", "tokenize", "usage".
        refuses: fields for which it answers 400 and names them.
        faults: happen to the next requests, one each.
        always: happens to all, where set.
        routes: the APIs that it has.
        begins: the text of a token that begins every echoed prompt.
        silent_after: so many requests; those after them wait until this is raised.
    """

    model: str = "tiny"
    key: str | None = None
    seconds: float = 0.0
    answer: Callable[[Asked], str] = say_length
    knows: set[str] = field(default_factory=lambda: {"usage"})
    refuses: tuple[str, ...] = ()
    faults: deque[Fault] = field(default_factory=deque)
    always: Fault | None = None
    routes: tuple[str, ...] = ("/v1/chat/completions", "/v1/completions")
    begins: str = ""
    silent_after: float = math.inf
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    port: int = 0

    def __enter__(self) -> EndpointServer:
        self._loop = asyncio.new_event_loop()
        self.at_once = 0
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(300)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def prompts(self) -> Counter[str]:
        """How often each prompt was asked, those that were answered with a fault included."""
        return Counter(asked.prompt for asked in self.asked)

    def fail(self, *faults: Fault) -> None:
        self.faults.extend(faults)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=2**22))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection stays open."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        asked = Asked(head[0].split()[1], headers, json.loads(body) if body else {})
        self.asked.append(asked)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        place = len(self.asked)
        try:
            while place > self.silent_after:
                await asyncio.sleep(0.01)
            return await self._respond(asked, writer)
        finally:
            self.at_once -= 1

    async def _respond(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        fault = self.always or (self.faults.popleft() if self.faults else None)
        await asyncio.sleep(fault.seconds if fault and fault.kind == "slow" else self.seconds)
        if fault is None or fault.kind in ("slow", "empty"):
            status, content = self._content(asked, empty=fault is not None and fault.kind == "empty")
            return await _send(writer, status, json.dumps(content), {})
        if fault.kind == "reset":
            return False
        if fault.kind == "cut":
            _, content = self._content(asked, empty=False)
            return await _send(writer, 200, json.dumps(content), {}, half=True)
        by_kind = {"garbage": '{"choices": [{"mess', "html": "<html>busy</html>", "wrong": '{"object": "nothing"}'}
        if fault.kind in by_kind:
            kind = "text/html" if fault.kind == "html" else "application/json"
            return await _send(writer, 200, by_kind[fault.kind], {"content-type": kind})
        return await _send(writer, fault.status, json.dumps(fault.body), fault.headers)

    def _content(self, asked: Asked, *, empty: bool) -> tuple[int, dict[str, Any]]:
        if self.key is not None and asked.headers.get("authorization") != f"Bearer {self.key}":
            said = f"Incorrect API key provided: {asked.headers.get('authorization')}"
            return 401, {"error": {"message": said, "code": "invalid_api_key"}}
        for name in self.refuses:
            if name in asked.body:
                said = f"Unsupported parameter: '{name}' is not supported with this model."
                said += " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
                return 400, {"error": {"message": said, "param": name, "code": "unsupported_parameter"}}
        if asked.path == "/tokenize" and "tokenize" in self.knows:
            return 200, {"tokens": list(range(len(asked.body["content"].split())))}
        if asked.path not in self.routes:
            return 404, {"detail": "Not Found"}
        if asked.body.get("model") != self.model:
            return 404, {"error": {"message": f"The model '{asked.body.get('model')}' does not exist"}}
        if asked.body.get("echo"):
            return 200, self._echo(asked)
        return 200, self._answered(asked, "" if empty else self._constrained(asked))

    def _constrained(self, asked: Asked) -> str:
        body = asked.body
        if "choice" in self.knows and "guided_choice" in body:
            return body["guided_choice"][len(asked.prompt) % len(body["guided_choice"])]
        if "grammar" in self.knows and "grammar" in body:
            allowed = [json.loads(part) for part in body["grammar"].removeprefix("root ::= ").split(" | ")]
            return allowed[len(asked.prompt) % len(allowed)]
        if "schema" in self.knows and "response_format" in body:
            schema = body["response_format"]["json_schema"]["schema"]
            allowed = schema["properties"]["answer"]["enum"]
            return json.dumps({"answer": allowed[len(asked.prompt) % len(allowed)]})
        return self.answer(asked)

    def _answered(self, asked: Asked, text: str) -> dict[str, Any]:
        chat = asked.path.endswith("chat/completions")
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop" if text else "length"}
        choice |= {"message": {"role": "assistant", "content": text or None}} if chat else {"text": text}
        if "logprobs" in self.knows and asked.body.get("logprobs"):
            count = asked.body.get("top_logprobs") if chat else asked.body["logprobs"]
            likely = [(text[:1], math.log(0.6)), ("9", math.log(0.3)), ("x", math.log(0.05))][:count]
            top = [{"token": token, "logprob": value} for token, value in reversed(likely)]
            choice["logprobs"] = {"content": [{"top_logprobs": top}]} if chat else {"top_logprobs": [dict(likely)]}
        usage = {"prompt_tokens": len(asked.prompt.split()), "completion_tokens": 1}
        return {"choices": [choice]} | ({"usage": usage} if "usage" in self.knows else {})

    def _echo(self, asked: Asked) -> dict[str, Any]:
        """Each word with its blank before it is a token, whose log-probability is minus its length over ten."""
        choices = []
        for index, prompt in enumerate(asked.body["prompt"]):
            words = prompt.replace(" ", "\0 ").split("\0")
            tokens = [*([self.begins] if self.begins else []), *words, " next"]
            values = [None, *(-len(token) / 10 for token in tokens[1:])]
            logprobs = {"tokens": tokens, "token_logprobs": values} if "echo" in self.knows else None
            choices.append({"index": index, "text": prompt, "logprobs": logprobs})
        return {"choices": choices[::-1], "usage": {"prompt_tokens": 10, "completion_tokens": len(choices)}}


async def _send(
    writer: asyncio.StreamWriter, status: int, text: str, headers: dict[str, str], *, half: bool = False
) -> bool:
    body = text.encode()
    fields = {"content-type": "application/json", "content-length": str(len(body))} | headers
    lines = [f"HTTP/1.1 {status} so", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    writer.write("\r\n".join(lines).encode("latin-1"))
    writer.write(body[: len(body) // 2] if half else body)
    await writer.drain()
    return not half
