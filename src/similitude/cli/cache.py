"""``similitude cache show|clear``: what is kept from run to run, and how to be rid of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from similitude.cli import options
from similitude.cli.console import print_json, results
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.study.cache import KeptModel, VectorStore

__all__ = ["app"]

app = typer.Typer(help="Look at what is kept from run to run, and clear it.", no_args_is_help=True)


@app.command("show")
def show(json: options.Json = False) -> None:
    """Show where vectors are kept, of which models, and how much room they take.

    SIMILITUDE_CACHE names another folder, or is 'off'; SIMILITUDE_CACHE_LIMIT sets the size, as in 20GB.
    """
    store = _store()
    kept = [] if store is None else store.models()
    if json:
        print_json(_record(store, kept))
        return
    if store is None:
        results.print("The cache is off.")
        return
    results.print(
        f"{store.path}: {_counted(_entries(kept))}, {_size(store.size)} of {_size(store.limit)}", markup=False
    )
    if kept:
        results.print(_table(kept))


@app.command("clear")
def clear(
    model: Annotated[
        str | None, typer.Option("--model", help="Only of models with this in their name, or with this fingerprint.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete what is kept, of all models or of some. Nothing is lost but time."""
    store = _store()
    kept = [] if store is None else store.models()
    chosen = [line for line in kept if model is None or model in line.name or line.fingerprint.startswith(model)]
    if model is not None and not chosen:
        known = ", ".join(sorted({line.name for line in kept})) or "none"
        raise ArgumentError(f"nothing is kept of a model '{model}'", remedy=f"models there: {known}")
    if not yes:
        typer.confirm(f"Delete {_counted(_entries(chosen))}?", abort=True)
    gone = 0 if store is None else store.clear(None if model is None else [line.fingerprint for line in chosen])
    results.print(f"deleted {_counted(gone)}")


def _store() -> VectorStore | None:
    from similitude.cli.console import errors
    from similitude.study.cache import usual_cache

    return usual_cache(lambda text: errors.print(f"note: {text}", style="dim", markup=False, highlight=False))


def _record(store: VectorStore | None, kept: list[KeptModel]) -> dict[str, object]:
    return {
        "path": None if store is None else str(store.path),
        "entries": _entries(kept),
        "bytes": 0 if store is None else store.size,
        "limit": 0 if store is None else store.limit,
        "models": [line._asdict() | {"used": _when(line.used)} for line in kept],
    }


def _table(kept: list[KeptModel]) -> object:
    from rich.table import Table

    table = Table("model", "fingerprint")
    for column in ("entries", "size", "last used"):
        table.add_column(column, justify="right")
    for line in kept:
        table.add_row(line.name, line.fingerprint[:12], f"{line.entries:,}", _size(line.size), _when(line.used)[:10])
    return table


def _entries(kept: list[KeptModel]) -> int:
    return sum(line.entries for line in kept)


def _counted(entries: int) -> str:
    return f"{entries:,} {'entry' if entries == 1 else 'entries'}"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
