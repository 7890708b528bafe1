"""Estimates the number of tokens of a prompt, for endpoints that do not count them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from similitude.models.language.endpoint.failures import Unreadable
from similitude.models.language.protocol import Message

__all__ = ["MESSAGE_TOKENS", "estimate_tokens", "read_count"]

MESSAGE_TOKENS = 4
"""Tokens around each message of a chat: its role, start and end."""

_LETTERS_A_TOKEN = 4
_CJK = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def estimate_tokens(messages: Sequence[Message], *, chat: bool = True) -> int:
    """Estimated tokens: one per CJK character, one per four other characters, and a few per message.

    >>> estimate_tokens([Message("user", "A dog runs.")]), estimate_tokens([Message("user", "狗在跑")], chat=False)
    (7, 3)
    """
    signs = sum(len(_CJK.findall(message.content)) for message in messages)
    letters = sum(len(message.content) for message in messages) - signs
    return signs + math.ceil(letters / _LETTERS_A_TOKEN) + (MESSAGE_TOKENS * len(messages) if chat else 0)


def read_count(response: Mapping[str, Any]) -> int:
    """The count in the response of a server's ``/tokenize``, as llama.cpp and vLLM write it.

    Raises:
        Unreadable: there is no count.
    """
    count, tokens = response.get("count"), response.get("tokens")
    if isinstance(count, int):
        return count
    if isinstance(tokens, list):
        return len(tokens)
    raise Unreadable("no count of tokens in it")
