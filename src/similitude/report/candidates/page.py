"""The page of a search for candidates."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from similitude.collect.candidates.steps import Step
from similitude.data.plural import counted
from similitude.data.writing.atomic import write_atomically
from similitude.report.candidates.item_rows import first_rows
from similitude.report.candidates.step_blocks import step_blocks, step_heading
from similitude.report.candidates.step_table import kept_figure, shown_steps, step_table
from similitude.report.candidates.words import conclusion, is_filter, noun, reasons, seconds_text
from similitude.report.page.sheet import (
    Aside,
    Block,
    Code,
    Downloads,
    Fold,
    Heading,
    Section,
    Sheet,
    csv_text,
    sheet_page,
)
from similitude.study.candidates.candidates_run import CandidatesRun

__all__ = ["candidates_sheet", "write_candidates_page"]

OPEN_FILTERS: Final = 6
"""With more filters, the reader unfolds them."""


def candidates_sheet(found: CandidatesRun) -> Sheet:
    """The search as a page: what each step kept, and why; what comes next; the plan."""
    steps = found.steps
    parts = (
        ("texts", "Texts", [step for step in steps if step.of == "texts"]),
        ("pairs", "Pairs", [step for step in steps if noun(step) == "pair" and not is_filter(step)]),
        ("filters", "Filters", [step for step in steps if is_filter(step)]),
        ("selection", "Selection", [step for step in steps if noun(step) == "item"]),
    )
    detailed = (Section(name=name, title=title, blocks=_details(part, name)) for name, title, part in parts if part)
    return Sheet(
        kind="candidates",
        name=found.name,
        about=_about(found),
        summary=_where(found),
        lead=(conclusion(steps),),
        sections=(_overview(found), *detailed, _items(found), _next(found), _plan(found)),
    )


def write_candidates_page(found: CandidatesRun, path: Path) -> Path:
    """Write the page, completely or not at all; returns its path.

    Raises:
        ArgumentError: the file cannot be written.
    """
    text = sheet_page(candidates_sheet(found))
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))
    return path


def _about(found: CandidatesRun) -> str:
    seconds = sum(step.seconds for step in found.steps)
    return f"{counted(len(found.steps), 'step')} in {seconds_text(seconds)}, seed {found.seed}"


def _where(found: CandidatesRun) -> str:
    if found.saved_to is None:
        items = "This search is not saved; its method save(FOLDER) writes the items"
    else:
        items = f"The items are in {found.saved_to / 'items.jsonl'}"
    return f"{items}. Below are the reasons for every loss, and examples at every border."


def _overview(found: CandidatesRun) -> Section:
    blocks: tuple[Block, ...] = (Downloads((("steps.csv", _steps_csv(found.steps)),)),)
    return Section(
        name="kept",
        title="What each step kept",
        figures=(kept_figure(found.steps),),
        tables=(step_table(found.steps),),
        blocks=blocks,
    )


def _steps_csv(steps: Sequence[Step]) -> str:
    names = ("name", "of", "before", "after", "seconds")
    shown = shown_steps(steps)[0]
    return csv_text(
        {**{name: getattr(step, name) for name in names}, "dropped": reasons(step.losses, len(step.losses))}
        for step in shown
    )


def _details(steps: Sequence[Step], part: str) -> tuple[Block, ...]:
    """Each step under its own heading; many of them folded."""
    shown, left_out = shown_steps(steps)
    blocks: list[Block] = []
    for place, step in enumerate(shown):
        inside = tuple(step_blocks(step, f"{part}-{place}"))
        if len(shown) > OPEN_FILTERS:
            blocks.append(Fold(summary=step_heading(step), blocks=inside or (Aside("Nothing more is known."),)))
        else:
            blocks += [Heading(step_heading(step)), *inside]
    if left_out:
        blocks.append(Aside(f"{counted(left_out, 'step')} in the middle not shown."))
    return tuple(blocks)


def _items(found: CandidatesRun) -> Section:
    words = "As annotators will see them: shuffled, under ids that tell nothing, without scores."
    return Section(name="items", title="Items", words=(words,), tables=(first_rows(found.items.frame),))


def _next(found: CandidatesRun) -> Section:
    folder = found.saved_to or Path("FOLDER")
    return Section(name="next", title="What to do next", blocks=tuple(_next_blocks(folder)))


STUDY: Final = """name = "how-similar"
task = "rating"
items = "items.jsonl"
questions = "questions.jsonl"
judgements = 5"""


def _next_blocks(folder: Path) -> Iterator[Block]:
    items, questions, study = (
        shlex.quote(str(folder / name)) for name in ("items.jsonl", "questions.jsonl", "study.toml")
    )
    yield "Look for damaged texts and repeated pairs:"
    yield Code(f"similitude data check {items}")
    yield "Plan the questions:"
    yield Code(f"similitude design rating {items} --batch 20 --per-question 5 --out {questions}")
    yield f"Describe the study in a file {study}, at least as follows; docs/annotation.md has all that it can say:"
    yield Code(STUDY)
    yield "See whether it is in order, and let people answer:"
    yield Code(f"similitude annotate check {study}\nsimilitude annotate serve {study}")
    yield Aside("This page says why pairs were chosen, and shows scores of systems. Keep it from annotators.")


def _plan(found: CandidatesRun) -> Section:
    versions = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    facts = (("folder", str(found.saved_to or "")), ("versions", versions))
    return Section(
        name="plan",
        title="The plan",
        words=("With the same texts, versions and seed, the plan gives the same items, on any number of machines.",),
        facts=tuple((name, value) for name, value in facts if value),
        blocks=(Code(found.plan_text.strip()),),
    )
