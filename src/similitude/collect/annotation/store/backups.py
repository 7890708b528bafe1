"""Backups: written while the server runs, and restored."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.export import rows_in
from similitude.collect.annotation.store.schema_upgrade import migrate
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import Moment, Ordering, metadata, study
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, InputError

__all__ = ["backup", "restore"]

FORMAT = 1
CHUNK = 500


def backup(db: Database, path: str | Path) -> Path:
    """Write a consistent backup; the server keeps running.

    A SQLite database becomes another SQLite database, which `annotate serve --database` can open; a path that ends in
    ``.zip`` (for PostgreSQL: always) becomes an archive of all tables as JSONL, beside the export, for `restore`.

    Raises:
        ArgumentError: nothing can be written there.
        StoreUnavailable: the database cannot be reached.
    """
    target = Path(path)
    if db.path is not None and target.suffix.lower() != ".zip":
        source = db.path
        if target.absolute() == source:
            raise ArgumentError("is the database itself", where=str(target), remedy="name another file")
        write_atomically(target, lambda draft: _copy(source, draft))
    else:
        write_atomically(target, lambda draft: _archive(db, draft))
    return target


def _copy(source: Path, draft: Path) -> None:
    address = f"file:{quote(str(source))}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as there, closing(sqlite3.connect(draft)) as here:
        there.backup(here)  # in one step: what others write meanwhile waits in the log
        here.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it


def _archive(db: Database, draft: Path) -> None:
    with reading(db) as connection, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        revision = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one()
        archive.writestr("manifest.json", json.dumps({"format": FORMAT, "revision": revision}))
        for table in _kept_tables():
            _write(archive, f"tables/{table.name}.jsonl", _plain_rows(connection, table))
        if connection.execute(sa.select(study.c.id)).first() is not None:  # a console holds none
            _write(archive, "judgements.jsonl", rows_in(connection, study_in(db, connection), everything=True))


def _kept_tables() -> list[sa.Table]:
    """The tables that a backup holds, without those that are computed again."""
    return [table for table in metadata.sorted_tables if not table.info.get("derived")]


def _write(archive: zipfile.ZipFile, name: str, rows: Iterator[dict[str, Any]]) -> None:
    with archive.open(name, "w", force_zip64=True) as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def _plain_type(column: sa.Column[Any]) -> Any:
    """The database's own type of a column: times are numbers, orders are text."""
    return column.type.impl_instance if isinstance(column.type, Moment | Ordering) else column.type


def _plain_columns(table: sa.Table) -> list[Any]:
    return [sa.type_coerce(column, _plain_type(column)).label(column.name) for column in table.columns]


def _plain_rows(connection: sa.Connection, table: sa.Table) -> Iterator[dict[str, Any]]:
    query = sa.select(*_plain_columns(table)).order_by(*table.primary_key.columns)
    for row in connection.execute(query.execution_options(yield_per=CHUNK)):
        yield dict(row._mapping)


def restore(db: Database, path: str | Path) -> None:
    """Restore an archive into an empty database of either kind.

    Raises:
        InputError: the file is not such an archive.
        ArgumentError: the database is not empty, or the archive comes from a newer version of Similitude.
    """
    source = Path(path)
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = json.loads(archive.read("manifest.json"))
            _check(manifest, source)
            migrate(db, manifest["revision"])
            with writing(db) as connection:
                _fill(db, connection, archive)
            migrate(db)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise InputError(f"is not a Similitude backup: {error}", where=source.name, remedy="give a .zip") from None


def _check(manifest: Any, source: Path) -> None:
    if manifest.get("format") != FORMAT:
        what = f"has format {manifest.get('format')}, but this version reads {FORMAT}"
        raise ArgumentError(what, where=source.name, remedy="use a newer version of Similitude")


def _fill(db: Database, connection: sa.Connection, archive: zipfile.ZipFile) -> None:
    """Write the tables of the archive; an older one lacks those that came later."""
    tables = [table for table in _kept_tables() if f"tables/{table.name}.jsonl" in archive.namelist()]
    for table in tables:
        if connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() is not None:
            raise ArgumentError("the database is not empty", remedy="restore into a new one")
    for table in tables:
        plain = sa.table(table.name, *(sa.column(column.name, _plain_type(column)) for column in table.columns))
        rows: list[dict[str, Any]] = []
        with archive.open(f"tables/{table.name}.jsonl") as file:
            for line in file:
                rows.append(json.loads(line))
                if len(rows) >= CHUNK:
                    connection.execute(sa.insert(plain), rows)
                    rows = []
        if rows:
            connection.execute(sa.insert(plain), rows)
        if db.dialect == "postgresql" and "id" in table.columns and table.name != "study":
            _count_on(connection, table.name)


def _count_on(connection: sa.Connection, table: str) -> None:
    """Make new rows get ids after the restored ones."""
    last = f"(SELECT coalesce(max(id), 0) + 1 FROM {table})"
    connection.execute(sa.text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last}, false)"))
