"""Reader of find-related tasks: queries, a pool and links; or articles that name related ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from similitude.data.reading.column_names import ALIASES
from similitude.data.reading.format import GENERAL
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.errors import ColumnError, InputError
from similitude.evaluate.tasks.reading.kind import TaskKind, TaskSource
from similitude.evaluate.tasks.reading.rows import TaskRows, places_of, read_rows, refuse
from similitude.evaluate.tasks.search_tasks import FindRelated
from similitude.stats.arrays import Booleans

__all__ = ["find_related"]

TEXTS = {"id": ALIASES["id"], "text": ("text", "document", "article", "question", "query", "body")}
LINKS = {
    "query": ("query", "query_id", "article"),
    "document": ("document", "document_id", "doc_id", "corpus_id", "related", "pool", "answer"),
}
RELATED = ("related", "related_ids", "links")
FOLDER = "a folder with queries.csv (id, text), pool.csv (id, text) and related.csv (query, document)"
TABLE = "one table of articles: id, text and related (ids separated by blanks or semicolons)"
PARTS = re.compile(r"[;\s]+")


def find_related() -> TaskKind:
    """Find a related text in a pool."""
    return TaskKind(
        name=FindRelated.kind,
        priority=GENERAL,
        summary="find a related text for each query in a pool",
        layouts=(FOLDER, TABLE),
        fits=lambda source: _has_queries(source) or _has_articles(source),
        read=lambda source: _read_queries(source) if _has_queries(source) else _read_articles(source),
    )


def _has_queries(source: TaskSource) -> bool:
    return source.find("queries") is not None or source.find("pool") is not None


def _has_articles(source: TaskSource) -> bool:
    return source.has_columns(source.main("articles"), *TEXTS.values(), RELATED)


def _read_queries(source: TaskSource) -> FindRelated:
    queries, pool = (read_rows(source.need(role), TEXTS, None, source.reading) for role in ("queries", "pool"))
    links = read_rows(source.need("related"), LINKS, None, source.reading)
    rows, columns = places_of(queries), places_of(pool)
    refuse(_unknown(links, "query", rows, queries.file))
    refuse(_unknown(links, "document", columns, pool.file))
    is_related = np.zeros((len(queries), len(pool)), dtype=np.bool_)
    is_related[[rows[name] for name in links["query"]], [columns[name] for name in links["document"]]] = True
    is_same = _same(queries, pool)
    refuse(
        queries.table.problem(
            row,
            f"query {excerpt(queries['id'][row])} has no related text in the pool",
            f"add one to {pool.file} and {links.file}, or drop the query",
        )
        for row in np.flatnonzero(~(is_related & ~is_same).any(axis=1)).tolist()
    )
    return FindRelated(
        name=source.name,
        queries=tuple(queries["text"]),
        pool=tuple(pool["text"]),
        is_related=is_related,
        is_same=is_same,
        notes=queries.table.notes + pool.table.notes,
    )


def _read_articles(source: TaskSource) -> FindRelated:
    articles = read_rows(source.need("articles"), TEXTS, {"related": RELATED}, source.reading)
    is_related = _links(articles)
    asked = np.flatnonzero(is_related.any(axis=1))
    if not asked.size:
        raise InputError("no article names a related one", where=articles.file, remedy="fill in the column 'related'")
    rest = len(articles) - asked.size
    note = (f"{rest} articles name no related one and are only in the pool",) if rest else ()
    return FindRelated(
        name=source.name,
        queries=tuple(articles["text"][row] for row in asked.tolist()),
        pool=tuple(articles["text"]),
        is_related=is_related[asked],
        is_same=np.eye(len(articles), dtype=np.bool_)[asked],
        notes=articles.table.notes + note,
    )


def _links(articles: TaskRows) -> Booleans:
    """Articles x articles: whether the first names the second."""
    if "related" not in articles:
        raise ColumnError("no column 'related'", where=articles.file, remedy="give the ids of related articles in it")
    places = places_of(articles)
    named = [[part for part in PARTS.split(cell) if part] for cell in articles["related"]]
    refuse(_bad_links(articles, named, places))
    is_related = np.zeros((len(articles), len(articles)), dtype=np.bool_)
    for row, names in enumerate(named):
        is_related[row, [places[name] for name in names]] = True
    return is_related


def _bad_links(articles: TaskRows, named: Sequence[Sequence[str]], places: Mapping[str, int]) -> Iterator[RowProblem]:
    for row, names in enumerate(named):
        for name in names:
            if name not in places:
                yield articles.table.problem(row, f"there is no article {excerpt(name)}", "correct the id, or add it")
            elif places[name] == row:
                yield articles.table.problem(row, f"article {excerpt(name)} names itself as related", "remove it")


def _unknown(links: TaskRows, side: str, places: Mapping[str, int], file: str) -> Iterator[RowProblem]:
    for row, name in enumerate(links[side]):
        if name not in places:
            yield links.table.problem(row, f"there is no {side} {excerpt(name)} in {file}", "correct the id, or add it")


def _same(queries: TaskRows, pool: TaskRows) -> Booleans:
    """Queries x pool: the same id and the same text. Equal ids alone may be coincidence."""
    columns = {pair: column for column, pair in enumerate(zip(pool["id"], pool["text"], strict=True))}
    is_same = np.zeros((len(queries), len(pool)), dtype=np.bool_)
    for row, pair in enumerate(zip(queries["id"], queries["text"], strict=True)):
        if pair in columns:
            is_same[row, columns[pair]] = True
    return is_same
