"""``similitude systems``: list the systems."""

from __future__ import annotations

from similitude.cli import options
from similitude.cli.catalogue.listed_names import listed
from similitude.cli.console import print_json, print_notes, results

__all__ = ["systems"]


def systems(*, json: options.Json = False) -> None:
    """List the systems with their arguments.

    Example: similitude systems --json
    """
    from similitude.report.listings import systems_table

    found = listed("systems")
    print_notes(found.broken)
    if json:
        print_json(found.records)
        return
    results.print(systems_table(found.records))
    default = next(each["name"] for each in found.records if each["default"])
    results.print(
        f"Default where none is named: {default}. Arguments in brackets: char-ngram-cosine(n=3).", style="dim"
    )
