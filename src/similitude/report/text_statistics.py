"""Statistics of a benchmark's texts, as tables, as a page and for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup
from rich.console import Group, RenderableType
from rich.text import Text

from similitude.drawing import Figure, Panel, histogram
from similitude.drawing.axes import Frame, Span
from similitude.errors import ArgumentError
from similitude.inspect.words.distribution import Distribution
from similitude.inspect.words.parts import TURNS
from similitude.inspect.words.statistics import PartStatistics, TextStatistics, Unit
from similitude.report.latex import LATEX_HEAD, latex_table
from similitude.report.markdown import markdown_table
from similitude.report.notation import DASH, SIMULATED
from similitude.report.page.sheet import Section, Sheet
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_table

__all__ = [
    "distribution_tables",
    "lengths_table",
    "richness_table",
    "statistics_tables",
    "text_statistics",
    "text_statistics_latex",
    "text_statistics_markdown",
    "text_statistics_sheet",
]

LONGEST_BAR = 40
LONGEST_EXAMPLE = 60

_MEASURED = {
    "pooled": "RTTR and MTLD treat all words of a row as one text",
    "dialogue": "RTTR and MTLD are means over dialogues",
    "text": "RTTR and MTLD are means over {passages}",
}


def statistics_tables(found: TextStatistics, unit: Unit = "pooled") -> list[Table]:
    """Words and richness (GiCCS, Table 2), lengths and overlap, and the distribution of gold if there is any."""
    return [richness_table(found, unit), lengths_table(found), *distribution_tables(found)]


def text_statistics_markdown(found: TextStatistics, unit: Unit = "pooled") -> str:
    """All tables as GitHub Markdown."""
    return "\n\n".join(markdown_table(table) for table in statistics_tables(found, unit)) + "\n"


def text_statistics_latex(found: TextStatistics, unit: Unit = "pooled") -> str:
    """All tables as LaTeX; needs the package booktabs."""
    return (
        "\n\n".join([LATEX_HEAD, *(latex_table(table, found.name) for table in statistics_tables(found, unit))]) + "\n"
    )


def text_statistics(found: TextStatistics, unit: Unit = "pooled") -> RenderableType:
    """All statistics for the terminal: tables, repeated texts, distribution of gold, notes."""
    heading = Text(f"{found.name}: {found.whole.items:,} items", style="bold")
    lines: list[RenderableType] = [heading.append(f"  {SIMULATED}", style="yellow") if found.is_simulated else heading]
    for table in (richness_table(found, unit), lengths_table(found)):
        lines.append(terminal_table(table))
    bars = [line for title, gold in _golds(found) for line in _bars(title, gold)]
    notes = [Text(f"note: {note}", style="dim") for note in found.notes]
    return Group(*lines, Text(), Text(_repeats(found)), *bars, *notes)


def text_statistics_sheet(found: TextStatistics, unit: Unit = "pooled") -> Sheet:
    """All statistics as a page: tables, repeated texts, distribution of gold."""
    gold = tuple(
        Figure((Panel("", "", _bar_chart(title, one)),), f"{title.capitalize()}: {_spread_words(one)}.")
        for title, one in _golds(found)
    )
    sections = [
        Section(name="words", title="Words", tables=(richness_table(found, unit),)),
        Section(name="lengths", title="Lengths and overlap", words=(_repeats(found),), tables=(lengths_table(found),)),
    ]
    if gold:
        sections.append(Section(name="gold", title="Gold", figures=gold))
    sections.append(Section(name="notes", title="Notes", words=tuple(found.notes) or ("None.",)))
    return Sheet(
        kind="statistics",
        name=found.name,
        about=f"{found.whole.items:,} items",
        summary=f"{found.whole.distinct_texts:,} different texts in {found.whole.items:,} items.",
        simulated=SIMULATED if found.is_simulated else "",
        sections=tuple(sections),
    )


def _bar_chart(title: str, gold: Distribution) -> Markup:
    total = max(sum(gold.counts), 1)
    shares = [count / total for count in gold.counts]
    frame = Frame(x=Span(gold.low, gold.high), y=Span(0, 1.05 * max(*shares, 1e-9)), left=6, width=320, height=110)
    return histogram(f"Distribution of {title}", frame, shares, kind="gold")


def richness_table(found: TextStatistics, unit: Unit = "pooled") -> Table:
    """Words and richness by part and overall: the columns of GiCCS, Table 2, plus items and types.

    Raises:
        ArgumentError: means over dialogues are asked for, but the words of pairs were counted.
    """
    if unit not in found.whole.richness:
        there = ", ".join(found.whole.richness)
        raise ArgumentError(f"'{found.name}' has no richness by {unit}", remedy=f"choose one of {there}")
    dialogues = found.words_of == "dialogues"
    heads = ["items", "dialogues" if dialogues else "texts", "RTTR", "MTLD", "tokens", "types", "lemmas"]
    passages = "turns" if dialogues else "texts"
    counted = "turns of each dialogue once" if dialogues else "each distinct text once"
    return Table(
        name="words",
        caption=f"Words of {found.name}, {counted}; {_MEASURED[unit].format(passages=passages)}, "
        f"with a threshold of {found.threshold:g}; {passages[:-1]} length in tokens.",
        columns=(
            *_part_columns(found),
            *(TableColumn(head=head) for head in heads),
            TableColumn(head=f"{passages[:-1]} length"),
        ),
        rows=tuple((*_part_cells(found, one), *_richness_cells(one, unit)) for one in _lines(found)),
    )


def _richness_cells(one: PartStatistics, unit: Unit) -> Iterator[TableCell]:
    yield _count(one.items)
    yield _count(one.passages if one.dialogues is None else one.dialogues)
    yield _figure(one.richness[unit].rttr, 2)
    yield _figure(one.richness[unit].mtld, 2)
    yield _count(one.tokens)
    yield _count(one.types)
    yield _count(one.lemmas)
    yield _figure(one.passage_length, 2)


def lengths_table(found: TextStatistics) -> Table:
    """Lengths of left, right and both texts (USTS, Table 3) and word overlap (Table 10), by part and overall."""
    chars = ("left chars", "right chars", "chars", "median chars", "most chars")
    heads = ("texts", "distinct texts", *chars, "tokens", "median tokens", "most tokens", "word overlap")
    return Table(
        name="lengths",
        caption=f"Left and right texts of {found.name}: means unless stated otherwise; overlap as in USTS, eq. 1.",
        columns=(*_part_columns(found), *(TableColumn(head=head) for head in heads)),
        rows=tuple((*_part_cells(found, one), *_length_cells(one)) for one in _lines(found)),
    )


def _length_cells(one: PartStatistics) -> Iterator[TableCell]:
    yield _count(one.texts)
    yield _count(one.distinct_texts)
    for side in ("left", "right"):
        yield _figure(one.lengths[side].characters.mean, 1)
    for spread in one.lengths["pair"]:
        yield _figure(spread.mean, 1)
        yield _figure(spread.median, 1)
        yield _figure(spread.most, 0)
    yield _figure(one.word_overlap.mean, 2)


def distribution_tables(found: TextStatistics) -> list[Table]:
    """Distributions of scores and standard deviations over ten bins; empty without gold."""
    return [
        Table(
            name=f"{title.split()[0]}-distribution",
            caption=f"{title.capitalize()} of {found.name}: {_spread_words(gold)}.{_simulated(found)}",
            columns=(TableColumn(head="from", is_header=True), TableColumn(head="to"), TableColumn(head="items")),
            rows=tuple(
                (_figure(low, 2), _figure(high, 2), _count(count))
                for (low, high), count in zip(pairwise(gold.edges), gold.counts, strict=True)
            ),
        )
        for title, gold in _golds(found)
    ]


def _golds(found: TextStatistics) -> list[tuple[str, Distribution]]:
    both = (("scores", found.whole.scores), ("sigmas", found.whole.sigmas))
    return [(title, gold) for title, gold in both if gold is not None]


def _spread_words(gold: Distribution) -> str:
    spread = gold.spread
    words = f"mean {spread.mean:.2f}, median {spread.median:.2f}, max {spread.most:.2f}"
    words += f"; {gold.missing:,} items without" if gold.missing else ""
    return words + (f"; {gold.beyond:,} beyond {gold.low:g}..{gold.high:g}" if gold.beyond else "")


def _simulated(found: TextStatistics) -> str:
    return f" {SIMULATED}." if found.is_simulated else ""


def _lines(found: TextStatistics) -> tuple[PartStatistics, ...]:
    """The parts, then all items; only all items if there is a single part."""
    return (*found.parts, found.whole) if len(found.parts) > 1 else (found.parts or (found.whole,))


def _part_columns(found: TextStatistics) -> list[TableColumn]:
    """The columns that define the parts; the last one names the row."""
    names = found.by or ("data",)
    return [
        TableColumn(head=name, is_number=name == TURNS, is_header=place == len(names))
        for place, name in enumerate(names, 1)
    ]


def _part_cells(found: TextStatistics, one: PartStatistics) -> list[TableCell]:
    if not one.part:
        return [*(TableCell(text="") for _ in found.by[1:]), TableCell(text="all")]
    return [TableCell(text=DASH if value is None else str(value)) for value in one.part]


def _count(number: int | None) -> TableCell:
    return TableCell(text=DASH) if number is None else TableCell(text=f"{number:,}", value=float(number))


def _figure(value: float, decimals: int) -> TableCell:
    return TableCell(text=DASH) if math.isnan(value) else TableCell(text=f"{value:.{decimals}f}", value=value)


def _repeats(found: TextStatistics) -> str:
    """How often texts repeat, in one line."""
    repeats = found.whole.repeats
    if repeats.most == 1:
        return "Every text occurs once."
    often = ", ".join(f"{texts:,} occur {_times(times)}" for times, texts in _shortened(repeats.times))
    example = repeats.example if len(repeats.example) <= LONGEST_EXAMPLE else f"{repeats.example[:LONGEST_EXAMPLE]}…"
    return f"Of {found.whole.distinct_texts:,} texts {often}; most often, {_times(repeats.most)}: {example}"


def _shortened(times: dict[int, int], most: int = 5) -> Sequence[tuple[int | str, int]]:
    """The smallest counts one by one, larger ones grouped."""
    ordered = sorted(times.items())
    if len(ordered) <= most:
        return ordered
    rest = ordered[most - 1 :]
    return [*ordered[: most - 1], (f"{rest[0][0]} to {rest[-1][0]}", sum(texts for _, texts in rest))]


def _times(times: int | str) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times") if isinstance(times, int) else f"{times} times"


def _bars(title: str, gold: Distribution) -> Iterator[Text]:
    """A horizontal histogram."""
    yield Text()
    yield Text(f"{title.capitalize()}: {_spread_words(gold)}", style="bold")
    tallest = max(max(gold.counts), 1)
    for (low, high), count in zip(pairwise(gold.edges), gold.counts, strict=True):
        bar = "█" * math.ceil(LONGEST_BAR * count / tallest)
        yield Text(f"{low:6.2f} –{high:6.2f} {count:7,} ").append(bar, style="cyan")
