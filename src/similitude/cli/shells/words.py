"""What can be completed where: the words of every command, option and value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from similitude.cli.catalogue.declared import Record, command_table
from similitude.cli.catalogue.listed_names import listed

__all__ = ["CompletionWords", "completion_words"]

EVERYWHERE: Final = ("--help", "--help-all", "--no-color")
FLAG: Final = "flag"
"""The kind of an option that takes no value."""
PATHS: Final = ("file", "folder", "text", FLAG)
"""Kinds without words of their own: paths, or nothing at all."""

Words = dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionWords:
    """What the functions of a completion script look up.

    Attributes:
        commands: the words that follow ``similitude`` (the empty key) or one of its groups.
        options: the options of a command.
        takes: the kind of value after an option, by ``command option``, or by the option where most commands agree.
        arguments: the kinds of a command's arguments, in order.
        values: the words of a kind.
    """

    commands: Words
    options: Words
    takes: Words
    arguments: Words
    values: Words


def completion_words() -> CompletionWords:
    """The words of all commands, and of what other packages add."""
    table, kinds = command_table(), _Kinds()
    takes = {
        (name, word): kinds.name_of(name, option["takes"])
        for name, record in table.items()
        for option in record["options"]
        for word in option["names"]
    }
    return CompletionWords(
        commands=_commands(table),
        options={name: [*_option_names(record), *EVERYWHERE] for name, record in table.items()},
        takes=_by_option(takes),
        arguments={
            name: [kinds.name_of(name, kind) for kind in record["arguments"]]
            for name, record in table.items()
            if record["arguments"]
        },
        values=_values() | kinds.choices,
    )


class _Kinds:
    """Names for kinds of values; equal lists of choices share a name."""

    def __init__(self) -> None:
        self.choices: Words = {}

    def name_of(self, command: str, kind: str | list[str] | None) -> str:
        if kind is None:
            return FLAG
        if isinstance(kind, str):
            return "task-data" if (command, kind) == ("task", "data") else kind
        known = (name for name, words in self.choices.items() if words == kind)
        name = next(known, f"choice-{len(self.choices) + 1}")
        self.choices[name] = kind
        return name


def _commands(table: Iterable[str]) -> Words:
    found: Words = {"": []}
    for name in table:
        group, _, own = name.rpartition(" ")
        if group and group not in found[""]:
            found[""].append(group)
        found.setdefault(group, []).append(own)
    found[""] += [*EVERYWHERE, "--version"]
    return found


def _option_names(record: Record) -> list[str]:
    return [word for option in record["options"] for word in option["names"]]


def _by_option(takes: Mapping[tuple[str, str], str]) -> Words:
    """One entry for each option with the kind that most commands give it, and one for each that differs."""
    options = dict.fromkeys(option for _, option in takes)
    usual = {
        option: Counter(kind for (_, each), kind in takes.items() if each == option).most_common(1)[0][0]
        for option in options
    }
    differing = {f"{name} {option}": [kind] for (name, option), kind in takes.items() if kind != usual[option]}
    return differing | {option: [kind] for option, kind in usual.items() if kind != FLAG}


def _values() -> Words:
    samples = listed("samples").records
    suites = [f"suite:{each['name']}" for each in listed("suites").records]
    names = {kind: _names(listed(kind).records) for kind in ("systems", "measures", "recipes", "tasks", "checks")}
    return names | {
        "formats": [*_names(listed("formats").records), *names["recipes"]],
        "suites": _names(listed("suites").records),
        "data": [*(f"sample:{each['name']}" for each in samples if each["kind"] == "benchmark"), *suites],
        "task-data": [f"sample:{each['name']}" for each in samples if each["kind"] == "task"],
    }


def _names(records: Iterable[Record]) -> list[str]:
    """The names without arguments, each once."""
    return list(dict.fromkeys(each["name"].partition("(")[0] for each in records))
