"""What a model's record keeps of its data beside name and size: languages, licences, and a sketch of the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.inspect.pair_sketch import pair_sketch

__all__ = ["stated_facts"]


def stated_facts(data: Sequence[Benchmark], held_out: Sequence[Benchmark]) -> dict[str, Any]:
    """Languages and licences that the data states, if it does, and a sketch of all pairs; ready for JSON.

    Args:
        data: to learn from.
        held_out: to validate on.
    """
    columns = (part.frame["language"].drop_nulls().unique(maintain_order=True).to_list() for part in data)
    languages = list(dict.fromkeys(code for codes in columns for code in codes))
    licences = list(dict.fromkeys(part.licence for part in data if part.licence))
    return {
        **({"languages": languages} if languages else {}),
        **({"licences": licences} if licences else {}),
        "pair_sketch": pair_sketch([*data, *held_out]),
    }
