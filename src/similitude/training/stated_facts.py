"""What training data states of itself that a model card passes on: languages and licences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from similitude.data.benchmark import Benchmark

__all__ = ["stated_facts"]


def stated_facts(data: Sequence[Benchmark]) -> dict[str, Any]:
    """Languages and licences that the data states, ready for JSON; nothing where it states none."""
    columns = (part.frame["language"].drop_nulls().unique(maintain_order=True).to_list() for part in data)
    languages = list(dict.fromkeys(code for codes in columns for code in codes))
    licences = list(dict.fromkeys(part.licence for part in data if part.licence))
    return {**({"languages": languages} if languages else {}), **({"licences": licences} if licences else {})}
