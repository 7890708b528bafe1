"""Generate the parts of docs/ that list measures, systems, formats, checks, commands and public names.

The tables of listings ship with the package (``similitude/cli/catalogue``), so that ``similitude measures`` need not
import what it lists. Run ``make docs``. A test fails if the files differ from what this script generates.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
SECTION = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def table(*heads: str, rows: Iterator[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(cell, row))} |" for row in rows)]) + "\n"


def end(value: float) -> str:
    return f"{value:g}" if math.isfinite(value) else ("∞" if value > 0 else "-∞")


def measures() -> str:
    from similitude.evaluate.measures import catalogue

    rows = (
        (
            f"`{m}`",
            f"{end(m.low)}..{end(m.high)}",
            "higher" if m.higher_is_better else "lower",
            ", ".join(sorted(m.requires)) or "-",
            m.meaning,
            m.on_ties,
            m.undefined,
        )
        for m in catalogue()
    )
    return table("measure", "range", "better", "needs", "meaning", "ties", "undefined where", rows=rows)


def systems() -> str:
    from similitude.systems import SYSTEMS

    def summary(maker: Any) -> str:
        return getattr(maker, "summary", None) or inspect.getdoc(maker).partition("\n")[0]

    rows = (
        (
            f"`{name}`",
            f"`{SYSTEMS.parameters(name)}`" if SYSTEMS.parameters(name) else "-",
            summary(SYSTEMS.maker(name)),
        )
        for name in SYSTEMS
    )
    return table("system", "arguments", "what it does", rows=rows)


def formats() -> str:
    from similitude.data.reading import describe_formats

    return table(
        "format", "recognised by", "what it is", rows=((f"`{n}`", how, what) for n, how, what in describe_formats())
    )


def recipes() -> str:
    from similitude.data.reading.recipes import shipped_recipes
    from similitude.data.reading.recipes.recipe_format import recognition_in_words

    rows = (
        (f"`{each.name}`", each.listed_summary, each.scale or "-", recognition_in_words(each.recognised))
        for each in shipped_recipes()
    )
    return table("recipe", "layout", "scale", "recognised by", rows=rows)


def recipe_keys() -> str:
    from similitude.data.reading.recipes import documented_keys

    return table("key", "meaning", rows=((f"`{key}`", what) for key, what in documented_keys()))


def checks() -> str:
    from similitude.inspect.checks import CHECKS

    rows = ((f"`{name}`", inspect.getdoc(CHECKS.maker(name)).partition("\n")[0]) for name in CHECKS)
    return table("check", "what it looks for", rows=rows)


def commands() -> str:
    from similitude.cli.app import COMMANDS

    return "\n".join(text for name in COMMANDS for text in describe_command(name))


class HelpEntries:
    """A formatter that collects the entries of a help page instead of printing them."""

    def __init__(self) -> None:
        self.entries: list[Any] = []

    def __call__(self, console: Any, options: Any, panel: Any) -> None:
        """Collect one group."""
        self.entries += panel.entries

    def render_usage(self, console: Any, options: Any, usage: Any) -> None:
        """Print nothing."""

    def render_description(self, console: Any, options: Any, description: Any) -> None:
        """Print nothing."""


@cache
def command_page(name: str) -> tuple[str, list[Any]]:
    """The description of a command and the entries of its help."""
    from similitude.cli.app import make_app

    app, page = make_app(), HelpEntries()
    app.help_formatter = page
    app.help_print(name.split())
    for word in name.split():
        app = app[word]
    return inspect.cleandoc(app.help), page.entries


def describe_command(name: str) -> Iterator[str]:
    from similitude.cli.help import described, label

    does, entries = command_page(name)
    *words, example = does.split("\n\n")
    yield "\n\n".join([f"### `similitude {name}`", *words, f"```sh\n{' '.join(example.split()[1:])}\n```\n"])
    yield table("", "", rows=((f"`{label(entry)}`", described(entry)) for entry in entries))


TAKES = {
    "SYSTEM": "systems",
    "MEASURE": "measures",
    "FORMAT": "formats",
    "RECIPE": "recipes",
    "SUITE": "suites",
    "TASK": "tasks",
    "CHECK": "checks",
    "DATA": "data",
    "GOLD": "data",
    "DIR": "folder",
    "RUN": "folder",
}
"""Metavars to the kind of value that completion offers."""
PATHS = re.compile("FILE|DIR|MODEL|STUDY|PREDICTIONS|PLAN|[.](html|toml)$")
"""Metavars of paths."""


def takes(entry: Any) -> str | list[str] | None:
    """What completion offers as a value: choices, a kind of names, paths, or nothing; None for a flag."""
    if entry.choices:
        return list(entry.choices)
    if not entry.metavar:
        return None
    word = entry.metavar.removesuffix("...").removesuffix(",")
    if word == "STR" and entry.positive_names:
        word = entry.positive_names[0].rpartition("-")[2].lstrip("-").upper()
    return TAKES.get(word, "file" if PATHS.search(word) else "text")


def command_records() -> dict[str, Any]:
    from similitude.cli.app import COMMANDS

    records = {}
    for name in COMMANDS:
        does, entries = command_page(name)
        options = [entry for entry in entries if not entry.positional_label]
        records[name] = {
            "does": does,
            "arguments": [takes(entry) for entry in entries if entry.positional_label],
            "options": [
                {"names": [*entry.positive_names, *entry.positive_shorts, *entry.negative_names], "takes": takes(entry)}
                for entry in options
            ],
        }
    return records


def public_data() -> str:
    from similitude.data.public import read_catalogue

    rows = (
        (f"`{each.name}`", each.holds, each.licence, each.home, "yes" if each.file else "by hand")
        for each in read_catalogue()
    )
    return table("name", "holds", "licence", "home", "fetched", rows=rows)


def suites() -> str:
    from similitude.study.suite import shipped_suites

    rows = (
        (f"`suite:{plan.name}`", plan.language or "-", each.name, each.description or "-", each.homepage or "-")
        for plan in shipped_suites().values()
        for each in plan.benchmarks
    )
    return table("suite", "language", "benchmark", "what it is", "published at", rows=rows)


def suite_keys() -> str:
    from similitude.study.suite.plan import documented_suite_keys

    return table("key", "meaning", rows=((f"`{key}`", meaning) for key, meaning in documented_suite_keys()))


def public(namespace: str = "") -> str:
    from public_names import public_names

    return "\n".join(f"{described_name(each)}\n" for each in public_names(namespace))


def described_name(each: Any) -> str:
    from public_names import example_text

    call = "()" if each.is_function else ""
    text = f"### `{each.path}{call}`\n\n{each.summary}\n"
    example = example_text(each)
    return f"{text}\n```python\n{example}\n\n```\n" if example else text


def extension_points() -> str:
    from public_names import public_names

    rows = ((f"`{each.path}`", each.summary or EXTENSION_VALUES[each.name]) for each in public_names("extend"))
    return table("name", "what it is", rows=rows)


EXTENSION_VALUES = {
    "GENERAL": "The priority of formats that fit files of many kinds.",
    "Need": 'What a measure may need: "scale", "distribution" and so on.',
}
"""Names whose values have no docstring of their own."""


def features() -> str:
    from similitude.collect.candidates.features.catalogue import catalogue

    rows = ((f"`{one}`", one.meaning, _range(one.low, one.high), one.undefined) for one in catalogue())
    return table("feature", "meaning", "range", "undefined where", rows=rows)


def _range(low: float, high: float) -> str:
    return "a name" if low == -math.inf else f"{end(low)}..{end(high)}"


def study_keys() -> str:
    """Every key of a study's TOML file: from the models that read it, and their docstrings."""
    from similitude.collect.annotation.plan.models import StudyPlan

    return "\n".join(_keys_of(StudyPlan, ""))


