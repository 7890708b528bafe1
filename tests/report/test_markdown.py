import re

from similitude.report.markdown import markdown_tables


def rows(text: str) -> list[list[str]]:
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]


def test_every_table_is_rectangular(opinions, plain, hostile):
    for run in (opinions, plain, hostile):
        for table in re.split(r"\n\n", markdown_tables(run)):
            assert len({len(row) for row in rows(table)}) <= 1


def test_figures_intervals_letters_and_notes(opinions):
    text = markdown_tables(opinions)
    best = max(row[0].value for row in opinions.figures)
    interval = next(
        i[0] for i, f in zip(opinions.confidence.intervals, opinions.figures, strict=True) if f[0].value == best
    )
    assert f"**{best:.3f}**<sup>a</sup> [{interval.low:.2f}, {interval.high:.2f}]" in text
    assert "| rank | system | spearman ↑ | pearson ↑ | mae ↓ | kl ↓ |\n| ---: | --- | ---: |" in text
    assert "<sup>1</sup> undefined: the system gives no standard deviation" in text
    assert text.count("SIMULATED judgements") == 7, "the page and each of its six tables"


def test_names_cannot_break_the_table(hostile):
    text = markdown_tables(hostile)
    assert "bad\\|\\<system\\>" in text
    assert "good\\_system" in text
    assert "<b>" not in text


def test_parts_by_a_column_on_all_measures(opinions):
    text = markdown_tables(opinions, ["contention"])
    assert "contention: contentious, 21 items" in text
    part = text.partition("contention: contentious")[2]
    assert part.count("| –<sup>1</sup> |") == 4, "four systems without a sigma"
