"""Every printed figure of the four papers, ours beside it: python scripts/evidence.py [--out PAGE] [--json].

Computes what can be computed from ``evidence/``, and says of the rest why not. Takes about a minute of one core.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from reproduction.evidence_table import all_outcomes, count_lines, table_lines, written
from reproduction.outcome import STATUSES, Outcome

ROOT = Path(__file__).parents[1]
START, END = "<!-- made by scripts/evidence.py -->", "<!-- end -->"


def record(row: Outcome) -> dict[str, str | None]:
    figure = row.figure
    place = {"paper": figure.paper, "table": figure.table, "row": figure.row, "column": figure.column}
    return {**place, "theirs": figure.printed, "ours": written(row), "status": row.status, "why": row.why}


def page(rows: list[Outcome], *, whole: bool = False) -> str:
    meanings = [f"- **{status}**: {meaning}" for status, meaning in STATUSES.items()]
    return "\n".join([*count_lines(rows), "", *meanings, "", *table_lines(rows, whole=whole)])


def write(path: Path, made: str) -> None:
    """Replace the made part of a page; what people wrote around it stays."""
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{START}\n\n{made}\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, help="a page with the two marks, whose part between them is made anew")
    parser.add_argument("--json", action="store_true", help="print one record for each figure")
    arguments = parser.parse_args()
    rows = all_outcomes()
    if arguments.out is not None:
        write(arguments.out, page(rows))
    if arguments.json:
        print(json.dumps([record(row) for row in rows], ensure_ascii=False, indent=1))
    else:
        print("\n".join(count_lines(rows)) if arguments.out else page(rows, whole=True))


if __name__ == "__main__":
    main()