def _keys_of(model: Any, path: str) -> Iterator[str]:
    from pydantic import BaseModel

    fields = list(_documented_fields(model))
    plain = [each for each in fields if each[2] is None]
    if path:
        first = re.sub(r"``", "`", inspect.getdoc(model).partition("\n\n")[0].replace("\n", " "))
        yield f"### `{path}`\n\n{first}\n"
    rows = ((f"`{name}`", kind, default, meaning) for name, meaning, _, kind, default in plain)
    if plain:
        yield table("key", "what it holds", "default", "meaning", rows=rows)
    for name, _, inner, kind, _ in fields:
        if inner is not None and issubclass(inner, BaseModel):
            inside = f"{path.strip('[]')}.{name}".strip(".")
            yield from _keys_of(inner, f"[[{inside}]]" if kind == "tables" else f"[{inside}]")


def _documented_fields(model: Any) -> Iterator[tuple[str, str, Any, str, str]]:
    """Each key of a model: its name, its meaning, its own model, what it holds and its default."""
    meanings = _attributes(model)
    schema = model.model_json_schema(by_alias=True)
    for attribute, field in model.model_fields.items():
        name = field.alias or attribute
        if name not in meanings:
            raise SystemExit(f"{model.__name__} does not say in its docstring what '{name}' means")
        inner = _model_in(field.annotation)
        kind = "tables" if "tuple" in str(field.annotation) and inner else _kind(schema["properties"][name], schema)
        default = "needed" if field.is_required() else _default(field.get_default(call_default_factory=True))
        yield name, meanings[name], inner, kind, default


