"""``similitude systems``: list the systems."""

from __future__ import annotations

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results

__all__ = ["systems"]


def systems(*, json: options.Json = False) -> None:
    """List the systems with their arguments.

    Example: similitude systems --json
    """
    from similitude.report import systems_table
    from similitude.report.listings import Listed
    from similitude.systems import DEFAULT_SYSTEM, SYSTEMS

    known = SYSTEMS.listed()
    listed = [Listed(name, SYSTEMS.parameters(name), _summary(maker)) for name, maker in known.makers.items()]
    print_notes(map(str, known.broken))
    if json:
        print_json(
            [
                {"name": line.name, "arguments": line.how, "summary": line.what, "default": line.name == DEFAULT_SYSTEM}
                for line in listed
            ]
        )
        return
    results.print(systems_table(listed))
    results.print(
        f"Default where none is named: {DEFAULT_SYSTEM}. Arguments in brackets: char-ngram-cosine(n=3).", style="dim"
    )


def _summary(maker: object) -> str:
    summary = getattr(maker, "summary", None)
    return summary if isinstance(summary, str) else (maker.__doc__ or "").strip().partition("\n")[0]
