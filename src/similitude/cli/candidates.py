"""``similitude candidates``: from raw texts to pairs that are worth judging."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from similitude.cli import options, parameters
from similitude.cli.console import print_path, show
from similitude.cli.engine_options import EngineOptions, Engines

__all__ = ["candidates"]

UNREAD = ["format", "scale", "decimal", "missing"]
"""Options of input that say something about scores, which texts do not have."""


@dataclass(frozen=True, kw_only=True)
class TextOptions:
    """Which texts are kept.

    Attributes:
        characters: keep texts of so many characters, as in 20..100.
        words: keep texts of so many words, as in 5.. or 5..40.
        language: keep texts in this language, as in en. Repeatable.
        duplicates: the similarity from which on two texts are near-duplicates: 0.8, exact or none.
        vectors: vectors of the texts in a file, one for each row, instead of those of a system.
    """

    characters: Annotated[str | None, Parameter(metavar="LOW..HIGH")] = None
    words: Annotated[str | None, Parameter(metavar="LOW..HIGH")] = None
    language: Annotated[tuple[str, ...], Parameter(metavar="CODE")] = ()
    duplicates: Annotated[str | None, Parameter(metavar="SIMILARITY")] = None
    vectors: Annotated[Path | None, Parameter(metavar="FILE")] = None

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `candidates`."""
        clean = {"characters": self.characters, "words": self.words, "languages": self.language or None}
        return {
            "clean": options.given(clean) or None,
            "duplicates": None if self.duplicates is None else _similarity(self.duplicates),
            "texts": None if self.vectors is None else {"vectors": str(self.vectors)},
        }


@dataclass(frozen=True, kw_only=True)
class PairOptions:
    """How texts become pairs, and which pairs become items.

    Attributes:
        items: how many pairs to draw. By default all that the filters keep.
        pair: the system whose vectors find neighbours. By default use.
        k: how many neighbours each text is paired with. By default 10.
        pair_by: ways to find pairs. Repeatable. By default neighbours.
        filter: keep pairs for which this holds, as in "cosine >= 0.4". Repeatable; see docs/candidates.md.
        within: pair only texts with the same value in this column.
        across: pair only texts with different values in this column.
        spread: draw evenly over this, such as cosine.
    """

    items: Annotated[int | None, Parameter(metavar="N", validator=Number(gte=1))] = None
    pair: Annotated[str | None, Parameter(metavar="SYSTEM")] = None
    k: Annotated[int | None, Parameter(metavar="N", validator=Number(gte=1))] = None
    pair_by: Annotated[tuple[Literal["neighbours", "words", "random", "hard-negatives"], ...], Parameter()] = ()
    filter: Annotated[tuple[str, ...], Parameter(metavar="FILTER")] = ()
    within: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    across: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    spread: Annotated[str | None, Parameter(metavar="VALUE")] = None

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `candidates`."""
        return {
            "items": self.items,
            "pair": self.pair,
            "k": self.k,
            "by": self.pair_by or None,
            "filters": self.filter or None,
            "pairs": options.given({"within": self.within, "across": self.across}) or None,
            "select": options.given({"spread": self.spread}) or None,
        }


def candidates(
    data: Annotated[
        str,
        parameters.data("Texts (one a line, a table, hf:NAME or sample:NAME), or a plan: PLAN.toml.", "DATA"),
    ],
    /,
    *,
    out: Annotated[
        Path, Parameter(metavar="DIR", help="The folder for items, page and stages; a search goes on from there.")
    ],
    pairs: Annotated[PairOptions, parameters.flat(parameters.COMMON)] = PairOptions(),
    texts: Annotated[TextOptions, parameters.flat(parameters.COMMON)] = TextOptions(),
    seed: Annotated[int | None, parameters.number("The seed of everything random. By default 0.", least=0)] = None,
    memory: Annotated[
        str | None, Parameter(metavar="SIZE", help="Memory to use, as in 2GB. By default half of what is free.")
    ] = None,
    search_device: Annotated[
        str | None, Parameter(metavar="DEVICE", help="Search neighbours exactly on a GPU: cuda or cuda:1.")
    ] = None,
    engine: Engines = EngineOptions(),
    cached: options.Cache = options.CacheOptions(),
    input: Annotated[options.InputOptions, parameters.flat(parameters.INPUT, without=UNREAD)] = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Find pairs of texts that are worth judging.

    Texts are cleaned and rid of near-duplicates, paired with their nearest neighbours, filtered, and drawn. The same
    command goes on where it was interrupted. Options override what a plan says.

    Example: similitude candidates sentences.txt --items 500 --filter "cosine >= 0.4" --filter "iou <= 0.2" --out mine
    """
    from similitude.report.candidates import candidates_view
    from similitude.study.candidates.execution import candidates as find

    reading = {name: value for name, value in input.arguments().items() if name not in UNREAD}
    with output.progress(Path(data).stem) as listener:
        found = find(
            data,
            **pairs.arguments(),
            **texts.arguments(),
            seed=seed,
            out=out,
            memory=memory,
            device=search_device,
            engine=engine.engine,
            address=engine.address,
            workers=engine.workers,
            gpus=engine.gpus,
            cache=not cached.no_cache,
            reading=reading,
            listener=listener,
        )
    show(found, candidates_view, json=output.json, quiet=output.quiet, notes=found.notes)
    if not output.json:
        print_path(out / "items.jsonl")
        print_path(out / "index.html")


def _similarity(written: str) -> float | str | bool:
    """The similarity of near-duplicates; words are checked with the plan."""
    if written == "none":
        return False
    try:
        return float(written)
    except ValueError:
        return written
