"""``similitude data stats``: the words of a benchmark, how long, varied and alike its texts are, how gold spreads."""

from __future__ import annotations

from typing import Annotated

import typer

from similitude.cli import options
from similitude.cli.console import deliver, print_json, results
from similitude.cli.judgements import deliver_page

__all__ = ["stats"]


def stats(
    data: options.SeveralData,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMNS",
            help="What to part items by, between commas: turns, domain, source, language, split. Dialogues are parted "
            "by turns and domain otherwise, pairs by the first of the others that tells items apart.",
        ),
    ] = None,
    words_of: Annotated[
        str | None,
        typer.Option(
            "--words-of",
            metavar="dialogues|pairs",
            help="Whose words to count: the turns of each dialogue, or each distinct left or right text. Dialogues "
            "where there are any.",
        ),
    ] = None,
    richness: Annotated[
        str,
        typer.Option(
            "--richness",
            metavar="pooled|dialogue|text",
            help="RTTR and MTLD of all words of a row as one text, or means over dialogues or over texts.",
        ),
    ] = "pooled",
    threshold: Annotated[float, typer.Option("--threshold", help="Where factors of MTLD end.")] = 0.72,
    no_lemmas: Annotated[bool, typer.Option("--no-lemmas", help="Do without lemmas, and without simplemma.")] = False,
    whitespace: Annotated[
        bool, typer.Option("--whitespace", help="Cut Chinese at whitespace too; needs no jieba.")
    ] = False,
    markdown: Annotated[
        str | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown tables instead; - prints them.")
    ] = None,
    latex: Annotated[
        str | None, typer.Option("--latex", metavar="FILE", help="Write LaTeX tables instead; - prints them.")
    ] = None,
    page: options.Page = None,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Count the words of DATA: tokens, lemmas, richness, lengths, overlap of the two texts, repeats, spread of gold.

    Example: similitude data stats dialogues.jsonl --by turns,domain
    """
    from similitude.data.addresses import open_benchmark
    from similitude.inspect.words import describe_texts
    from similitude.inspect.words.statistics import UNITS, WORDS_OF
    from similitude.report import text_statistics as words

    unit = options.choose("unit of richness", richness, UNITS)
    reading = options.reading_options(format, column, scale, encoding, on_error)
    found = describe_texts(
        open_benchmark(options.data_paths(data), **reading),
        by=None if by is None else [name.strip() for name in by.split(",") if name.strip()],
        words_of=None if words_of is None else options.choose("kind of text to count words of", words_of, WORDS_OF),
        lemmas=not no_lemmas,
        whitespace=whitespace,
        threshold=threshold,
    )
    if page is not None:
        deliver_page(page, words.text_statistics_sheet(found, unit))
    if json:
        print_json(found.record())
        return
    if markdown is not None:
        deliver(markdown, words.text_statistics_markdown(found, unit))
    if latex is not None:
        deliver(latex, words.text_statistics_latex(found, unit))
    if markdown is None and latex is None:
        results.print(words.text_statistics(found, unit))
