"""The databases of the stages before a study: on a server of many studies, or beside a study that is served alone."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.cli.annotation_place import Place
    from similitude.collect.annotation.plan import StudyPlan

__all__ = ["EarlierOption", "StageDatabases", "person_of", "stage_databases"]

EarlierOption = Annotated[
    str | None,
    Parameter(
        env_var="SIMILITUDE_EARLIER",
        metavar="FILE|URL",
        help="The database of the study that this one follows, if it is not the file beside that study.",
    ),
]
ALONE = (
    "served alone, this study recognises people of the earlier one by their id on a platform, by an invitation made "
    "for them (annotate invite --person), and by a cookie if both studies have one host name; "
    "'similitude annotate serve FOLDER' with both studies recognises every browser"
)


class StageDatabases(NamedTuple):
    """The database of the study that a study follows, that of the first study of the chain, and a note."""

    earlier: str | None = None
    persons: str | None = None
    note: str | None = None


def stage_databases(plan: StudyPlan, file: Path, own: str, earlier: str | None) -> StageDatabases:
    """Where a study that is served alone finds the studies before it.

    Args:
        plan: its plan.
        file: its TOML file.
        own: its own database.
        earlier: what ``--earlier`` says.

    Raises:
        ArgumentError: the earlier study has no database, or nobody says where it is.
    """
    from similitude.collect.annotation.plan.stages import earlier_files

    if plan.follows is None:
        return StageDatabases()
    if earlier is None and "://" in own:
        what = f"nobody says where the answers of '{plan.follows.study}' are"
        raise ArgumentError(what, where=str(file), remedy="give its database: --earlier postgresql://...")
    files = [os.fspath(each.with_suffix(".db")) for each in earlier_files(file)]
    first = earlier or files[0]
    root = files[-1] if len(files) > 1 else first
    for each, study in ((first, plan.follows.study), (root, "the first study of the chain")):
        if "://" not in each and not Path(each).is_file():
            what = f"'{study}' has no database yet"
            raise ArgumentError(what, where=each, remedy="serve that study first, or serve the folder of both")
    return StageDatabases(first, root, ALONE)


def person_of(place: Place, pseudonym: str, earlier: str | None) -> str:
    """The person behind an annotator of the study that a study follows.

    Raises:
        ArgumentError: the study follows none.
        NotThere: there is no such annotator, or nobody knows who they are.
    """
    from similitude.collect.annotation.plan.reader import read_study
    from similitude.collect.annotation.shelf import StudyShelf
    from similitude.collect.annotation.shelf.stages import earlier_database
    from similitude.collect.annotation.store import open_database
    from similitude.collect.annotation.store.persons import person_of_annotator

    plan = read_study(place.needed_plan).plan
    if plan.follows is None:
        raise ArgumentError("the study follows none, so there is no such person", remedy="leave --person out")
    if place.folder is not None:
        with closing(StudyShelf(place.folder, place.database)) as shelf:
            database = earlier_database(shelf, place.slug)()
            assert database is not None
            return person_of_annotator(database, pseudonym)
    found = stage_databases(plan, place.needed_plan, place.url, earlier)
    with closing(open_database(str(found.earlier), create=False)) as database:
        return person_of_annotator(database, pseudonym)
