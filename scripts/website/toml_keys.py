"""The keys of all TOML files that Similitude reads, from the models that read them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import build_docs

SHARED = {"layout": "The kind of the table, as above.", "ask": '"score" or "choice", which the layout decides.'}
"""Keys whose meaning is the same everywhere."""


def toml_page() -> str:
    """All keys of studies, annotation studies, searches for candidates, reading recipes and suites."""
    parts = [
        "# Keys of TOML files",
        "*This page is written from the models that read the files, when the site is built.*",
        "A key that a file does not know is refused with its line and the known ones. Paths are relative to the file.",
        "## Studies: the tables of a paper",
        "What they are for: [studies](../studies.md).",
        *_study(),
        "## Annotation studies",
        "What they are for: [the study file](../study-file.md).",
        build_docs.study_keys().replace("### ", "#### "),
        "## Searches for candidates",
        "What they are for: [candidates](../candidates.md).",
        *_candidates(),
        "## Reading recipes",
        "What they are for: [recipes](../recipes.md).",
        build_docs.recipe_keys(),
        "## Suites of benchmarks",
        "What they are for: [suites](../suites.md).",
        build_docs.suite_keys(),
    ]
    return "\n\n".join(parts) + "\n"


def _study() -> Iterator[str]:
    from similitude.study.study_plan import LAYOUTS, StudyPlan

    yield keys_table(StudyPlan)
    for layout, model in LAYOUTS.items():
        yield f'### `[[tables]]` with `layout = "{layout}"`'
        yield _first_sentence(model)
        yield keys_table(model)


def _candidates() -> Iterator[str]:
    from similitude.study.candidates.plan import CandidatesPlan

    yield keys_table(CandidatesPlan)
    for name, field in CandidatesPlan.model_fields.items():
        part = build_docs._model_in(field.annotation)
        if part is not None:
            yield f"### `[{name}]`"
            yield _first_sentence(part)
            yield keys_table(part)


def keys_table(model: Any) -> str:
    """The keys of a model: what each holds, its default and its meaning.

    Raises:
        SystemExit: a key is not described.
    """
    return build_docs.table("key", "what it holds", "default", "meaning", rows=_rows(model))


def _rows(model: Any) -> Iterator[tuple[str, ...]]:
    meanings, schema = described_keys(model), model.model_json_schema(by_alias=True)
    for attribute, field in model.model_fields.items():
        name = field.alias or attribute
        if name not in meanings:
            raise SystemExit(f"{model.__name__} does not say in its docstring what '{name}' means")
        kind = build_docs._kind(schema["properties"][name], schema)
        value = None if field.is_required() else field.get_default(call_default_factory=True)
        default = "needed" if field.is_required() else _default(value)
        yield f"`{name}`", kind, default, meanings[name]


def _default(value: Any) -> str:
    from pydantic import BaseModel

    return "-" if isinstance(value, BaseModel) else build_docs._default(value)


def described_keys(model: Any) -> dict[str, str]:
    """What a model and the models that it is made of say of their keys."""
    found = dict(SHARED)
    for part in reversed(model.__mro__):
        if part.__doc__ and hasattr(part, "model_fields"):
            found |= _attributes(inspect.cleandoc(part.__doc__))
    return found


def _attributes(text: str) -> dict[str, str]:
    """The entries of the section Attributes."""
    section = re.split(r"\n\s*\n", text.partition("Attributes:\n")[2])[0]
    entries = re.findall(r"^    (\w+): ((?:.*(?:\n      +)?)*)", section, flags=re.MULTILINE)
    return {name: " ".join(meaning.split()).replace("``", "`") for name, meaning in entries}


def _first_sentence(model: Any) -> str:
    return (inspect.getdoc(model) or "").partition("\n\n")[0].replace("\n", " ").replace("``", "`")
