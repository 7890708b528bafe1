"""Provenance of a run, and the command that repeats it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from similitude.data.addresses import SAMPLE_PREFIX
from similitude.data.provenance import FileReading
from similitude.evaluate.significance import Confidence
from similitude.evaluate.tasks import Requirements
from similitude.report.notation import how_sure, how_tested
from similitude.report.reading_lines import reading_lines
from similitude.report.tables.table import Table, TableCell, TableColumn
from similitude.study.runs import Run
from similitude.systems.record import SystemRecord

__all__ = ["as_typed", "columns_named", "command", "facts", "measures_table", "objects_named", "systems_table"]

LONGEST = 400
"""Arguments are cut after this many characters."""

OBJECT = re.compile(r"\bobject\((.+?)\)")
IN_MEMORY = ("object", "columns")
"""Formats that no file has."""

OF_TASK = ("k", "threshold", "criterion")


def facts(run: Run) -> Iterator[tuple[str, str]]:
    """Name and value of everything that the figures depend on."""
    data, confidence = run.data, run.confidence
    yield "data", data.name
    yield "files", ", ".join(data.files) or "not stated"
    yield "items", data.counted + (f" of split '{data.split}'" if data.split else "")
    for reading in data.readings:
        yield "understood", "; ".join(f"{name}: {value}" for name, value in reading_lines(reading))
    yield "scale", f"{data.scale} ({data.scale_origin})"
    yield "judged by", data.judged_by or "not stated"
    yield "licence", data.licence or "not stated"
    yield "fingerprint of items and gold", data.fingerprint
    yield "fingerprint of items", data.items_fingerprint
    for warning in data.warnings:
        yield "WARNING", warning
    for note in data.notes:
        yield "note of the reader", note
    for record in run.systems:
        yield from ((f"note of {record.label}", note) for note in record.notes)
    if run.calibration is not None:
        yield "scores for borders on the scale", run.calibration.words
        yield from (("note", note) for note in run.calibration.notes([record.label for record in run.systems]))
    yield "seed", f"{run.seed} (order of items, resampling)"
    if confidence is not None:
        yield "intervals", f"{how_sure(confidence)}, seed {confidence.seed}"
        yield "test", how_tested(confidence)
    yield "run", run.created
    yield "versions", ", ".join(f"{name} {number}" for name, number in run.versions.items())


def systems_table(run: Run) -> Table:
    """All systems with their arguments and their mapping to the gold scale."""
    named = any(record.label != record.identity for record in run.systems)
    heads = ["system", "arguments", "range", "onto the gold scale", "reads beside the texts", "saw before", "seconds"]
    heads[:0] = ["name"] if named else []
    columns = tuple(TableColumn(head=head, is_number=head == "seconds", is_header=head == heads[0]) for head in heads)
    rows = tuple(
        (
            *([TableCell(text=record.label, is_code=True)] if named else []),
            TableCell(text=record.identity, is_code=True),
            TableCell(text=_arguments(record), is_code=True),
            TableCell(text=record.range or "none declared"),
            TableCell(text=mapping.description),
            TableCell(text=", ".join(record.reads) or "nothing"),
            TableCell(text=_fitted_on(record)),
            TableCell(text=f"{record.seconds:.2f}", value=record.seconds),
        )
        for record, mapping in zip(run.systems, run.mappings, strict=True)
    )
    return Table(name="systems", caption="The systems, in the order of the run.", columns=columns, rows=rows)


def measures_table(run: Run) -> Table:
    """What each measure means."""
    columns = tuple(
        TableColumn(head=head, is_number=False, is_header=head == "measure")
        for head in ("measure", "better", "meaning")
    )
    rows = tuple(
        (
            TableCell(text=str(measure), is_code=True),
            TableCell(text="higher" if measure.higher_is_better else "lower"),
            TableCell(text=measure.meaning),
        )
        for measure in run.measures
    )
    return Table(name="measures", caption="The measures.", columns=columns, rows=rows)


def objects_named(identities: Iterable[str], readings: Iterable[FileReading]) -> str:
    """A sentence on systems and data that were objects in Python; empty if there are none.

    >>> objects_named(["object(mine)", "jaro"], [])
    'No command repeats this, since objects in Python were given: mine.'
    """
    things = ["the data"] if any(reading.layout in IN_MEMORY for reading in readings) else []
    things += [found[1] for found in map(OBJECT.search, identities) if found]
    return f"No command repeats this, since objects in Python were given: {', '.join(things)}." if things else ""


def command(run: Run) -> str:
    """The command line that repeats the run: as it was typed, or for a run in Python as far as it is recorded."""
    if run.command:
        return as_typed(run.command)
    name, data = run.data.name, run.data
    files = [name] if name.startswith(SAMPLE_PREFIX) or not data.files else list(data.files)
    recorded = [record.identity for record in run.systems if record.arguments.get("file") == record.identity]
    if len(recorded) == len(run.systems):
        lines = [("similitude", "measure", *files, *recorded)]
    else:
        lines = [("similitude", "evaluate" if run.task is None else "choose", *files)]
        lines += [("--system", record.identity) for record in run.systems]
        lines += [("--seed", f"{run.seed}")]
    if any(record.label != record.identity for record in run.systems):
        lines += [("--name", record.label) for record in run.systems]
    chosen_by = () if run.task is None else (str(run.measures[0]), "pearson")
    lines += [("--measure", str(measure)) for measure in run.measures if str(measure) not in chosen_by]
    return " \\\n  ".join(shlex.join(line) for line in (*lines, *_options(run)))


def as_typed(words: Sequence[str]) -> str:
    r"""A command line as a shell takes it, one option on each line.

    >>> print(as_typed(["similitude", "evaluate", "my pairs.csv", "-m", "mae"]))
    similitude evaluate 'my pairs.csv' \
      -m mae
    """
    before = (" \\\n  " if word.startswith("-") else " " for word in words)
    return "".join(map("".join, zip(before, map(shlex.quote, words), strict=True))).strip()


def columns_named(readings: Iterable[FileReading]) -> list[tuple[str, str]]:
    """The options that say which column is which, for columns with other names than ours."""
    pairs = (pair for reading in readings for pair in reading.columns.items() if pair[0] != pair[1])
    return [("--column", f"{ours}={theirs}") for ours, theirs in dict.fromkeys(pairs)]


def _options(run: Run) -> Iterator[tuple[str, ...]]:
    data = run.data
    yield from columns_named(data.readings)
    if run.task is not None:
        yield from _task(run.task)
    if data.scale and data.scale_origin == "declared" and not data.name.startswith(SAMPLE_PREFIX):
        yield "--scale", data.scale
    if data.split:
        yield "--split", data.split
    if run.calibration is not None and run.calibration.flags:
        yield run.calibration.flags
    if run.left_out:
        yield "--on-error", "skip"
    if run.confidence is None:
        yield "--resamples", "0"
    else:
        drawn = ("--resamples", f"{run.confidence.resamples}") if _is_asked(run.confidence) else ()
        yield *drawn, "--level", f"{run.confidence.level:g}"
        if run.task is None:
            yield "--interval", run.confidence.method, "--test", run.confidence.test
    if run.against is not None:
        yield "--against", run.against
    if run.margin is not None:
        yield "--margin", f"{run.margin:g}"


def _task(task: Requirements) -> Iterator[tuple[str, ...]]:
    yield "--cardinality", task.cardinality, "--interest", task.interest, "--information", task.information
    yield from ((f"--{name}", f"{value}") for name in OF_TASK if (value := getattr(task, name)) is not None)
    yield from [("--dissimilar",)] if task.dissimilar else []


def _is_asked(confidence: Confidence) -> bool:
    """Whether a number of resamples must be written: it turns automatic intervals into bootstrap intervals."""
    return confidence.resamples > 0 and not (confidence.method == "auto" and "jackknife" in confidence.methods)


def _arguments(record: SystemRecord) -> str:
    written = (
        f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in record.arguments.items()
    )
    whole = ", ".join(written) or "–"
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]} … ({len(whole):,} characters, see run.json)"


def _fitted_on(record: SystemRecord) -> str:
    if record.fitted_on is None:
        return "nothing"
    kind, _, fingerprint = record.fitted_on.partition(" ")
    return f"the texts of {kind} {fingerprint[:12]}…, never gold"
