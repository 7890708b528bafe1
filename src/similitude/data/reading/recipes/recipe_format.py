"""Formats made from recipes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.column_names import ALIASES
from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import FORMATS, BenchmarkSource, Format
from similitude.data.reading.recipe_marks import Marks, is_recognised
from similitude.data.reading.recipes.cells import (
    require_columns,
    split_cells,
    split_turns,
    with_detail,
    with_ratings,
    with_template,
    without_codes,
)
from similitude.data.reading.recipes.other_files import with_columns_beside, with_documents
from similitude.data.reading.recipes.recipe import TEXT_COLUMNS, Recipe
from similitude.data.reading.recipes.recipe_tables import Recognised
from similitude.data.reading.recipes.stored_table import stored_table
from similitude.data.reading.recipes.table_files import TableFile, table_files
from similitude.data.reading.sniffer import HUB
from similitude.data.reading.tables import RawTable
from similitude.errors import ArgumentError

__all__ = ["format_of", "recognition_in_words"]

NUMBERS = ("score", "sigma", "standard_error")
LICENCE: Mapping[str, Sequence[str]] = {"licence": ("licence",)}


def format_of(recipe: Recipe) -> Format:
    """The format that a recipe describes.

    Raises:
        ArgumentError: the recipe reads judgements.
        UnknownNameError: the recipe names a format that there is not.
    """
    if recipe.reads != "benchmark":
        what = f"recipe '{recipe.name}' reads judgements, not a benchmark"
        raise ArgumentError(what, remedy=f"pass the file to gold or reliability (--format {recipe.format})")
    known = FORMATS.maker(recipe.format)() if recipe.format else None
    return Format(
        name=recipe.name,
        summary=recipe.listed_summary,
        recognised=recognition_in_words(recipe.recognised),
        fits=lambda sniffer: is_recognised(Marks.of(recipe.recognised.model_dump()), sniffer),
        tables=lambda source: [_stated(table, recipe) for table in _tables(recipe, known, source)],
        layout=_layout(recipe) if known is None else _extended(known.layout, recipe),
    )


def recognition_in_words(marks: Recognised) -> str:
    """How files are recognised, for listings."""
    file = [f"named {' or '.join(marks.files)}"] if marks.files else []
    file += [f"with the columns {', '.join(marks.columns)}"] if marks.columns else []
    said = [f"a file {' '.join(file)}"] if file else []
    said += [f"a folder that holds {' or '.join(marks.folders)}"] if marks.folders else []
    said += [f"{HUB}{name}" for name in marks.hub]
    return ", or ".join(said) or "not recognised; name it with --format"


def _layout(recipe: Recipe) -> ColumnLayout:
    scale, derived = recipe.parsed_scale, recipe.ratings is not None and recipe.ratings.mean
    low, high = (scale.low, scale.high) if scale else (0.0, 0.0)

    def derive(frame: pl.DataFrame) -> pl.DataFrame:
        if derived and "score" not in frame.columns and "ratings" in frame.columns:
            frame = frame.with_columns(score=pl.col("ratings").list.mean())
        if recipe.reversed and "score" in frame.columns:
            on_scale = pl.col("score").is_between(low, high)  # others stay, so that messages quote them as they are
            frame = frame.with_columns(score=pl.when(on_scale).then(low + high - pl.col("score")).otherwise("score"))
        return frame

    return ColumnLayout(
        aliases=ALIASES if not recipe.names_columns else _exact_names(recipe),
        scale=scale,
        values={ours: {theirs.lower(): own for theirs, own in words.items()} for ours, words in recipe.values.items()},
        own_ids=not recipe.number_repeated_ids,
        derive=derive,
        quiet=recipe.names_columns,
    )


def _extended(layout: ColumnLayout, recipe: Recipe) -> ColumnLayout:
    """The layout of a format with what the recipe adds."""
    return replace(layout, aliases={**layout.aliases, **LICENCE}, scale=recipe.parsed_scale or layout.scale)


def _exact_names(recipe: Recipe) -> Mapping[str, Sequence[str]]:
    """Our columns under the names that the recipe gives; under our own names where it is silent."""
    return {**{ours: (recipe.columns.get(ours, ours),) for ours in BENCHMARK_SCHEMA}, **LICENCE}


def _tables(recipe: Recipe, known: Format | None, source: BenchmarkSource) -> Sequence[RawTable]:
    if known is not None:
        return known.tables(source)
    if source.table is not None:
        return [_cooked(source.table, TableFile(Path(), {}), recipe, source)]
    if str(source.path).startswith(HUB):
        tables = FORMATS.maker("huggingface")().tables(source)
        return [_cooked(table, TableFile(Path(), {}), recipe, source) for table in tables]
    files = table_files(recipe, source.path)
    names = recipe.mentioned
    tables = [stored_table(file.path, source, recipe.container, names) for file in files]
    return [_cooked(table, file, recipe, source) for table, file in zip(tables, files, strict=True)]


def _cooked(table: RawTable, file: TableFile, recipe: Recipe, source: BenchmarkSource) -> RawTable:
    """The table with everything that the recipe says of its columns."""
    table = replace(table, notes=(*table.notes, *file.notes))
    for beside in recipe.beside:
        table = with_columns_beside(table, file, beside, recipe, source)
    if not len(table):
        return table
    table = _with_texts(table, file, recipe)
    needed = [theirs for ours, theirs in recipe.columns.items() if ours not in {*recipe.optional, *source.columns}]
    require_columns(table, needed, "columns", recipe.name)
    table = _with_scores(_with_names(table, file, recipe), recipe)
    spent = recipe.only_in_templates - {*source.columns.values(), *table.constants}
    return replace(table, columns={name: column for name, column in table.columns.items() if name not in spent})


def _with_texts(table: RawTable, file: TableFile, recipe: Recipe) -> RawTable:
    if recipe.split:
        require_columns(table, [recipe.split.column], "split.column", recipe.name)
        table = split_cells(table, recipe.split)
    if recipe.turns:
        require_columns(table, [recipe.turns.column], "turns.column", recipe.name)
        table = split_turns(table, recipe.turns)
    if recipe.documents:
        require_columns(table, [recipe.documents.left, recipe.documents.right], "documents", recipe.name)
        table = with_documents(table, recipe.documents, file.path.parent)
    return table


def _with_names(table: RawTable, file: TableFile, recipe: Recipe) -> RawTable:
    """The table with constants, values from the file name, and templates."""
    said = {name: value for name, value in file.fields.items() if name in TEXT_COLUMNS}
    said = {name: recipe.values.get(name, {}).get(value, value) for name, value in said.items()}
    table = replace(table, constants={**recipe.constants, **table.constants, **said})
    for ours, template in recipe.templates.items():
        table = with_template(table, ours, template, file.fields)
    return table


def _with_scores(table: RawTable, recipe: Recipe) -> RawTable:
    """The table with scores and ratings, without codes."""
    ratings = recipe.ratings.columns if recipe.ratings else ()
    names = [recipe.columns.get(name, name) for name in NUMBERS]
    cells = CellValues(missing=recipe.codes.missing, decimal=recipe.container.decimal)
    table = without_codes(table, [*names, *ratings], cells, "missing")
    table = without_codes(table, names[:1], CellValues(missing=recipe.codes.hidden), "hidden gold")
    if recipe.ratings:
        require_columns(table, ratings, "ratings.columns", recipe.name)
        table = with_ratings(table, recipe.ratings)
    return table


def _stated(table: RawTable, recipe: Recipe) -> RawTable:
    """The table with the licence as a fact, and how to cite it as a note."""
    licence = {"licence": pl.Series([recipe.licence] * len(table), dtype=pl.String)} if recipe.licence else {}
    table = with_detail(table, "recipe", recipe.name)
    return replace(table, columns={**table.columns, **licence}, notes=(*table.notes, *_notes(recipe)))


def _notes(recipe: Recipe) -> Iterator[str]:
    if recipe.citation:
        yield f"citation: {recipe.citation}"
    if recipe.reversed and recipe.scale:
        yield f"scores were turned round, so that the high end of {recipe.scale} means similar"
