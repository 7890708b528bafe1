"""sick: Sentences Involving Compositional Knowledge, in both published versions."""

from __future__ import annotations

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import Format
from similitude.data.reading.formats.headed_tabs import headed_tabs
from similitude.data.scale import Scale

__all__ = ["sick"]

LAYOUT = ColumnLayout(
    aliases={
        "id": ("pair_ID",),
        "left": ("sentence_A",),
        "right": ("sentence_B",),
        "score": ("relatedness_score",),
        "source": ("sentence_A_dataset",),
        "split": ("SemEval_set",),
    },
    scale=Scale(low=1.0, high=5.0, origin="format"),
    values={"split": {"trial": "dev"}},
)


def sick() -> Format:
    """SICK.txt, SICK_train.txt and the like."""
    summary = "SICK: relatedness 1..5, separated by tabs, with a header"
    return headed_tabs("sick", summary, ("pair_ID", "sentence_A", "sentence_B"), LAYOUT)
