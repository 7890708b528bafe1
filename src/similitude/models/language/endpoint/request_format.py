"""Translates questions into requests and responses into answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from similitude.models.language.endpoint.constraints import Technique, constraint, more_tokens, unwrapped
from similitude.models.language.endpoint.endpoint import Api, Endpoint
from similitude.models.language.endpoint.failures import Unreadable
from similitude.models.language.endpoint.support import Support
from similitude.models.language.endpoint.token_count import estimate_tokens
from similitude.models.language.protocol import Message, ModelAnswer, ModelQuestion

__all__ = ["ROUTES", "plain_text", "read_answer", "request_for", "tokens_used"]

ROUTES: Mapping[Api, str] = {"chat": "/chat/completions", "completions": "/completions"}

_STOPS = 4
"""The number of stop texts that OpenAI accepts; the answer is cut at any others here."""


def plain_text(messages: Sequence[Message]) -> str:
    """The prompt for a model without a chat format: the contents of the messages, concatenated."""
    return "".join(message.content for message in messages)


def request_for(endpoint: Endpoint, support: Support, question: ModelQuestion, technique: Technique) -> dict[str, Any]:
    """The fields of the request, without those that the endpoint has refused before."""
    chat = endpoint.api == "chat"
    prompt = (
        {"messages": [message._asdict() for message in question.messages]}
        if chat
        else {"prompt": plain_text(question.messages)}
    )
    settings = question.settings
    fields: dict[str, Any] = {
        "temperature": settings.temperature,
        "top_p": settings.top_p if settings.top_p != 1 else None,
        "stop": list(settings.stop[:_STOPS]) or None,
        "seed": question.draw if settings.temperature > 0 else None,
    }
    limit = support.limit if chat else "max_tokens"
    return {
        "model": endpoint.model,
        **prompt,
        limit: settings.longest + more_tokens(technique),
        **{name: value for name, value in fields.items() if value is not None and name not in support.refused},
        **_alternatives(chat, min(question.alternatives, support.alternatives)),
        **constraint(technique, question.allowed),
        **endpoint.extra,
    }


def _alternatives(chat: bool, count: int) -> dict[str, Any]:
    if not count:
        return {}
    return {"logprobs": True, "top_logprobs": count} if chat else {"logprobs": count}


def read_answer(response: Mapping[str, Any], question: ModelQuestion, technique: Technique) -> ModelAnswer:
    """The answer in a response of either API.

    Raises:
        Unreadable: there is no answer.
    """
    try:
        choice = response["choices"][0]
        text = _text(choice)
        first = _first(choice.get("logprobs") or {}) if question.alternatives else ()
        finish = str(choice.get("finish_reason") or "stop")
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise Unreadable(f"no answer in it, {type(error).__name__}") from None
    cut = _cut(unwrapped(technique, text, question.allowed), question.settings.stop)
    read, written, _ = tokens_used(response, question.messages, text)
    return ModelAnswer(cut, read, written, "stop" if len(cut) < len(text) else finish, first)


def tokens_used(response: Mapping[str, Any], prompt: Sequence[Message], text: str) -> tuple[int, int, bool]:
    """Tokens read and written, and whether they are an estimate because the endpoint reports none."""
    usage = response.get("usage")
    if isinstance(usage, Mapping) and isinstance(usage.get("prompt_tokens"), int):
        return usage["prompt_tokens"], int(usage.get("completion_tokens") or 0), False
    return estimate_tokens(prompt), estimate_tokens([Message("assistant", text)], chat=False), True


def _text(choice: Mapping[str, Any]) -> str:
    if "message" not in choice:
        return str(choice["text"] or "")
    message = choice["message"]
    content = message.get("content") or message.get("refusal") or ""
    if isinstance(content, str):
        return content
    return "".join(
        str(part.get("text") or "") for part in content
    )  # some models answer in parts, with their thoughts separate


def _first(logprobs: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """The likeliest first tokens; empty if the endpoint returns none."""
    if logprobs.get("content"):
        pairs = [(token["token"], token["logprob"]) for token in logprobs["content"][0].get("top_logprobs") or ()]
    elif logprobs.get("top_logprobs"):
        pairs = list((logprobs["top_logprobs"][0] or {}).items())
    else:
        return ()
    return tuple(sorted(((str(token), float(value)) for token, value in pairs), key=lambda pair: -pair[1]))


def _cut(text: str, stops: Sequence[str]) -> str:
    """Cut the text at the first stop text, since not every endpoint stops there."""
    return text[: min((place for stop in stops if (place := text.find(stop)) >= 0), default=len(text))]
