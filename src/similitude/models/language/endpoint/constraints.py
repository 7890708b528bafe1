"""Ways to restrict an answer to the allowed ones; an endpoint supports one or another of them, or none.

choice
    A list of texts, as vLLM takes it. The answer is exactly one of them.
grammar
    A grammar with these texts, as llama.cpp takes it. The answer is exactly one of them.
schema
    A JSON schema, as OpenAI and most others take it. The answer is wrapped in JSON, so its first token is
    uninformative; not used if alternatives to the first token are wanted.
plain
    No restriction. The answer is whatever the model says.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from similitude.models.language.protocol import GenerationSettings, Message, ModelQuestion

__all__ = ["PROBE", "Technique", "candidates", "constraint", "more_tokens", "unwrapped"]

Technique = Literal["choice", "grammar", "schema", "plain"]

PROBE = ModelQuestion(
    messages=(Message("user", "Say hello."),), settings=GenerationSettings(longest=32), allowed=("violet", "vermilion")
)
"""No model answers with one of these words unless it is forced to."""

_FIELD = "answer"
_SCHEMA_TOKENS = 64
"""Room for the JSON around an answer, and for whitespace that small models add."""


def candidates(*, alternatives: bool) -> tuple[Technique, ...]:
    """The techniques to try; those that leave the answer unchanged come first."""
    return ("choice", "grammar") if alternatives else ("choice", "grammar", "schema")


def constraint(technique: Technique, allowed: Sequence[str]) -> dict[str, Any]:
    """The request fields that restrict the answer to the allowed ones.

    >>> constraint("grammar", ["A", "B"])
    {'grammar': 'root ::= "A" | "B"'}
    """
    if not allowed or technique == "plain":
        return {}
    if technique == "choice":  # before and after vLLM 0.12
        return {"guided_choice": list(allowed), "structured_outputs": {"choice": list(allowed)}}
    if technique == "grammar":
        return {"grammar": "root ::= " + " | ".join(json.dumps(text, ensure_ascii=False) for text in allowed)}
    schema = {
        "type": "object",
        "properties": {_FIELD: {"type": "string", "enum": list(allowed)}},
        "required": [_FIELD],
        "additionalProperties": False,
    }
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": _FIELD, "strict": True, "schema": schema}}
    }


def more_tokens(technique: Technique) -> int:
    """The additional tokens that an answer needs."""
    return _SCHEMA_TOKENS if technique == "schema" else 0


def unwrapped(technique: Technique, text: str, allowed: Sequence[str]) -> str:
    """The answer without its JSON; unchanged if it is not one of the allowed ones.

    >>> unwrapped("schema", '{"answer": "B"}', ["A", "B"])
    'B'
    """
    if technique != "schema" or not allowed:
        return text
    try:
        answer = json.loads(text)[_FIELD]
    except (ValueError, TypeError, KeyError):
        return text
    return answer if answer in allowed else text
