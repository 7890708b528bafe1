"""Tables of the answers of language models: how many of each kind, which rules read them, and every answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from similitude.data.item import Item
from similitude.data.prediction import MOST_REPLACED
from similitude.data.read_answer import AnswerKind, ReadAnswer
from similitude.errors import RunError
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn
from similitude.study.runs import Run

__all__ = [
    "KIND_NAMES",
    "AskedItem",
    "answer_overview",
    "answer_table",
    "asked_items",
    "rule_table",
    "systems_with_answers",
]

KIND_NAMES: dict[AnswerKind, str] = {
    "none": "none",
    "off_scale": "off scale",
    "prose": "prose",
    "skipped": "skipped",
    "valid": "valid",
}
"""The kinds, those first that deserve a look."""
MEANINGS: dict[AnswerKind, str] = {
    "none": "without a score: replaced or left out",
    "off_scale": "a number off the scale, which the rule of a paper keeps",
    "prose": "a score within words or among other numbers",
    "skipped": "not asked, since the prompt is too long",
    "valid": "a score and little else",
}
MOST_ROWS = 400
"""So many answers of one kind and system are on the page."""
LONGEST, LONGEST_TEXT = 400, 80
"""Answers and texts of items are cut after this many characters."""


class AskedItem(NamedTuple):
    """An answer with its item."""

    item: Item
    gold: float | None
    number: int
    answer: ReadAnswer


def systems_with_answers(run: Run) -> list[int]:
    """The systems of a run whose answers are kept.

    Raises:
        RunError: there are none.
    """
    rows = [row for row, predictions in enumerate(run.predictions) if predictions.answers is not None]
    if not rows:
        raise RunError(
            "keeps no answers of language models",
            where="" if run.folder is None else str(run.folder),
            remedy="evaluate prompted(...) or choice(..., by=answer); older runs: run the same command again",
        )
    return rows


def asked_items(run: Run, row: int) -> Iterator[AskedItem]:
    """Every answer of a system with its item, in the order of the items."""
    golds = run.benchmark.gold.scores.tolist()
    for item, gold, answers in zip(run.benchmark.items, golds, run.predictions[row].answers or (), strict=True):
        for number, answer in enumerate(answers, start=1):
            yield AskedItem(item, gold, number, answer)


def answer_overview(run: Run, rows: Sequence[int]) -> Table:
    """One row per system: how many answers of each kind."""
    notes = Notes()
    return Table(
        name="overview",
        caption="How the answers of each system were read.",
        columns=(
            TableColumn(head="system", is_number=False, is_header=True),
            TableColumn(head="answers"),
            *(TableColumn(head=name, meaning=MEANINGS[kind]) for kind, name in KIND_NAMES.items()),
            TableColumn(head="cut", meaning="cut at the maximum length"),
            TableColumn(head="replaced %", meaning="share of answers without a score"),
        ),
        rows=tuple(_overview_row(run, row, notes) for row in rows),
        notes=notes.all(),
    )


def rule_table(run: Run, row: int) -> Table:
    """One row per rule: how many answers it read, and an example."""
    found = list(asked_items(run, row))
    counts = Counter(one.answer.rule for one in found)
    examples = {one.answer.rule: one for one in reversed(found)}
    rows = [
        (
            TableCell(text=rule, is_code=True),
            TableCell(text=f"{count:,}", value=count),
            TableCell(text=_short(examples[rule].answer.text)),
            _score(examples[rule].answer),
        )
        for rule, count in counts.most_common()
    ]
    return Table(
        name=f"rules-{row}",
        caption="The rules that read the answers, each with the first answer that it read.",
        columns=(
            TableColumn(head="rule", is_number=False, is_header=True),
            TableColumn(head="answers"),
            TableColumn(head="example", is_number=False, is_text=True),
            TableColumn(head="read as"),
        ),
        rows=tuple(rows),
    )


def answer_table(row: int, kind: AnswerKind, found: Sequence[AskedItem]) -> Table:
    """The answers of one kind, as many as fit on a page."""
    shown = found[:MOST_ROWS]
    more = f"; the first {len(shown):,} are shown" if len(shown) < len(found) else ""
    return Table(
        name=f"answers-{row}-{kind}".replace("_", "-"),
        caption=f"{len(found):,} answers: {MEANINGS[kind]}{more}.",
        columns=(
            TableColumn(head="item", is_number=False, is_header=True),
            TableColumn(head="answer", is_number=False, is_text=True),
            TableColumn(head="rule", is_number=False),
            TableColumn(head="read as"),
            TableColumn(head="gold"),
            TableColumn(head="texts", is_number=False, is_text=True),
        ),
        rows=tuple(_answer_row(one) for one in shown),
        is_sortable=True,
    )


def _overview_row(run: Run, row: int, notes: Notes) -> tuple[TableCell, ...]:
    answers = [one.answer for one in asked_items(run, row)]
    kinds, replaced = Counter(answer.kind for answer in answers), run.predictions[row].replaced
    is_marked = replaced > MOST_REPLACED
    note = notes.number(f"more than {100 * MOST_REPLACED:g} % replaced: never called best") if is_marked else 0
    counts = [len(answers), *(kinds[kind] for kind in KIND_NAMES), sum(answer.is_cut for answer in answers)]
    return (
        TableCell(text=run.systems[row].label, is_code=True),
        *(TableCell(text=f"{count:,}", value=count) for count in counts),
        TableCell(text=f"{100 * replaced:.3g}", value=100 * replaced, note=note),
    )


def _answer_row(one: AskedItem) -> tuple[TableCell, ...]:
    number = f" ({one.number})" if one.number > 1 else ""
    texts = " | ".join(
        _short(text, LONGEST_TEXT) for text in (one.item.left, one.item.right, one.item.condition) if text
    )
    return (
        TableCell(text=f"{one.item.id}{number}"),
        TableCell(text=_short(one.answer.text) or "(empty)"),
        TableCell(text=one.answer.rule + (", cut" if one.answer.is_cut else "")),
        _score(one.answer),
        TableCell(text="" if one.gold is None else f"{one.gold:.4g}", value=one.gold or 0.0),
        TableCell(text=texts),
    )


def _score(answer: ReadAnswer) -> TableCell:
    return TableCell(text="-") if answer.value is None else TableCell(text=f"{answer.value:.4g}", value=answer.value)


def _short(text: str, longest: int = LONGEST) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
