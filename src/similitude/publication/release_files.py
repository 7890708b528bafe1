"""The files of a release: a folder for the hub, an archive, and the plan that makes both again."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.writing.atomic import draft_beside, flush_to_disk, put_in_place
from similitude.data.writing.benchmark import csv_ready
from similitude.errors import ArgumentError
from similitude.publication.archive import archive_bytes
from similitude.publication.columns import ANSWERS, release_tables
from similitude.publication.croissant import TableFile, croissant_text
from similitude.publication.data_card import data_card
from similitude.publication.mteb_task import mteb_task_text
from similitude.publication.plan import PLAN_FILE, PLAN_HEAD, plan_text
from similitude.publication.release import Release

__all__ = ["HUB_FOLDER", "MAY_GO", "check_folder", "release_files", "write_files"]

HUB_FOLDER = "huggingface"
MAY_GO = ("data/*.parquet", "judgements/*.parquet", "CITATION.*")
"""Files for the hub that one version of a release may have and the next may not."""

WRITTEN = re.compile(
    rf"{re.escape(PLAN_FILE)}|[\w.-]+-\d+\.\d+\.\d+[\w.-]*\.zip|{HUB_FOLDER}/(?:README\.md|LICENSE|CITATION\.(?:bib|txt)|"
    r"croissant\.json|mteb_task\.py|(?:data|judgements)/\w+-00000-of-00001\.parquet|(?:.*/)?__pycache__/.*)"
)
"""Paths of files that a release writes, or Python when it imports the task."""


def release_files(release: Release, out: Path) -> dict[str, bytes]:
    """The content of every file, by its path in the folder of the release.

    Args:
        release: what is published.
        out: the folder, to which paths in the plan are relative.
    """
    tables, facts = release_tables(release), release.facts
    files: dict[str, TableFile] = {
        name: (f"data/{name}-00000-of-00001.parquet", table, _parquet(table)) for name, table in tables.splits.items()
    }
    if tables.judgements is not None:
        path = f"judgements/{ANSWERS}-00000-of-00001.parquet"
        files["judgements"] = (path, tables.judgements, _parquet(tables.judgements))
    paths = {ANSWERS if name == "judgements" else name: each[0] for name, each in files.items()}
    digest = hashlib.sha256(b"".join(content for _, _, content in files.values())).hexdigest()
    card = data_card(release, tables, paths, digest)
    home = facts.homepage or f"https://huggingface.co/datasets/{facts.repository or facts.name}"
    texts = {"README.md": card, "LICENSE": facts.licence.text, **_citation(release)}
    hub = {
        **{path: content for path, _, content in files.values()},
        **{name: text.encode() for name, text in texts.items()},
        "croissant.json": croissant_text(release, files, home).encode(),
        "mteb_task.py": mteb_task_text(release).encode(),
    }
    plain = {name: text.encode() for name, text in texts.items()}
    for name, (_, table, _) in files.items():
        plain[f"{name}.csv"] = _written(csv_ready(table).write_csv)
        plain[f"{name}.jsonl"] = _written(table.write_ndjson)
    return {
        **{f"{HUB_FOLDER}/{path}": content for path, content in hub.items()},
        f"{facts.title}.zip": archive_bytes(facts.title, plain),
        PLAN_FILE: plan_text(release.plan, out, release.unnamed).encode(),
    }


def write_files(out: Path, files: Mapping[str, bytes]) -> None:
    """Write the folder, completely or not at all; an earlier release there is replaced.

    Raises:
        ArgumentError: the folder holds something else, or cannot be written.
    """
    check_folder(out)
    folder = out.resolve()
    with draft_beside(folder) as draft:
        for path, content in files.items():
            target = draft / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        if folder.is_dir():
            _replace_content(draft, folder)
        else:
            put_in_place(draft, folder)


def _replace_content(draft: Path, folder: Path) -> None:
    """Put new files in the place of those of an earlier release, each folder as a whole.

    The plan, by which a release is known, comes last, and then files go that the new release does not have.
    """
    for part in draft.rglob("*"):
        flush_to_disk(part)
    new = sorted(draft.iterdir(), key=lambda path: path.name == PLAN_FILE)
    for each in new:
        _take_the_place(each, folder / each.name, draft / f".{each.name}")
    for old in {*folder.iterdir()} - {folder / each.name for each in new}:
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    flush_to_disk(folder)


def _take_the_place(new: Path, old: Path, aside: Path) -> None:
    """Rename a file or folder to one that may be there already; if that fails, the old one stays."""
    try:
        if old.is_dir():
            old.rename(aside)
        new.replace(old)
    except BaseException:
        if aside.exists() and not old.exists():
            aside.rename(old)
        raise


def check_folder(out: Path) -> None:
    """Refuse a folder with other files in it than those of a release, because a release replaces all of them.

    Raises:
        ArgumentError: it is a file, or holds other files; the message names one. Or the folder around it is missing.
    """
    remedy = "name a folder that does not exist yet: --out FOLDER"
    if not out.parent.is_dir():
        raise ArgumentError("its folder does not exist", where=str(out), remedy=f"create {out.parent} first")
    if out.exists() and not out.is_dir():
        raise ArgumentError("is a file", where=str(out), remedy=remedy)
    other = next(_other_files(out), None)
    if other is not None:
        raise ArgumentError(f"is a folder with other files in it ({other})", where=str(out), remedy=remedy)


def _other_files(out: Path) -> Iterator[str]:
    """Files of a folder that no release has written."""
    paths = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir())
    is_release = PLAN_FILE in paths and (out / PLAN_FILE).read_bytes().startswith(PLAN_HEAD.encode())
    yield from (path for path in paths if not is_release or not WRITTEN.fullmatch(path))


def _citation(release: Release) -> dict[str, str]:
    facts = release.facts
    if facts.bibtex:
        return {"CITATION.bib": facts.bibtex + "\n"}
    return {"CITATION.txt": facts.citation.strip() + "\n"} if facts.citation else {}


def _parquet(table: pl.DataFrame) -> bytes:
    return _written(lambda file: table.write_parquet(file, compression="zstd", statistics=False))


def _written(save: Callable[[io.BytesIO], Any]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()
