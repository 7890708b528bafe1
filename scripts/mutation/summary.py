"""What came of the mutants of a room, in figures and lists."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from mutation.equivalents import Equivalents
from mutation.mutants import Mutant
from mutation.verdicts import NOTICED, Verdict

COUNTED = ("killed", "timeout", "survived", "unreached", "equivalent")
Row = dict[str, str]
Summary = dict[str, object]


def summarize(results: Mapping[Mutant, Verdict], room: Sequence[Mutant], listed: Equivalents, root: Path) -> Summary:
    """Counts, shares, survivors, equivalent mutants and stale entries.

    Args:
        results: the mutants that were tried.
        room: all mutants of the room.
        listed: those of them that are known to be equivalent.
        root: the folder that places are given below.
    """
    rows = [_row(mutant, verdict, listed, root) for mutant, verdict in sorted(results.items(), key=_order)]
    counts = Counter(row["status"] for row in rows)
    noticed = sum(counts[status] for status in NOTICED)
    return {
        "tried": len(rows),
        **{status: counts[status] for status in COUNTED},
        "share_killed": noticed / len(rows) if rows else None,
        "share_killed_or_equivalent": (noticed + counts["equivalent"]) / len(rows) if rows else None,
        "survivors": [row for row in rows if row["status"] in ("survived", "unreached")],
        "equivalents": [row for row in rows if row["status"] == "equivalent"],
        "stale": [{**asdict(entry), "stale": reason} for entry, reason in listed.stale(room, results)],
    }


def _order(result: tuple[Mutant, Verdict]) -> tuple[Path, int, int, int]:
    return result[0].path, result[0].line, result[0].node, result[0].variant


def _row(mutant: Mutant, verdict: Verdict, listed: Equivalents, root: Path) -> Row:
    entry = None if verdict.status in NOTICED else listed.find(mutant)
    return {
        "place": f"{mutant.path.relative_to(root)}:{mutant.line}",
        "function": mutant.function,
        "status": "equivalent" if entry else verdict.status,
        "before": mutant.before,
        "after": mutant.after,
        **({"why": entry.why} if entry else {}),
    }


def lines(summary: Mapping[str, object], with_equivalents: bool) -> Iterator[str]:
    """The summary as it is printed: survivors, equivalent mutants where asked for, stale entries, figures."""
    for row in (*summary["survivors"], *(summary["equivalents"] if with_equivalents else ())):  # type: ignore[misc]
        yield f"{row['place']} {row['function'] or '(outside of functions)'} ({row['status']})"
        yield from _change(row)
    for row in summary["stale"]:  # type: ignore[attr-defined]
        yield f"{row['module']} {row['function'] or '(outside of functions)'} (stale entry: {row['stale']})"
        yield from _change(row)
    yield _figures(summary)


def _change(row: Mapping[str, str]) -> list[str]:
    return [f"    - {row['before']}", f"    + {row['after']}", *([f"      {row['why']}"] if "why" in row else [])]


def _figures(summary: Mapping[str, object]) -> str:
    counts = ", ".join(f"{summary[name]} {name}" for name in ("tried", *COUNTED))
    figures = f"{summary['room']}: {summary['mutants']} mutants; {counts}"
    if not summary["tried"]:
        return figures
    return (
        f"{figures}; noticed: {summary['share_killed']:.1%}; "
        f"noticed or equivalent: {summary['share_killed_or_equivalent']:.1%}"
    )
