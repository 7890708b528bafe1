"""All figures of candidates in one run: ``python benchmarks/candidates.py``, or ``--small`` for a tenth of the size.

Each part is a script (``benchmarks/candidates_*.py``). They run one after the other, each in a process of its own, and
print their tables. At the end one table lists the parts, how long they took, and the last line of each. A part that
lacks something, such as a GPU, says so.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

PARTS: dict[str, dict[str, int]] = {
    "duplicates": {"--rows": 1_000_000},
    "neighbours": {},
    "filters": {"--pairs": 10_000_000},
    "selection": {"--pairs": 1_000_000, "--diverse": 100_000},
    "engines": {},
    "search": {"--texts": 1_000_000},
    "gpu": {},
}
"""The parts, and the sizes that ``--small`` divides by ten."""


def run(part: str, *, small: bool) -> tuple[float, int, str]:
    """Run a part; its wall time, exit status and last line."""
    script = Path(__file__).with_name(f"candidates_{part}.py")
    sizes = [word for name, size in PARTS[part].items() for word in (name, str(size // 10))] if small else []
    start, last = time.perf_counter(), ""
    process = subprocess.Popen([sys.executable, str(script), *sizes], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        print(line, end="", flush=True)
        last = line.strip() or last
    return time.perf_counter() - start, process.wait(), last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="a tenth of the size, where a part has one")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=list(PARTS))
    asked = parser.parse_args()
    table = Table(title="Candidates")
    for column in ("part", "seconds", "status", "last line"):
        table.add_column(column, justify="right" if column == "seconds" else "left")
    for part in asked.parts:
        print(f"\n== {part} ==", flush=True)
        seconds, status, last = run(part, small=asked.small)
        table.add_row(part, f"{seconds:.0f}", "ok" if status == 0 else f"failed ({status})", last)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
