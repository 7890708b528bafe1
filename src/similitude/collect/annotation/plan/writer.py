"""The writer of studies: a plan as the TOML text that `read_study` reads, in a stable order, with comments."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from similitude.collect.annotation.plan.comments import Comments, KeyPath, comments_in
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError

__all__ = ["EXPLAINED", "toml_of", "write_plan"]

EXPLAINED: Mapping[KeyPath, str] = {
    ("items",): "anything Similitude reads",
    ("questions",): "from `similitude design`",
    ("judgements",): "answers per question",
    ("languages",): "the browser chooses; the first is the default",
    ("batch", "questions"): "per batch, gold and repeats included",
    ("batch", "minutes"): "then unanswered questions go to others",
    ("second_round", "spread"): "questions with a wider spread of answers",
    ("second_round", "judgements"): "go to so many more people",
    ("gold", "stop_below"): "annotators below this are told and stopped",
    ("gold", "after"): "so many gold questions",
    ("access", "open"): "anyone with the address /open may take part",
}
"""Comments beside keys, where the file that is replaced has none."""

ALWAYS = ("name", "task", "items", "judgements", "languages")
"""Keys of the plan that are written even if they have their default."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def write_plan(plan: StudyPlan, path: Path) -> None:
    """Write a plan as TOML, whole or not at all; comments of the file that it replaces are kept.

    Raises:
        ArgumentError: the plan has no TOML form, or the file cannot be written.
    """
    old = comments_in(path.read_text(encoding="utf-8-sig")) if path.exists() else None
    text = toml_of(plan, comments=old)
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8", newline="\n"))


def toml_of(plan: StudyPlan, *, comments: Comments | None = None) -> str:
    """A plan as TOML. ``read`` of the text gives an equal plan.

    Args:
        plan: the plan, as a file has it: ``guidelines`` and ``consent`` hold names of files.
        comments: those of an earlier version of the file; each stays with its key. Keys that are gone lose theirs.

    Raises:
        ArgumentError: the plan has no TOML form, such as a second round without a spread and without items.

    >>> print(toml_of(StudyPlan(name="colours", task="verification", items="c.csv")))
    name = "colours"
    task = "verification"
    items = "c.csv"  # anything Similitude reads
    judgements = 5  # answers per question
    languages = ["en"]  # the browser chooses; the first is the default
    <BLANKLINE>
    """
    kept = comments or Comments()
    lines = [*kept.top, *_table(_root(plan), (), kept), *kept.end]
    text = "\n".join(lines).strip("\n") + "\n"
    _check_equal(plan, text)
    return text


def _check_equal(plan: StudyPlan, text: str) -> None:
    try:
        again = StudyPlan.model_validate(tomllib.loads(text))
    except (ValidationError, tomllib.TOMLDecodeError) as error:
        raise ArgumentError(f"the plan has no TOML form: {error}", remedy="correct the plan") from None
    if again != plan:
        differs = [name for name in StudyPlan.model_fields if getattr(again, name) != getattr(plan, name)]
        raise ArgumentError(f"{', '.join(differs)} has no TOML form", remedy="a value that is None cannot be written")


def _root(plan: StudyPlan) -> dict[str, Any]:
    return {
        name: value
        for name, value in _values(plan).items()
        if _is_always_written(plan, name) or not _is_default(value, StudyPlan.model_fields[name])
    }


def _is_always_written(plan: StudyPlan, name: str) -> bool:
    by_design = name == "judgements" and plan.questions is not None  # a design says how many, unless the file does
    return name in ALWAYS and (not by_design or name in plan.model_fields_set)


def _is_default(value: Any, field: FieldInfo) -> bool:
    return bool(value == field.get_default(call_default_factory=True))


def _values(model: BaseModel) -> dict[str, Any]:
    """The keys of a model that hold something; parts that are models stay so."""
    fields = type(model).model_fields
    held = {name: getattr(model, name) for name, field in fields.items() if not _is_absent(getattr(model, name), field)}
    return {fields[name].alias or name: value for name, value in held.items()}


def _is_absent(value: Any, field: FieldInfo) -> bool:
    return value is None or (value in ({}, ()) and _is_default(value, field))


def _table(values: Mapping[str, Any], path: KeyPath, comments: Comments) -> Iterator[str]:
    """The lines of a table: its own keys, then the tables inside it."""
    for key, value in values.items():
        if not _is_table(value, path):
            yield from _with_comments(f"{_key(key)} = {_text(value)}", (*path, key), comments)
    for key, value in values.items():
        if not _is_table(value, path):
            continue
        for number, part in enumerate(value if isinstance(value, Sequence) else [value]):
            at: KeyPath = (*path, key, number) if isinstance(value, Sequence) else (*path, key)
            yield from _section(part, at, comments, repeated=isinstance(value, Sequence))


def _section(part: Any, path: KeyPath, comments: Comments, *, repeated: bool) -> Iterator[str]:
    values = _values(part) if isinstance(part, BaseModel) else part
    name = ".".join(_key(each) for each in path if isinstance(each, str))
    own = [value for value in values.values() if not _is_table(value, path)]
    if own or repeated or not values:  # a table that only holds tables needs no header of its own
        yield ""
        yield from _with_comments(f"[[{name}]]" if repeated else f"[{name}]", path, comments)
    yield from _table(values, path, comments)


def _with_comments(line: str, path: KeyPath, comments: Comments) -> Iterator[str]:
    yield from comments.above.get(path, ())
    beside = comments.beside.get(path) or (f"# {EXPLAINED[path]}" if path in EXPLAINED else "")
    yield f"{line}  {beside}" if beside and "\n" not in line else line


def _is_table(value: Any, path: KeyPath) -> bool:
    """Whether a value inside the table at this path has a header of its own; small tables stand in one line."""
    if isinstance(value, BaseModel):
        return True
    if isinstance(value, Mapping):
        return not path or len(value) > 3 or not all(map(_is_plain, value.values()))
    return isinstance(value, tuple | list) and bool(value) and isinstance(value[0], BaseModel)


def _is_plain(value: Any) -> bool:
    return isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) < 30)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(key))} = {_value(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_value, value))}]"
    raise ArgumentError(f"{value!r} has no TOML form", remedy="use texts, numbers, true, false, lists and tables")


def _text(value: Any) -> str:
    """A value after its key; a text of several lines is written over several lines."""
    if not isinstance(value, str) or "\n" not in value or "\r" in value:
        return _value(value)
    inside = "".join(letter if letter == "\n" else _escaped(letter) for letter in value)
    return f'"""\n{inside}"""'


def _quoted(value: str) -> str:
    return f'"{"".join(map(_escaped, value))}"'


def _escaped(letter: str) -> str:
    is_control = ord(letter) < 32 or ord(letter) == 127
    return _ESCAPES.get(letter, f"\\u{ord(letter):04X}" if is_control else letter)
