"""Tries small changes of the code and lists those that no test of its room notices.

    python scripts/mutate.py stats                       every mutant of src/similitude/stats
    python scripts/mutate.py gold --sample 300 --seed 1  300 of them, drawn at random
    python scripts/mutate.py gold --module flags.py      those of one module

Verdicts are kept in .mutation/, so a run that was stopped goes on; --fresh forgets them.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".mutation"
ROOMS = ("stats", "gold", "evaluate")
sys.path.insert(0, str(ROOT / "src"))  # this tree's package, whichever is installed
# Read by libraries as they are imported, so it must be said before.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(Path(tempfile.gettempdir()) / "mutation-hypothesis")

from mutation.mutant_run import MutantRun  # noqa: E402
from mutation.mutants import Mutant, mutants_of  # noqa: E402
from mutation.reached_lines import ReachedFile  # noqa: E402
from mutation.survey import Room  # noqa: E402
from mutation.verdicts import NOTICED, Verdict, VerdictFile  # noqa: E402


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
    mutants = _chosen(package, asked)
    verdicts = VerdictFile(KEPT / f"{asked.room}.jsonl", fresh=asked.fresh)
    reached = ReachedFile(KEPT / f"{asked.room}.reached.json")
    run = MutantRun(room, mutants, verdicts, reached, jobs=asked.jobs, seconds=asked.seconds, heard=_hear)
    results = run()
    summary = _summary(asked, len(mutants), results)
    (KEPT / f"{asked.room}.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    _print(summary)


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
    return parser.parse_args()


def _chosen(package: Path, asked: argparse.Namespace) -> list[Mutant]:
    endings = tuple(f"/{name}" for name in asked.module) or (".py",)
    paths = [path for path in sorted(package.rglob("*.py")) if str(path).endswith(endings)]
    mutants = [mutant for path in paths for mutant in mutants_of(path)]
    if 0 < asked.sample < len(mutants):
        mutants = random.Random(asked.seed).sample(mutants, asked.sample)
    return sorted(mutants, key=lambda mutant: (mutant.path, mutant.line, mutant.node, mutant.variant))


def _hear(done: int, total: int, mutant: Mutant, verdict: Verdict) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total} {verdict.status:<10}", end="", file=sys.stderr, flush=True)


def _summary(asked: argparse.Namespace, chosen: int, results: Mapping[Mutant, Verdict]) -> dict[str, object]:
    counts = Counter(verdict.status for verdict in results.values())
    noticed = sum(counts[status] for status in NOTICED)
    missed = [(mutant, verdict) for mutant, verdict in results.items() if verdict.status not in NOTICED]
    return {
        "room": asked.room,
        "mutants": chosen,
        "seed": asked.seed if asked.sample else None,
        "tried": len(results),
        **{status: counts[status] for status in ("killed", "timeout", "survived", "unreached")},
        "share_killed": noticed / len(results) if results else None,
        "survivors": [_survivor(mutant, verdict) for mutant, verdict in sorted(missed, key=_order)],
    }


def _order(result: tuple[Mutant, Verdict]) -> tuple[Path, int, int]:
    return result[0].path, result[0].line, result[0].node


def _survivor(mutant: Mutant, verdict: Verdict) -> dict[str, object]:
    place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
    function = mutant.function or "(outside of functions)"
    return {
        "place": place,
        "function": function,
        "status": verdict.status,
        "before": mutant.before,
        "after": mutant.after,
    }


def _print(summary: Mapping[str, object]) -> None:
    for survivor in summary["survivors"]:  # type: ignore[attr-defined]
        print(f"{survivor['place']} {survivor['function']} ({survivor['status']})")
        print(f"    - {survivor['before']}\n    + {survivor['after']}")
    names = ("tried", "killed", "timeout", "survived", "unreached")
    share = "" if summary["share_killed"] is None else f"; noticed: {summary['share_killed']:.1%}"
    print(f"{summary['room']}: {summary['mutants']} mutants; " + ", ".join(f"{summary[n]} {n}" for n in names) + share)


if __name__ == "__main__":
    main()
