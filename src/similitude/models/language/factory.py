"""Opens a language model: behind an endpoint if a URL is given, otherwise on this machine."""

from __future__ import annotations

import functools
import json
from typing import Any

from similitude.models.language.protocol import LanguageModel

__all__ = ["open_language_model"]


def open_language_model(model: str, url: str | None, *, is_text: bool, **how: Any) -> LanguageModel:
    """The language model; nothing is requested or loaded yet.

    Args:
        model: its name at the endpoint; on this machine a folder, a name on the hub or a GGUF file.
        url: the URL of the endpoint; None for a model on this machine.
        is_text: whether prompts are plain texts to be continued rather than chats.
        **how: arguments of `open_endpoint` or of `open_local`.
    """
    if url is None:
        from similitude.models.language.local import open_local

        return open_local(model, chat=False if is_text else None, **how)
    return _at_endpoint(json.dumps({"model": model, "url": url, "api": "completions" if is_text else "chat", **how}))


@functools.lru_cache(maxsize=16)
def _at_endpoint(written: str) -> LanguageModel:
    """One model for all systems with the same arguments, so that the endpoint's abilities are probed once."""
    from similitude.models.language.endpoint import open_endpoint

    return open_endpoint(**json.loads(written))
