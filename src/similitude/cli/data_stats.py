"""``similitude data stats``: words, lengths, richness and overlap of the texts, and the spread of gold."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options
from similitude.cli.console import deliver, print_json, results, write_page
from similitude.inspect.words.statistics import Unit, WordsOf

__all__ = ["stats"]


def stats(
    data: options.SeveralData,
    /,
    *,
    by: options.By = None,
    words_of: Annotated[
        WordsOf | None,
        Parameter(help="Count the words of dialogues, or of distinct texts. By default of dialogues if there are any."),
    ] = None,
    richness: Annotated[
        Unit, Parameter(help="RTTR and MTLD of all words as one text, or their means over dialogues or texts.")
    ] = "pooled",
    mtld_threshold: Annotated[float, Parameter(help="Where a factor of MTLD ends.")] = 0.72,
    no_lemmas: Annotated[bool, Parameter(help="Do not lemmatise. Needs no simplemma.")] = False,
    whitespace: Annotated[bool, Parameter(help="Split Chinese at whitespace too. Needs no jieba.")] = False,
    page: options.Page = None,
    markdown: options.Markdown = None,
    latex: options.Latex = None,
    input: options.Input = options.InputOptions(),
    json: options.Json = False,
) -> None:
    """Count the words of DATA: tokens, lemmas, richness, lengths, overlap of the texts, repeats, spread of gold.

    Dialogues are grouped by turns and domain unless --by says otherwise; pairs by the first of source, language and
    split that has several values.

    Example: similitude data stats sample:dialogues --by turns,domain
    """
    from similitude.cli.progress import progress_bar
    from similitude.inspect.words import describe_texts
    from similitude.report import text_statistics as words

    benchmark = input.benchmark(data)
    with progress_bar(benchmark.name) as listener:
        found = describe_texts(
            benchmark,
            by=None if by is None else list(options.columns_in(by)),
            words_of=words_of,
            lemmas=not no_lemmas,
            whitespace=whitespace,
            threshold=mtld_threshold,
            listener=listener,
        )
    if page is not None:
        write_page(page, words.text_statistics_sheet(found, richness))
    if json:
        print_json(found.record())
        return
    if markdown is not None:
        deliver(markdown, words.text_statistics_markdown(found, richness))
    if latex is not None:
        deliver(latex, words.text_statistics_latex(found, richness))
    if markdown is None and latex is None:
        results.print(words.text_statistics(found, richness))
