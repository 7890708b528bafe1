"""``similitude annotate export``, ``import`` and ``backup``: answers and whole studies, in and out."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from similitude.cli.annotate import DatabaseOption, StudyFile, StudyOrFolder, say
from similitude.cli.annotation_place import BY, find_place, now
from similitude.data.plural import counted

if TYPE_CHECKING:
    from similitude.collect.annotation.records import StudyState

__all__ = ["backup", "export", "import_"]

BackupFile = Annotated[Path, Parameter(metavar="FILE", help="A new database, or a .zip of all tables as JSON lines.")]


def export(
    study: StudyFile,
    /,
    *,
    out: Annotated[
        Path | None, Parameter(metavar="FILE", help="A .jsonl or .csv file. By default standard output.")
    ] = None,
    out_format: Annotated[
        Literal["jsonl", "csv"] | None, Parameter(help="The format to write, if the suffix does not say it.")
    ] = None,
    everything: Annotated[
        bool,
        Parameter(name="--all", help="Include gold, repeats, training, changed answers, skips, excluded annotators."),
    ] = False,
    survey: Annotated[
        bool, Parameter(help="Write the answers to the survey instead, which hold no judgements.")
    ] = False,
    database: DatabaseOption = None,
) -> None:
    """Write the answers, ready for 'similitude gold'.

    Example: similitude annotate export study.toml --out answers.jsonl
    """
    from similitude.cli.progress import progress_bar
    from similitude.collect.annotation.store import export_csv, export_jsonl, export_survey, write_export

    with find_place(study, database).study() as db:
        if survey:
            count = export_survey(db, out, format=out_format, everything=everything, stream=sys.stdout)
            if out is not None:
                say(f"{counted(count, 'answer')} to the survey written to {out}")
            return
        if out is not None:
            with progress_bar(out.name) as listener:
                count = write_export(db, out, format=out_format, everything=everything, listener=listener)
            say(f"{counted(count, 'answer')} written to {out}")
            return
        lines = export_csv if out_format == "csv" else export_jsonl
        for line in lines(db, everything=everything):
            sys.stdout.write(line)


def import_(
    study: StudyOrFolder,
    source: Annotated[Path, Parameter(metavar="EXPORT", help="What 'export' wrote, or a backup (.zip).")],
    /,
    *,
    database: DatabaseOption = None,
) -> None:
    """Import an export into STUDY, which must have no answers, or restore a backup into an empty database.

    The backup of a FOLDER of studies is restored into a new folder.

    Example: similitude annotate import study.toml backup.zip
    """
    from similitude.collect.annotation import store
    from similitude.collect.annotation.plan.reader import read_study

    place = find_place(study, database)
    if source.suffix.lower() == ".zip" and (place.plan is None or not study.exists()) and study.suffix != ".toml":
        from similitude.collect.annotation.shelf import restore_folder

        restored = restore_folder(study, source, database)
        say(f"{source} restored: {', '.join(restored) or 'no studies'}")
        return
    with place.study(create=True) as db:
        if source.suffix.lower() == ".zip":
            store.restore(db, source)
            say(f"{source} restored")
            return
        rows = store.read_export(source)
        state: StudyState = "draft" if place.folder is not None else "open"
        store.put_study(db, read_study(place.needed_plan), now=now(), by=BY, state=state)
        count = store.import_rows(db, rows, where=source.name, now=now(), by=BY)
        say(f"{counted(count, 'answer')} imported")


def backup(
    study: StudyOrFolder,
    target: BackupFile,
    /,
    *,
    database: DatabaseOption = None,
) -> None:
    """Write a backup. People may keep working. Of a FOLDER, all studies and leaders are kept in one .zip.

    Example: similitude annotate backup study.toml backup.zip
    """
    from similitude.collect.annotation.shelf import StudyShelf, backup_folder
    from similitude.collect.annotation.store import backup as write

    place = find_place(study, database)
    if place.plan is None:
        with closing(StudyShelf(place.path, database)) as shelf:
            say(f"written to {backup_folder(shelf, target)}")
        return
    with place.study() as db:
        say(f"written to {write(db, target)}")
