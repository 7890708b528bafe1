"""Opening the language model that a system names: at an endpoint where a URL is given, else on this machine."""

from __future__ import annotations

import functools
import json
from typing import Any

from similitude.models.language.protocol import LanguageModel

__all__ = ["open_language_model"]


def open_language_model(model: str, url: str | None, *, is_text: bool, **how: Any) -> LanguageModel:
    """The model, ready to be asked; nothing is asked or loaded yet.

    Args:
        model: its name at the endpoint; a folder, a name on the hub or a GGUF file on this machine.
        url: of the endpoint.
        is_text: whether prompts are plain texts that the model goes on writing, and no chat.
        **how: arguments of `open_endpoint` or of `open_local`.
    """
    if url is None:
        from similitude.models.language.local import open_local

        return open_local(model, chat=False if is_text else None, **how)
    return _at_endpoint(json.dumps({"model": model, "url": url, "api": "completions" if is_text else "chat", **how}))


@functools.lru_cache(maxsize=16)
def _at_endpoint(written: str) -> LanguageModel:
    """One for all systems that ask the same endpoint in the same way: what it can do is found out once."""
    from similitude.models.language.endpoint import open_endpoint

    return open_endpoint(**json.loads(written))
