"""A format: ``left | right | score``, one pair a line, after a line that says ``#bars``."""

from similitude.extend import BenchmarkSource, Format, RawTable, numbered

MARK = "#bars"


def bars() -> Format:
    """Pairs between bars."""
    return Format(
        name="bars",
        summary="two texts and a score between bars",
        recognised=f"the first line is {MARK}",
        fits=lambda seen: seen.first_line.strip() == MARK,
        tables=_tables,
    )


def _tables(source: BenchmarkSource) -> list[RawTable]:
    lines = source.path.read_text(encoding=source.encoding).splitlines()
    rows = [[field.strip() for field in line.split("|")] for line in lines[1:]]
    columns = dict(zip(("left", "right", "score"), zip(*rows, strict=True), strict=True))
    places = numbered(len(rows)) + 1  # the mark is line 1
    return [RawTable(file=source.path.name, columns=columns, starts=places, ends=places)]
