"""A plan as TOML, with every default written out, so that the file alone repeats the search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from similitude.study.candidates.plan import CandidatesPlan

__all__ = ["plan_text"]


def plan_text(plan: CandidatesPlan) -> str:
    """The text of a file that `CandidatesPlan.read` reads; what is not set is left out.

    >>> print(plan_text(CandidatesPlan(name="mine"))[:22])
    name = "mine"
    seed = 0
    """
    values = plan.model_dump(exclude_none=True)
    if plan.pairs.data is not None:
        values["pairs"].pop("by")
        values.pop("duplicates")
    tables = {name: part for name, part in values.items() if isinstance(part, dict)}
    single = "\n".join(_lines({name: value for name, value in values.items() if name not in tables}))
    parts = ["\n".join([f"[{name}]", *_lines(part)]) for name, part in tables.items() if part]
    return "\n\n".join([single, *parts]) + "\n"


def _lines(values: dict[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        yield f"{name} = {_written(value)}"


def _written(value: Any) -> str:
    """A value of TOML: its strings, numbers, truth values and lists are written as those of JSON."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False).replace("\x7f", "\\u007f")
