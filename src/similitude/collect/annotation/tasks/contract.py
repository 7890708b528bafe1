"""What an annotation task lacks: checked when it is registered, so that no study fails half-way."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["lacks_of_task"]

ATTRIBUTES = {
    "name": "as it is registered",
    "fields": "the names of the form's fields",
    "choice_fields": "those fields that hold the id of an option",
    "several_items": "whether a question is about several items",
    "checkable": "whether code can tell right from wrong",
    "scale": "of its ratings, or None",
    "designs": "the tasks whose designs it can ask",
    "judgement_kind": "of its rows, or None",
    "template": "NAME.html beside its module, or a class attribute",
    "texts": "NAME.toml beside its module, or a class attribute",
}
METHODS = (
    "for_study", "questions", "faults", "shown", "read", "form", "in_words", "is_right", "spread", "row", "answer_of",
)  # fmt: skip


def lacks_of_task(name: str, maker: Callable[..., Any]) -> Iterator[str]:
    """What a maker of annotation tasks must give and does not, in words.

    >>> next(lacks_of_task("tick", lambda: object()))
    'has no name: as it is registered'
    """
    needed = [each for each in inspect.signature(maker).parameters.values() if each.default is each.empty]
    if any(each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in needed):
        yield f"cannot be made without arguments: give {', '.join(each.name for each in needed)} a default"
        return
    made = maker()
    yield from (f"has no {part}: {meaning}" for part, meaning in ATTRIBUTES.items() if not _has(made, part))
    yield from (f"has no method {method}" for method in METHODS if not callable(getattr(made, method, None)))
    if _has(made, "name") and made.name != name:
        yield f"calls itself '{made.name}': set name = '{name}'"
    if _has(made, "fields") and not made.fields:
        yield "has no field to fill in"


def _has(made: object, part: str) -> bool:
    try:
        getattr(made, part)
    except (AttributeError, OSError):
        return False
    return True
