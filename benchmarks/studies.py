"""A study of 20 systems x 3 benchmarks: how soon its first cell starts: ``python benchmarks/studies.py``.

The systems write a mark when they are asked, in a process of its own that starts from nothing, as a user's does. A
second call, which finds all cells done, is timed as well. A test shows that a grid of 200 cells repeats none after
kill -9: ``pytest tests/study/test_study_run.py -k kill``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SYSTEM = """
import time
from pathlib import Path

import numpy as np

from similitude.data.prediction import Predictions
from similitude.registry import parse


class Mark:
    summary, range, reads, version = "leaves a mark when it is first asked", None, frozenset(), "1"

    @property
    def identity(self):
        return parse("marks.py:Mark")

    def score(self, items):
        path = Path("first.txt")
        if not path.exists():
            path.write_text(str(time.time()))
        return Predictions(np.arange(len(items), dtype=float))
"""


def main() -> None:
    """Print the seconds until the first cell, for the whole study, and for a second call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _report(Path(folder), asked.systems)


def _report(folder: Path, number: int) -> None:
    (folder / "marks.py").write_text(SYSTEM)
    kinds = [f"{name}(n={n})" for name in ("word-ngram-jaccard", "char-ngram-jaccard") for n in (2, 3, 4, 5)]
    kinds += ["levenshtein", "damerau", "jaro", "jaro-winkler", "length-ratio", "longest-common-subsequence"]
    kinds += ["longest-common-substring", "greedy-string-tiling", "monge-elkan", "tfidf-cosine", "soft-tfidf"]
    others = "\n".join(f'"{kind}" = "{kind}"' for kind in kinds[: number - 1])
    data = '["sample:opinions", "sample:conditions", "sample:dialogues"]'
    (folder / "study.toml").write_text(
        f'[[tables]]\nname = "Table 1"\nlayout = "systems"\ndata = {data}\nmeasures = ["spearman"]\nresamples = 0\n'
        f'[tables.systems]\nfirst = "marks.py:Mark"\n{others}\n'
    )
    command = [sys.executable, "-m", "similitude", "study", "run", "study.toml", "--folder", "out", "--quiet"]
    before = time.time()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    whole = time.time() - before
    first = float((folder / "first.txt").read_text()) - before
    again = time.time()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    print(f"{number} systems x 3 benchmarks: first cell after {first:.2f} s, all after {whole:.2f} s")
    print(f"a second call, which finds {3 * number} cells done: {time.time() - again:.2f} s")


if __name__ == "__main__":
    main()
