"""The page of answers: for each system, every answer by its kind, with the rule that read it."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.data.plural import counted
from similitude.data.prediction import MOST_REPLACED
from similitude.report.notation import SIMULATED, data_line
from similitude.report.page.sheet import Block, Downloads, Fold, Option, Options, Section, Sheet, csv_text
from similitude.report.tables.answers import (
    KIND_NAMES,
    answer_overview,
    answer_table,
    asked_items,
    rule_table,
    systems_with_answers,
)
from similitude.study.runs import Run

__all__ = ["answers_sheet", "replaced_words"]


def answers_sheet(run: Run) -> Sheet:
    """The answers of all language models of a run, to be reviewed.

    Raises:
        RunError: the run keeps no answers.
    """
    rows = systems_with_answers(run)
    return Sheet(
        kind="answers",
        name=run.data.name,
        about=data_line(run),
        summary=f"Every answer of {counted(len(rows), 'system')}, the rule that read it, and what it was read as.",
        simulated=f"{SIMULATED}: {run.data.judged_by}" if run.data.is_simulated else "",
        lead=(replaced_words(run),),
        sections=(
            Section(name="kinds", title="Kinds of answers", tables=(answer_overview(run, rows),)),
            *(
                Section(name=f"system-{row}", title=run.systems[row].label, blocks=tuple(_blocks(run, row)))
                for row in rows
            ),
        ),
    )


def replaced_words(run: Run) -> str:
    """The main result: which systems rest on too many replaced answers."""
    marked = [
        record.label for record, found in zip(run.systems, run.predictions, strict=True) if found.replaced_too_often
    ]
    most = f"{100 * MOST_REPLACED:g} %"
    if not marked:
        return f"No system had more than {most} of its answers replaced."
    return f"More than {most} of the answers were replaced, so never called best: {', '.join(marked)}."


def _blocks(run: Run, row: int) -> Iterator[Block]:
    found = list(asked_items(run, row))
    by_kind = {kind: [one for one in found if one.answer.kind == kind] for kind in KIND_NAMES}
    yield Options(
        "kind",
        tuple(
            Option(f"{name} ({len(by_kind[kind]):,})", (answer_table(row, kind, by_kind[kind]),))
            for kind, name in KIND_NAMES.items()
            if by_kind[kind]
        ),
    )
    yield Fold(summary="Rules", blocks=(rule_table(run, row),))
    rows = ({"id": one.item.id, "number": one.number, "gold": one.gold, **one.answer._asdict()} for one in found)
    yield Downloads(((f"answers-{row + 1}.csv", csv_text(rows)),))
