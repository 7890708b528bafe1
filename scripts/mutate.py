"""Tries small changes of the code and lists those that no test of its room notices.

    python scripts/mutate.py stats                       every mutant of src/similitude/stats
    python scripts/mutate.py gold --sample 300 --seed 1  300 of them, drawn at random
    python scripts/mutate.py gold --module flags.py      those of one module

Verdicts are kept in .mutation/, so a run that was stopped goes on; --fresh forgets them. Mutants that make no
difference are listed in mutation/equivalent/, each with the reason; --equivalent prints them.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".mutation"
EQUIVALENT = ROOT / "scripts" / "mutation" / "equivalent"
ROOMS = ("stats", "gold", "evaluate")
sys.path.insert(0, str(ROOT / "src"))  # this tree's package, whichever is installed
# Read by libraries as they are imported, so it must be said before.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
sys.dont_write_bytecode = False  # a thousand children import the same tests
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(Path(tempfile.gettempdir()) / "mutation-hypothesis")

from mutation.equivalents import Equivalents, read_equivalents  # noqa: E402
from mutation.mutant_run import MutantRun  # noqa: E402
from mutation.mutants import Mutant, mutants_of  # noqa: E402
from mutation.reached_lines import ReachedFile  # noqa: E402
from mutation.summary import lines, summarize  # noqa: E402
from mutation.survey import Room  # noqa: E402
from mutation.verdicts import Verdict, VerdictFile  # noqa: E402


def main() -> None:
    asked = _arguments()
    package = ROOT / "src" / "similitude" / asked.room
    room = Room(
        root=ROOT,
        source=ROOT / "src",
        package=package,
        tests=tuple(str(Path(test).resolve()) for test in asked.tests)
        or (str(ROOT / "tests" / asked.room), str(package)),
    )
    listed = Equivalents(read_equivalents(EQUIVALENT / f"{asked.room}.toml"), ROOT / "src" / "similitude")
    mutants = [mutant for path in sorted(package.rglob("*.py")) for mutant in mutants_of(path)]
    chosen = [mutant for mutant in _chosen(mutants, asked) if not (asked.unlisted and listed.find(mutant))]
    verdicts = VerdictFile(KEPT / f"{asked.room}.jsonl", fresh=asked.fresh)
    reached = ReachedFile(KEPT / f"{asked.room}.reached.json", ROOT)
    run = MutantRun(room, chosen, verdicts, reached, jobs=asked.jobs, seconds=asked.seconds, heard=_hear)
    drawn = {"room": asked.room, "mutants": len(chosen), "seed": asked.seed if asked.sample else None}
    summary = drawn | summarize(run(), mutants, listed, ROOT)
    (KEPT / f"{asked.room}.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    print(*lines(summary, asked.equivalent), sep="\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--sample", type=int, default=0, help="how many mutants, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--module", nargs="*", default=[], help="only modules whose path ends so")
    parser.add_argument("--tests", nargs="*", default=[], help="only these files of tests, in place of all of the room")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no mutant after so long")
    parser.add_argument("--fresh", action="store_true", help="forget the verdicts of earlier runs")
    parser.add_argument("--unlisted", action="store_true", help="leave out those listed as equivalent")
    parser.add_argument("--equivalent", action="store_true", help="print the mutants listed as equivalent, too")
    return parser.parse_args()


def _chosen(mutants: Sequence[Mutant], asked: argparse.Namespace) -> list[Mutant]:
    endings = tuple(f"/{name}" for name in asked.module) or (".py",)
    chosen = [mutant for mutant in mutants if str(mutant.path).endswith(endings)]
    if 0 < asked.sample < len(chosen):
        chosen = random.Random(asked.seed).sample(chosen, asked.sample)
    return sorted(chosen, key=lambda mutant: (mutant.path, mutant.line, mutant.node, mutant.variant))


def _hear(done: int, total: int, mutant: Mutant, verdict: Verdict) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total} {verdict.status:<10}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