def _attributes(model: Any) -> dict[str, str]:
    """The entries of the section Attributes in a docstring."""
    _, _, section = inspect.getdoc(model).partition("Attributes:\n")
    found: dict[str, str] = {}
    for line in section.splitlines():
        entry = re.match(r"    (\w+): (.*)", line)
        if entry and entry[1] in {field.alias or name for name, field in model.model_fields.items()}:
            name = entry[1]
            found[name] = entry[2]
        elif line.strip() and found:
            found[name] += f" {line.strip()}"
    return {name: text.replace("``", "`") for name, text in found.items()}


def _model_in(annotation: Any) -> Any:
    from typing import get_args

    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inside = [_model_in(each) for each in get_args(annotation)]
    return next((each for each in inside if each is not None), None)


def _kind(part: dict[str, Any], schema: dict[str, Any]) -> str:
    """What a key holds, in words."""
    if "$ref" in part:
        return _kind(schema["$defs"][part["$ref"].rpartition("/")[2]], schema)
    if "anyOf" in part:
        kinds = [_kind(each, schema) for each in part["anyOf"] if each.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in part or "const" in part:
        return ", ".join(f"`{json.dumps(each)}`" for each in part.get("enum", [part.get("const")]))
    bounds = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    limits = [f"{sign} {part[name]:g}" for name, sign in bounds.items() if name in part]
    names = {"integer": "whole number", "number": "number", "boolean": "true or false", "string": "text"}
    names |= {"array": "list", "object": "table"}
    return " ".join([names.get(part.get("type", ""), "anything"), *limits])


def _default(value: Any) -> str:
    if value is None or value in ("", (), {}, []):
        return "-"
    if isinstance(value, tuple):
        return f"`{json.dumps(list(value))}`"
    return f"`{json.dumps(value) if isinstance(value, str | bool | int | float) else value}`"


GENERATED: dict[str, Callable[[], str]] = {
    "study-keys": study_keys,
    "public": public,
    **{f"public-{name}": partial(public, name) for name in ("train", "agreement", "words", "testing", "errors")},
    "extension-points": extension_points,
    "measures": measures,
    "systems": systems,
    "formats": formats,
    "recipes": recipes,
    "recipe-keys": recipe_keys,
    "public-data": public_data,
    "suites": suites,
    "suite-keys": suite_keys,
    "checks": checks,
    "features": features,
    "commands": commands,
}


def rebuilt(text: str) -> str:
    """The text with every generated section replaced."""
    return SECTION.sub(lambda found: found[1] + "\n" + GENERATED[found[2]]() + "\n" + found[3], text)


def catalogue_texts() -> Iterator[tuple[Path, str]]:
    """The tables of listings as they should be."""
    from similitude.cli.catalogue.declared import COMMANDS, table_path
    from similitude.cli.catalogue.registered import REGISTERED

    for kind, records in REGISTERED.items():
        yield table_path(kind), json.dumps(records(), ensure_ascii=False, indent=1) + "\n"
    yield table_path(COMMANDS), json.dumps(command_records(), ensure_ascii=False, indent=1) + "\n"


def generated_texts() -> Iterator[tuple[Path, str]]:
    """Every file with generated parts, and its text as it should be."""
    yield from catalogue_texts()
    for path in sorted(DOCS.glob("*.md")):
        yield path, rebuilt(path.read_text(encoding="utf-8"))


def main() -> int:
    stale = []
    for path, text in generated_texts():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    print(f"{'stale' if '--check' in sys.argv else 'written'}: {', '.join(stale) or 'nothing'}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
