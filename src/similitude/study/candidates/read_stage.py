"""The first stage: texts, or pairs that exist already, from wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from similitude.collect.candidates.pairs import STRATA
from similitude.collect.candidates.steps import Step
from similitude.data.provenance import Provenance
from similitude.data.reading.texts import GivenPairs, read_pairs, read_texts
from similitude.data.texts import Texts
from similitude.errors import ArgumentError
from similitude.study.candidates.data_files import file_state
from similitude.study.candidates.pair_file import PairRows, write_pairs
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import StageFolder, StageResult, digest_of_values
from similitude.study.candidates.text_table import with_row_numbers, write_texts

__all__ = ["GIVEN", "READ", "TEXTS", "TextTable", "run_read", "table_result"]

READ = "1-read"
TEXTS = "texts.arrow"
GIVEN = "given.arrow"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """A table of texts that a stage has written.

    Attributes:
        path: the file.
        rows: how many texts.
        digest: of all columns.
        text_digest: of the texts alone, on which vectors depend.
    """

    path: Path
    rows: int
    digest: str
    text_digest: str

    @classmethod
    def of(cls, search: Search, stage: str, result: StageResult) -> TextTable:
        """The table that a stage has left."""
        path = search.folder.stage(stage).path / TEXTS
        facts = result.facts
        return cls(path=path, rows=facts["rows"], digest=facts["digest"], text_digest=facts["text_digest"])


def run_read(search: Search, data: Any, reading: Mapping[str, Any]) -> StageResult:
    """Read texts, or given pairs, into a table; files are read again only if their bytes have changed."""
    plan, given = search.plan, search.plan.pairs.data
    if given is not None and data is not None:
        raise ArgumentError(
            "texts and pairs are both given, and texts are taken from the pairs",
            remedy="leave out the data under [texts], or that under [pairs]",
        )
    chosen = {name: theirs for name, theirs in plan.texts.columns.items() if given is None or name != "text"}
    options = {**reading, "columns": {**chosen, **reading.get("columns", {})}}
    state = file_state(given if given is not None else data)
    if given is not None:
        if options.pop("on_error", "stop") != "stop":
            remedy = "leave out --on-error, and correct the row that is named"
            raise ArgumentError("rows of pairs that are given cannot be skipped", remedy=remedy)
        return _of_pairs(search, lambda: read_pairs(given, **options), {"files": state, "reading": options})
    return _of_texts(search, lambda: read_texts(data, **options), {"files": state, "reading": options})


def _of_texts(search: Search, read: Callable[[], Texts], state: dict[str, Any]) -> StageResult:
    texts = None
    if state["files"] is None:
        texts = read()
        state = {"texts": texts.fingerprint}

    def work(folder: StageFolder) -> StageResult:
        return _write(folder, read() if texts is None else texts)

    return search.stage(READ, state, work)


def _of_pairs(search: Search, read: Callable[[], GivenPairs], state: dict[str, Any]) -> StageResult:
    pairs = None
    if state["files"] is None:
        pairs = read()
        columns = {name: values.tolist() for name, values in pairs.columns.items()}
        digest = digest_of_values(pairs.left.tolist(), pairs.right.tolist(), columns)
        state = {"texts": pairs.texts.fingerprint, "pairs": digest}

    def work(folder: StageFolder) -> StageResult:
        found = read() if pairs is None else pairs
        strata = PairRows.all_of(STRATA.index("given"), found.left, found.right, found.columns)
        write_pairs(strata, folder.path / GIVEN)
        return _write(folder, found.texts, pairs=len(found))

    return search.stage(READ, {**state, "given": True}, work)


def _write(folder: StageFolder, texts: Texts, **facts: int) -> StageResult:
    numbered = with_row_numbers(texts)
    write_texts(numbered, folder.path / TEXTS)
    source, count = texts.provenance, len(texts)
    step = Step(
        name="read",
        of="texts",
        before=count + len(source.skipped),
        after=count,
        losses={"unreadable": len(source.skipped)} if source.skipped else {},
        facts={**facts, **({"files": list(source.files)} if source.files else {})},
        notes=_notes(source),
    )
    return table_result(numbered, (step,), **facts)


def table_result(texts: Texts, steps: tuple[Step, ...], **facts: Any) -> StageResult:
    """The result of a stage that has written these texts."""
    alone = Texts(texts.frame.select("text")).fingerprint
    known = {"rows": len(texts), "digest": texts.fingerprint, "text_digest": alone, **facts}
    return StageResult(output=digest_of_values(known), steps=steps, facts=known)


def _notes(source: Provenance) -> tuple[str, ...]:
    skipped = tuple(f"{each.where}: {each.why}; left out" for each in source.skipped[:3])
    return (*source.notes, *source.warnings, *skipped)
