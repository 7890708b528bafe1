"""Reader of intent and FAQ matching: labelled texts, with separate examples or each text against all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from similitude.data.reading.column_names import ALIASES
from similitude.data.reading.format import GENERAL
from similitude.data.reading.problems import RowProblem, excerpt, listing
from similitude.errors import InputError
from similitude.evaluate.tasks.reading.kind import TaskKind, TaskSource
from similitude.evaluate.tasks.reading.rows import TaskRows, read_rows, refuse
from similitude.evaluate.tasks.search_tasks import IntentMatching

__all__ = ["intent"]

COLUMNS = {
    "text": ("text", "utterance", "question", "query", "sentence", "message"),
    "label": ("label", "intent", "answer_id", "faq_id", "category", "class", "answer"),
}
SPLIT = {"split": ALIASES["split"]}
ONE_FILE = ("utterances", "intents", "faq")
EXAMPLES = ("train", "training")
TESTED = ("test",)
LEFT_ASIDE = ("dev", "val", "valid", "validation")


class _Member(NamedTuple):
    """A row of a table."""

    rows: TaskRows
    row: int

    @property
    def text(self) -> str:
        return self.rows["text"][self.row]

    @property
    def label(self) -> str:
        return self.rows["label"][self.row]


def intent() -> TaskKind:
    """Texts that get the label of the nearest example."""
    return TaskKind(
        name=IntentMatching.kind,
        priority=GENERAL,
        summary="give each text the label of the nearest example: intents, FAQs",
        layouts=(
            "a table with text, label and optionally split (train: the examples, test: the texts)",
            "a table with question and answer_id (FAQs)",
            "a folder with train.csv and test.csv, each with text and label",
        ),
        fits=_fits,
        read=_read,
    )


def _fits(source: TaskSource) -> bool:
    if source.find("train") is not None and source.find("test") is not None:
        return True
    return source.has_columns(source.main(*ONE_FILE), *COLUMNS.values())


def _read(source: TaskSource) -> IntentMatching:
    if source.find("train") is None:
        rows = read_rows(source.need(*ONE_FILE), COLUMNS, SPLIT, source.reading)
        examples, texts, notes = _parted(rows)
    else:
        train, test = (read_rows(source.need(role), COLUMNS, None, source.reading) for role in ("train", "test"))
        examples, texts, notes = _members(train), _members(test), ()
    is_same = np.eye(len(texts), dtype=np.bool_) if examples is texts else np.zeros((len(texts), len(examples)), bool)
    _check(examples, texts)
    return IntentMatching(
        name=source.name,
        texts=tuple(member.text for member in texts),
        labels=tuple(member.label for member in texts),
        examples=tuple(member.text for member in examples),
        example_labels=tuple(member.label for member in examples),
        is_same=is_same,
        notes=(*notes, *_repetition(examples, texts)),
    )


def _parted(rows: TaskRows) -> tuple[list[_Member], list[_Member], tuple[str, ...]]:
    """Examples and texts by split; the same list for both if there is no split."""
    members = _members(rows)
    if "split" not in rows or not any(rows["split"]):
        return members, members, rows.table.notes
    splits = [split.casefold() for split in rows["split"]]
    refuse(
        rows.table.problem(row, f"split {excerpt(split)} is unknown", "name it train or test (dev is ignored)")
        for row, split in enumerate(splits)
        if split not in (*EXAMPLES, *TESTED, *LEFT_ASIDE)
    )
    examples, texts = (
        [member for member, split in zip(members, splits, strict=True) if split in names]
        for names in (EXAMPLES, TESTED)
    )
    if not examples or not texts:
        what = f"splits there: {listing(dict.fromkeys(splits))}"
        raise InputError(what, where=rows.file, remedy="give both train (the examples) and test, or no split")
    aside = len(members) - len(examples) - len(texts)
    note = (f"{aside} rows of {listing(dict.fromkeys(LEFT_ASIDE) & dict.fromkeys(splits).keys())} ignored",)
    return examples, texts, rows.table.notes + (note if aside else ())


def _members(rows: TaskRows) -> list[_Member]:
    return [_Member(rows, row) for row in range(len(rows))]


def _check(examples: Sequence[_Member], texts: Sequence[_Member]) -> None:
    labels = {member.label for member in examples}
    if len(labels) < 2:
        what = f"all examples have one label, {listing(labels)}"
        raise InputError(what, where=examples[0].rows.file, remedy="give examples of at least two labels")
    refuse(_without_example(examples, texts))


def _without_example(examples: Sequence[_Member], texts: Sequence[_Member]) -> Iterator[RowProblem]:
    known = Counter(member.label for member in examples)
    needed = 2 if examples is texts else 1
    for member in texts:
        if known[member.label] < needed:
            what = f"label {excerpt(member.label)} has no other example"
            remedy = "give every label at least two texts" if needed == 2 else "give it an example, or drop the text"
            yield member.rows.table.problem(member.row, what, remedy)


def _repetition(examples: Sequence[_Member], texts: Sequence[_Member]) -> list[str]:
    """A note if a text is also among the examples, and so finds itself."""
    known = Counter(member.text for member in examples)
    own = 1 if examples is texts else 0
    count = sum(known[member.text] > own for member in texts)
    return [f"{count} texts are also among the examples, word for word"] if count else []
