"""Suspect labels as a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from similitude.data.plural import counted
from similitude.data.writing.atomic import write_atomically
from similitude.drawing import Figure, Panel, histogram_of, scatter
from similitude.drawing.axes import Frame, Span
from similitude.report.page.sheet import Aside, Block, Cards, Code, Fold, Points, Section, Sheet, sheet_page
from similitude.report.suspects import suspect_cards, suspects_summary, suspects_table
from similitude.study.suspects import Suspects

__all__ = ["suspects_figure", "suspects_sheet", "write_suspects_page"]

CARDS, ROWS = 50, 500
"""How many suspects are shown with their texts, and how many in a table."""
BINS = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.0))
"""Ranges of the probability in the table of how many labels have it."""


def suspects_sheet(found: Suspects) -> Sheet:
    """The suspects as a page."""
    return Sheet(
        kind="suspects",
        name=found.name,
        about=f"{len(found):,} labels on the scale {found.scale}",
        summary=f"{suspects_summary(found)}.",
        simulated=f"SIMULATED judgements: {found.judged_by}" if "simulated" in (found.judged_by or "") else "",
        sections=(_suspect_section(found), _share_section(found), _evidence_section(found)),
    )


def write_suspects_page(found: Suspects, path: Path) -> Path:
    """Write the page completely or not at all; returns its path."""
    text = sheet_page(suspects_sheet(found))
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))
    return path


def suspects_figure(found: Suspects) -> Figure:
    """How many labels have which probability, and given against expected labels."""
    wrong = found.table["wrong_probability"].to_numpy()
    ends = Span(found.scale.low, found.scale.high)
    given, expected = (found.suspects[name].to_numpy() for name in ("given_label", "expected_label"))
    bars = histogram_of("Labels by the probability that they are wrong", wrong, (0.0, 1.0))
    panels = [Panel("probability of being wrong", "all labels", bars)]
    if found.count:
        drawn = scatter("Given and expected label of each suspect", Frame(x=ends, y=ends, left=30), given, expected)
        panels.append(Panel("given and expected label", counted(found.count, "suspect"), drawn))
    words = "Labels by the probability that they are wrong; and the suspects: given label (across), expected one (up)."
    return Figure(tuple(panels), words)


def _suspect_section(found: Suspects) -> Section:
    if not found.count:
        return Section(name="suspects", title="Suspects", words=("No label is suspect.",))
    rows = found.suspects.head(ROWS)
    more = f" The first {ROWS:,} of {found.count:,}." if found.count > ROWS else ""
    table = suspects_table(rows, f"The most probable first; wrong: the probability that the label is wrong.{more}")
    return Section(
        name="suspects",
        title="Suspects",
        blocks=(
            Aside("The most probable first. On the line, the diamond is the given label, the dot the expected one."),
            Cards(suspect_cards(found, CARDS)),
            Fold(summary=f"{counted(rows.height, 'suspect')} as a table", blocks=(table,)),
        ),
    )


def _share_section(found: Suspects) -> Section:
    wrong = found.table["wrong_probability"].to_numpy()
    last = BINS[-1][1]
    counts = [int(np.sum((wrong >= low) & ((wrong < high) | (high == last)))) for low, high in BINS]
    facts = [
        ("estimated share of wrong labels", f"{found.share_text}, 95 % interval"),
        *((f"{low:g} to {high:g}", f"{count:,} labels") for (low, high), count in zip(BINS, counts, strict=True)),
    ]
    words = (
        "The probabilities add up to the expected number of wrong labels: of ten with 0.7, about seven are wrong. "
        "Labels that are one step off are the usual noise of ratings and are not counted as wrong.",
    )
    return Section(
        name="share", title="How many are wrong", words=words, figures=(suspects_figure(found),), facts=tuple(facts)
    )


def _evidence_section(found: Suspects) -> Section:
    known = "not defined" if found.spearman != found.spearman else f"{found.spearman:.3f}"
    facts = (
        ("forecasts", "; ".join(found.sources)),
        ("Spearman of forecasts and labels", known),
        ("labels compared with that of the same pair", f"{found.linked:,}"),
    )
    blocks: list[Block] = [Points(found.notes)] if found.notes else []
    blocks += [
        Aside("The suspects are no random sample: figures over them say nothing about the other labels."),
        Code("similitude data suspects DATA --out suspects.csv --ask ask.csv --page suspects.html"),
    ]
    return Section(name="evidence", title="Evidence", facts=facts, blocks=tuple(blocks))
