"""sick: Sentences Involving Compositional Knowledge, in both published versions."""

from __future__ import annotations

from collections.abc import Sequence

from similitude.data.reading.column_names import ALIASES, find_column, has_names
from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import Format
from similitude.data.reading.formats.headed_tabs import headed_tabs
from similitude.data.scale import Scale

__all__ = ["sick"]

LAYOUT = ColumnLayout(
    aliases={
        "id": ("pair_ID", "id"),
        "left": ("sentence_A",),
        "right": ("sentence_B",),
        "score": ("relatedness_score", "relatedness"),
        "source": ("sentence_A_dataset",),
        "split": ("SemEval_set",),
    },
    scale=Scale(low=1.0, high=5.0, origin="format"),
    values={"split": {"trial": "dev"}},
)


def sick() -> Format:
    """SICK.txt, SICK_train.txt and the like."""
    summary = "SICK: relatedness 1..5, separated by tabs, with a header"
    return headed_tabs("sick", summary, ("pair_ID", "sentence_A", "sentence_B"), LAYOUT, names=_names)


def _names(there: Sequence[str]) -> bool:
    """Whether these are the columns of SICK, with scores under their name or without any."""
    if not has_names(there, "sentence_A", "sentence_B"):
        return False
    scored = find_column(there, ALIASES["score"])
    return find_column(there, LAYOUT.aliases["score"]) is not None or (has_names(there, "pair_ID") and scored is None)
