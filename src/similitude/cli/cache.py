"""``similitude cache show|clear``: show the cache of vectors and answers, and clear it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.questions import answer_to, refuse_silence
from similitude.errors import ArgumentError
from similitude.report.listings import counted_table

if TYPE_CHECKING:
    from similitude.models.cache import AnswerStore, KeptAnswers, KeptModel, VectorStore
    from similitude.report.fitted_table import FittedTable

__all__ = ["clear", "show"]


def show(*, json: options.Json = False) -> None:
    """Show where vectors and language models' answers are kept, for which models, and how much space they take.

    SIMILITUDE_CACHE names another folder, or is 'off'; SIMILITUDE_CACHE_LIMIT sets the size, as in 20GB.

    Example: similitude cache show
    """
    store, answers = _stores()
    kept = [] if store is None else store.models()
    answered = [] if answers is None else answers.models()
    if json:
        print_json(_record(store, kept) | {"answers": _answers_record(answers, answered)})
        return
    if store is None or answers is None:
        results.print("The cache is off.")
        return
    results.print(
        f"{store.path}: {_counted(_entries(kept))}, {_size(store.size)} of {_size(store.limit)}",
        markup=False,
        soft_wrap=True,
    )
    if kept:
        results.print(_table(kept))
    told = f"{answers.path}: {_counted(_entries(answered), 'answer')}, {_size(answers.size)}"
    results.print(told, markup=False, soft_wrap=True)
    if answered:
        results.print(_answers_table(answered))


def clear(
    *,
    model: Annotated[
        str | None, Parameter(metavar="NAME", help="Only models with this in their name, or with this fingerprint.")
    ] = None,
    answers: Annotated[bool, Parameter(help="Delete language models' answers instead of vectors.")] = False,
    yes: Annotated[bool, Parameter(name=["--yes", "-y"], help="Do not ask.")] = False,
) -> int:
    """Delete kept vectors of all models or of some. Only time is lost.

    Answers of language models, which may have cost money, are deleted with --answers only.

    Example: similitude cache clear --model all-MiniLM --yes
    """
    store, answer_store = _stores()
    if answers:
        return _clear_answers(answer_store, model, yes)
    kept = [] if store is None else store.models()
    chosen = [line for line in kept if model is None or model in line.name or line.fingerprint.startswith(model)]
    _refuse_nothing(model, chosen, kept)
    if not (yes or _confirmed(f"Delete {_counted(_entries(chosen))}?")):
        return 1
    gone = 0 if store is None else store.clear(None if model is None else [line.fingerprint for line in chosen])
    results.print(f"deleted {_counted(gone)}")
    return 0


def _clear_answers(store: AnswerStore | None, model: str | None, yes: bool) -> int:
    kept = [] if store is None else store.models()
    chosen = [line for line in kept if model is None or model in line.name]
    _refuse_nothing(model, chosen, kept)
    counted = _counted(_entries(chosen), "answer")
    if not (yes or _confirmed(f"Delete {counted}? To get them back, the models must be asked again.")):
        return 1
    gone = 0 if store is None else store.clear(None if model is None else [line.name for line in chosen])
    results.print(f"deleted {_counted(gone, 'answer')}")
    return 0


def _confirmed(question: str) -> bool:
    """Ask the user; only an explicit yes counts.

    Raises:
        ArgumentError: nobody is there to ask.
    """
    refuse_silence(f"nothing was deleted, as nobody can be asked: {question}", "add --yes")
    return answer_to(f"{question} [y/N]: ").lower() in ("y", "yes")


def _refuse_nothing(
    model: str | None, chosen: Sequence[KeptModel | KeptAnswers], kept: Sequence[KeptModel | KeptAnswers]
) -> None:
    if model is not None and not chosen:
        known = ", ".join(sorted({line.name for line in kept})) or "none"
        raise ArgumentError(f"nothing is kept of a model '{model}'", remedy=f"models there: {known}")


def _stores() -> tuple[VectorStore | None, AnswerStore | None]:
    from similitude.models.cache import usual_answers, usual_cache

    return usual_cache(lambda text: print_notes([text])), usual_answers(lambda text: print_notes([text]))


def _record(store: VectorStore | None, kept: list[KeptModel]) -> dict[str, object]:
    return {
        "path": None if store is None else str(store.path),
        "entries": _entries(kept),
        "bytes": 0 if store is None else store.size,
        "limit": 0 if store is None else store.limit,
        "models": [line._asdict() | {"used": _when(line.used)} for line in kept],
    }


def _answers_record(store: AnswerStore | None, kept: list[KeptAnswers]) -> dict[str, object]:
    return {
        "path": None if store is None else str(store.path),
        "entries": _entries(kept),
        "bytes": 0 if store is None else store.size,
        "models": [line._asdict() | {"kept": _when(line.kept)} for line in kept],
    }


def _table(kept: list[KeptModel]) -> FittedTable:
    rows = (
        (line.name, line.fingerprint[:12], f"{line.entries:,}", _size(line.size), _when(line.used)[:10])
        for line in kept
    )
    return counted_table(("model", "fingerprint", "entries", "size", "last used"), rows)


def _answers_table(kept: list[KeptAnswers]) -> FittedTable:
    rows = ((line.name or "(unnamed)", f"{line.entries:,}", _size(line.size), _when(line.kept)[:10]) for line in kept)
    return counted_table(("model", "answers", "size", "last kept"), rows)


def _entries(kept: Sequence[KeptModel | KeptAnswers]) -> int:
    return sum(line.entries for line in kept)


def _counted(count: int, what: str = "entry") -> str:
    plural = {"entry": "entries", "answer": "answers"}[what]
    return f"{count:,} {what if count == 1 else plural}"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
