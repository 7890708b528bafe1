"""What each step of a search for candidates kept, dropped and why: all that the page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["BorderExample", "Distribution", "Step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BorderExample:
    """A text or a pair that a step kept or dropped by a narrow margin.

    Attributes:
        left: the text, or the first of a pair.
        right: the second text of a pair.
        value: what the step compared with its border.
        is_kept: on which side of the border it lies.
        border: which border, as a user would write it, if the step has several: "cosine >= 0.1".
    """

    left: str
    right: str | None = None
    value: float | str
    is_kept: bool
    border: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """How many values of something fell between the same edges before and after a step.

    Attributes:
        name: of what was counted, such as "cosine" or "characters".
        edges: one more than counts, ascending; for names instead of numbers, the names, as many as counts.
    """

    name: str
    edges: tuple[float, ...] | tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step.

    Attributes:
        name: as a user would write it: "read", "clean", "duplicates", "pairs", "iou <= 0.12", "select".
        of: what is counted.
        before: how many there were.
        after: how many were kept; for "pairs" how many were made.
        losses: how many were dropped, by reason.
        facts: what else is known, such as recall, or the number of clusters; ready for JSON.
        examples: on both sides of the border, if the step has one.
        distributions: before and after.
        notes: sentences for the user.
    """

    name: str
    of: Literal["texts", "pairs", "items"]
    before: int
    after: int
    seconds: float = 0.0
    losses: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)
    examples: tuple[BorderExample, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Ready for JSON; `from_record` reads it back."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Step:
        """A step from its record, after JSON has turned tuples into lists."""
        parts = dict(record)
        parts["examples"] = tuple(BorderExample(**each) for each in record["examples"])
        parts["distributions"] = tuple(
            Distribution(
                name=each["name"],
                edges=tuple(each["edges"]),
                before=tuple(each["before"]),
                after=tuple(each["after"]),
            )
            for each in record["distributions"]
        )
        return cls(**{**parts, "notes": tuple(record["notes"])})
