"""One table of judgements from the answers of one or several files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from similitude.data.item import with_all_columns
from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.judgements import Judgements, with_defaults
from similitude.data.plural import counted
from similitude.data.provenance import FileReading, Provenance
from similitude.data.reading.codes import far_values, suspicious_code
from similitude.data.reading.facts import distinct, joined_fact
from similitude.data.reading.judgements.adjudication import without_decisions
from similitude.data.reading.judgements.answer_checks import checked, off_scale
from similitude.data.reading.judgements.answers import OTHER_TIME, ROW, TIME, WORD, Answers
from similitude.data.reading.judgements.categories import coded_words
from similitude.data.reading.judgements.criteria import refuse_criteria
from similitude.data.reading.judgements.known_items import KnownItems, own_items, refuse_several_texts
from similitude.data.reading.judgements.names import case_warnings, tidy_names, whole_numbers
from similitude.data.reading.judgements.oddities import oddities
from similitude.data.reading.judgements.repeats import without_repeats
from similitude.data.reading.judgements.shared_people import refuse_copies, shared_people_warnings
from similitude.data.reading.problems import listing, nothing_left, settle
from similitude.data.reading.scales import FileScores, SettledScale, settle_scale
from similitude.data.scale import Scale
from similitude.errors import InputError, ScaleError

__all__ = ["combine"]

FEW = 0.25
"""More of the ratings than this that lie far from the others are those of a person rather than dates."""


def combine(
    parts: Sequence[Answers],
    *,
    known: KnownItems | None,
    scale: Scale | None,
    on_error: str,
    name: str | None,
    stem: str,
    format: str,
    categories: Sequence[str] = (),
) -> Judgements:
    """The table of all sound answers.

    Args:
        parts: the answers of each file, in order; all of one kind.
        known: the items that may be judged, if the user named them.
        scale: the scale that the user declared.
        on_error: "stop" or "skip".
        name: the name that the user gave.
        stem: the name if neither the user nor the files give one.
        format: the name of the format, for the provenance.
        categories: the categories that the user named, lowest first, which turn answers in words into ratings.

    Raises:
        InputError: an answer is bad and ``on_error`` is "stop", none is left, the parts are of different kinds, two
            hold the same answers, or answers to different questions are not told apart.
        ScaleError: the parts have different scales, or a rating is likely to be a code for no answer.
    """
    _one_kind(parts)
    coded = coded_words(whole_numbers([tidy_names(part) for part in parts]), categories)
    parts = [checked(_complete(part)) for part in coded.parts]
    refuse_copies(parts)
    refuse_several_texts(parts)
    for part in parts:
        refuse_criteria(part)
    if known is not None:
        parts = [known.fitted(part) for part in parts]
    settled = _scale(parts, scale)
    if settled.scale is not None:
        parts = [off_scale(part, settled.scale) for part in parts]
    skipped = [record for part in parts for record in (*part.skipped, *settle(part.problems, on_error))]
    frame = with_defaults(_answers(parts))
    if frame.is_empty():
        raise nothing_left("answer", distinct(part.table.file for part in parts), skipped)
    where = ", ".join(distinct(part.table.file for part in parts))
    apart = without_decisions(frame, parts[0].kind, where)
    kept = without_repeats(apart.frame, parts[0].kind, where)
    notes = [*(note for part in parts for note in part.notes), *coded.notes, *settled.notes, *apart.notes, *kept.notes]
    facts = [part.facts for part in parts]
    made = Judgements(
        name=name or joined_fact(facts, "benchmark") or stem,
        frame=kept.frame,
        scale=settled.scale,
        categories=coded.categories,
        superseded=kept.superseded,
        adjudicated=apart.decisions,
    )
    items, item_notes = known.judged(made.judged) if known else own_items(parts, made.judged)
    theirs = Provenance() if known is None else known.provenance
    readings = [reading for part in parts for reading in part.readings or (_reading(part),)]
    return replace(
        made,
        items=items,
        licence=joined_fact(facts, "licence") or (known.licence if known else None),
        provenance=Provenance(
            files=distinct(file for part in parts for file in part.table.partners or (part.table.file,)),
            format=format,
            notes=distinct([*notes, *oddities(made.frame, made.kind), *item_notes]),
            warnings=distinct(
                [
                    *(each for part in parts for each in part.warnings),
                    *coded.warnings,
                    *shared_people_warnings(parts),
                    *case_warnings(made.frame),
                    *theirs.warnings,
                ]
            ),
            readings=(*readings, *(reading for reading in theirs.readings if reading not in readings)),
            skipped=(*skipped, *theirs.skipped),
            judged_by=joined_fact(facts, "judged_by"),
        ),
    )


def _reading(part: Answers) -> FileReading:
    """How one file was understood."""
    named = "annotator" in part.frame.columns and part.frame["annotator"].null_count() < part.frame.height
    people = {"people": "named" if named else "unnamed", "repeats": "last counts"}
    return FileReading(
        file=part.table.file,
        container=part.table.container,
        layout=part.layout,
        rows=len(part.table),
        kept=int(part.sound.sum()),
        columns=dict(part.columns),
        unused=part.unused,
        details={**part.table.details, **people, **part.details},
        missing=dict(part.missing),
    )


def _answers(parts: Sequence[Answers]) -> pl.DataFrame:
    """All sound answers."""
    frames = [part.sound_frame().drop(ROW, WORD, strict=False) for part in parts]
    times = [name for name in (TIME, OTHER_TIME) if any(name in frame.columns for frame in frames)]
    return pl.concat([_with_times(frame, times) for frame in frames], how="diagonal")


def _with_times(frame: pl.DataFrame, times: Sequence[str]) -> pl.DataFrame:
    """The frame with these columns of times; where time stamps can be read in one way, both readings are the same."""
    none = pl.lit(None, dtype=pl.Float64)
    lacking = [name for name in times if name not in frame.columns]
    return frame.with_columns((pl.col(TIME) if TIME in frame.columns else none).alias(name) for name in lacking)


def _one_kind(parts: Sequence[Answers]) -> None:
    kinds = Counter(part.kind for part in parts)
    if len(kinds) > 1:
        said = ", ".join(f"{part.table.file}: {part.frame.height:,} {part.kind}" for part in parts)
        what = f"the files hold judgements of different kinds ({said})"
        choices = " or ".join(f"--kind {kind}" for kind in kinds)
        raise InputError(what, remedy=f"read them separately, or choose {choices}")


def _complete(part: Answers) -> Answers:
    """The answers with all columns of their kind; a rating is dropped if the question does not apply."""
    schema = BEST_WORST_SCHEMA if part.kind == "best-worst" else RATING_SCHEMA
    more = [part.frame[name] for name in (ROW, WORD, TIME, OTHER_TIME) if name in part.frame.columns]
    frame = with_all_columns(part.frame, schema).with_columns(more)
    if part.kind == "best-worst":
        return replace(part, frame=frame)
    applies = pl.col("applies").fill_null(value=True)
    void = frame.filter(~applies & pl.col("value").is_not_null()).height
    notes = (
        (f"{part.table.file}: {counted(void, 'rating')} dropped because the question does not apply",) if void else ()
    )
    return replace(part, frame=frame.with_columns(value=pl.when(applies).then("value")), notes=(*part.notes, *notes))


def _scale(parts: Sequence[Answers], declared: Scale | None) -> SettledScale:
    """The scale of the ratings; other answers have none."""
    if parts[0].kind != "rating":
        return SettledScale(None, ())
    if declared is None and all(part.scale is None for part in parts):
        _refuse_codes(parts)
    ratings = ((part, _ratings(part)) for part in parts)
    return settle_scale(
        [FileScores(part.table.file, part.scale, values.to_numpy()) for part, values in ratings], declared
    )


def _ratings(part: Answers) -> pl.Series:
    return part.sound_frame()["value"].drop_nulls()


def _refuse_codes(parts: Sequence[Answers]) -> None:
    """Check that no rating is a code for no answer.

    Raises:
        ScaleError: one rating lies so far from all others that it is likely to be a code.
    """
    values = pl.concat([_ratings(part) for part in parts]).to_numpy()
    code = suspicious_code(values)
    far = far_values(values, FEW) if code is None else np.array([code])
    if not len(far):
        return
    is_far = np.isin(values, far)
    others, first = values[np.isfinite(values) & ~is_far], values[is_far][0]
    part = next(part for part in parts if (_ratings(part) == first).any())
    row = part.sound_frame().filter(pl.col("value") == first)[ROW][0]
    low, high = min(float(far.min()), float(others.min())), max(float(far.max()), float(others.max()))
    shown = listing([f"{value:g}" for value in far], 4)
    what = f"rating {shown} ({is_far.sum():,} of {len(values):,}) lies" if len(far) == 1 else (
        f"ratings {shown} ({is_far.sum():,} of {len(values):,}) lie")  # fmt: skip
    coded = f"if {first:g} means that there is no answer: --missing {first:g}" if len(far) == 1 else "correct them"
    raise ScaleError(
        f"{what} outside the others, {others.min():g}..{others.max():g}",
        where=part.table.where(row),
        remedy=f"{coded}; if not: --scale {low:g}..{high:g}",
    )
