"""One table of judgements from the answers of one or several files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from similitude.data.item import with_all_columns
from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.judgements import Judgements, with_defaults
from similitude.data.provenance import Provenance
from similitude.data.reading.facts import distinct, joined_fact
from similitude.data.reading.judgements.answer_checks import checked, off_scale
from similitude.data.reading.judgements.answers import ROW, Answers
from similitude.data.reading.judgements.known_items import KnownItems, own_items
from similitude.data.reading.judgements.oddities import oddities
from similitude.data.reading.judgements.repeats import without_repeats
from similitude.data.reading.problems import nothing_left, settle
from similitude.data.reading.scales import FileScores, SettledScale, settle_scale
from similitude.data.scale import Scale
from similitude.errors import InputError

__all__ = ["combine"]


def combine(
    parts: Sequence[Answers],
    *,
    known: KnownItems | None,
    scale: Scale | None,
    on_error: str,
    name: str | None,
    stem: str,
    format: str,
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

    Raises:
        InputError: an answer is bad and ``on_error`` is "stop", none is left, or the parts are of different kinds.
        ScaleError: the parts have different scales.
    """
    _one_kind(parts)
    parts = [checked(_complete(part)) for part in parts]
    if known is not None:
        parts = [known.fitted(part) for part in parts]
    settled = _scale(parts, scale)
    if settled.scale is not None:
        parts = [off_scale(part, settled.scale) for part in parts]
    skipped = [record for part in parts for record in (*part.skipped, *settle(part.problems, on_error))]
    frame = with_defaults(pl.concat([part.sound_frame().drop(ROW) for part in parts]))
    if frame.is_empty():
        raise nothing_left("answer", distinct(part.table.file for part in parts), skipped)
    kept = without_repeats(frame, parts[0].kind)
    notes = [*(note for part in parts for note in part.notes), *settled.notes, *kept.notes]
    facts = [part.facts for part in parts]
    made = Judgements(name=name or joined_fact(facts, "benchmark") or stem, frame=kept.frame, scale=settled.scale)
    items, item_notes = known.judged(made.judged) if known else own_items(parts, made.judged)
    return replace(
        made,
        items=items,
        licence=joined_fact(facts, "licence") or (known.licence if known else None),
        provenance=Provenance(
            files=distinct(file for part in parts for file in part.table.partners or (part.table.file,)),
            format=format,
            notes=distinct([*notes, *oddities(made.frame, made.kind), *item_notes]),
            skipped=tuple(skipped),
            judged_by=joined_fact(facts, "judged_by"),
        ),
    )


def _one_kind(parts: Sequence[Answers]) -> None:
    kinds = Counter(part.kind for part in parts)
    if len(kinds) > 1:
        said = ", ".join(f"{part.table.file}: {part.frame.height:,} {part.kind}" for part in parts)
        what = f"the files hold judgements of different kinds ({said})"
        raise InputError(what, remedy="read them separately, or choose --kind best-worst or --kind rating")


def _complete(part: Answers) -> Answers:
    """The answers with all columns of their kind; a rating is dropped if the question does not apply."""
    schema = BEST_WORST_SCHEMA if part.kind == "best-worst" else RATING_SCHEMA
    frame = with_all_columns(part.frame, schema).with_columns(part.frame[ROW])
    if part.kind == "best-worst":
        return replace(part, frame=frame)
    applies = pl.col("applies").fill_null(value=True)
    void = frame.filter(~applies & pl.col("value").is_not_null()).height
    notes = (f"{part.table.file}: {void:,} ratings dropped because the question does not apply",) if void else ()
    return replace(part, frame=frame.with_columns(value=pl.when(applies).then("value")), notes=(*part.notes, *notes))


def _scale(parts: Sequence[Answers], declared: Scale | None) -> SettledScale:
    """The scale of the ratings; best-worst answers have none."""
    if parts[0].kind == "best-worst":
        return SettledScale(None, ())
    ratings = ((part, part.sound_frame()["value"].drop_nulls().to_numpy()) for part in parts)
    return settle_scale([FileScores(part.table.file, part.scale, values) for part, values in ratings], declared)
