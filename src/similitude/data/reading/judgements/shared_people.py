"""The same annotators in several files: one person each, unless the files are copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import polars as pl

from similitude.data.judgements import with_defaults
from similitude.data.plural import agreeing
from similitude.data.reading.judgements.answers import ROW, TIME, WORD, Answers
from similitude.data.reading.judgements.repeats import ANSWERS, KEYS
from similitude.data.reading.problems import listing
from similitude.errors import InputError

__all__ = ["refuse_copies", "shared_people_warnings"]


def refuse_copies(parts: Sequence[Answers]) -> None:
    """Check that no file holds just the answers of another.

    Raises:
        InputError: one does.
    """
    frames = [part.frame.drop(ROW, TIME, WORD, strict=False) for part in parts]
    for one, other in combinations(range(len(parts)), 2):
        if frames[one].height and frames[one].equals(frames[other]):
            what = f"holds the same {frames[one].height:,} answers as {parts[one].table.file}"
            raise InputError(what, where=parts[other].table.file, remedy="give each file once")


def shared_people_warnings(parts: Sequence[Answers]) -> Iterator[str]:
    """A warning for every two files in which the same annotators answered the same questions differently."""
    frames = [_named(part) for part in parts]
    key, answer = list(KEYS[parts[0].kind]), list(ANSWERS[parts[0].kind])
    for one, other in combinations(range(len(parts)), 2):
        both = frames[one].join(frames[other], on=key, suffix="_later")
        same = (pl.col(name).eq_missing(pl.col(f"{name}_later")) for name in answer)
        changed = both.filter(~pl.all_horizontal(same))
        if not changed.is_empty():
            files = f"{parts[one].table.file} and {parts[other].table.file}"
            people = listing(changed["annotator"].unique(maintain_order=True).to_list())
            were = agreeing(changed.height, "question", "has", "have")
            yield (
                f"{files}: {were} two different answers by annotators of the same name ({people}); each name is one "
                "person, of whom the last answer counts; if they are different people, give them different names"
            )


def _named(part: Answers) -> pl.DataFrame:
    """The last answer of every named annotator to each question of a file."""
    frame = with_defaults(part.sound_frame()).filter(pl.col("annotator").is_not_null())
    kind = part.kind
    return frame.select(*KEYS[kind], *ANSWERS[kind]).unique(list(KEYS[kind]), keep="last", maintain_order=True)
