"""csts: conditional semantic textual similarity."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from similitude.data.reading.column_names import ALIASES, has_names
from similitude.data.reading.containers import read_tables
from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import Format
from similitude.data.scale import Scale

__all__ = ["csts"]

HEADER = ["sentence1", "sentence2", "condition", "label"]


def csts() -> Format:
    """C-STS; a label of -1 is hidden."""
    return Format(
        name="csts",
        summary="C-STS: two sentences, a condition and a label 1..5, in any container",
        recognised="there are columns sentence1, sentence2, condition and label",
        fits=lambda sniffer: has_names(sniffer.header, *HEADER),
        tables=read_tables,
        names=lambda there: has_names(there, *HEADER),
        layout=ColumnLayout(
            aliases={
                "id": ALIASES["id"],
                "left": HEADER[:1],
                "right": HEADER[1:2],
                "condition": HEADER[2:3],
                "score": HEADER[3:4],
                "split": ALIASES["split"],
            },
            scale=Scale(low=1.0, high=5.0, origin="format"),
            hidden=-1.0,
            derive=_with_groups,
            notes=_notes,
        ),
    )


def _with_groups(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a group for each sentence pair, named after a hash of its texts: the same in every file."""
    pairs = frame.select("left", "right").unique(maintain_order=True)
    names = [_digest(left or "", right or "") for left, right in pairs.iter_rows()]
    groups = pairs.with_columns(group=pl.Series(names, dtype=pl.String))
    return frame.join(groups, on=["left", "right"], how="left", nulls_equal=True, maintain_order="left")


def _digest(left: str, right: str) -> str:
    from hashlib import blake2b

    return "pair-" + blake2b(f"{left}\0{right}".encode(), digest_size=6).hexdigest()


def _notes(frame: pl.DataFrame) -> Sequence[str]:
    blank = frame["condition"].null_count() if "condition" in frame.columns else frame.height
    return [f"{blank:,} of {frame.height:,} conditions are blank"] if blank else []
