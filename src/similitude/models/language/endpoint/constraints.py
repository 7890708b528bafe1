"""Holding an answer to the allowed ones: three ways, of which an endpoint knows one or another, or none.

choice
    A list of texts, as vLLM takes it. The answer is one of them and nothing else.
grammar
    A grammar with these texts, as llama.cpp takes it. Likewise.
schema
    A JSON schema, as OpenAI and most others take it. The answer is JSON around one of them, so its first token says
    nothing: not used where alternatives to that token are wanted.
plain
    Nothing. The answer is what the model says.
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
"""No model says one of these to that, unless it must."""

_FIELD = "answer"
_SCHEMA_TOKENS = 64
"""For the JSON around an answer, and blanks that small models put into it."""


def candidates(*, alternatives: bool) -> tuple[Technique, ...]:
    """Ways to try, those that leave the answer itself alone first."""
    return ("choice", "grammar") if alternatives else ("choice", "grammar", "schema")


def constraint(technique: Technique, allowed: Sequence[str]) -> dict[str, Any]:
    """The fields of a request that hold its answer to the allowed ones.

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
    """That an answer needs beyond its own."""
    return _SCHEMA_TOKENS if technique == "schema" else 0


def unwrapped(technique: Technique, text: str, allowed: Sequence[str]) -> str:
    """The answer out of its JSON; as it came where it is not one of the allowed.

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
