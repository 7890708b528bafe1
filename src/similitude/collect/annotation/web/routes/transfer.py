"""The leader's upload of items and downloads of answers."""

from __future__ import annotations

from starlette.datastructures import UploadFile
from starlette.responses import Response

from similitude.collect.annotation.store import add_questions, export_csv, export_jsonl
from similitude.collect.annotation.web.added_items import questions_from_file
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.streams import streamed
from similitude.collect.annotation.web.visit import CurrentVisit, Visit
from similitude.errors import ArgumentError, InputError

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader")


@pages.get("/export")
def show_exports(visit: CurrentVisit) -> Response:
    """The page of downloads."""
    return visit.page("leader/export.html")


@pages.get("/export.jsonl")
def download_jsonl(visit: CurrentVisit, everything: bool = False) -> Response:
    """The answers that count, or everything, as JSON lines; streamed."""
    rows = export_jsonl(visit.database, everything=everything)
    return streamed(rows, media_type="application/x-ndjson", headers=_download(visit, "jsonl"))


@pages.get("/export.csv")
def download_csv(visit: CurrentVisit, everything: bool = False) -> Response:
    """The answers that count, or everything, as CSV; streamed."""
    rows = export_csv(visit.database, everything=everything)
    return streamed(rows, media_type="text/csv; charset=utf-8", headers=_download(visit, "csv"))


@pages.get("/items")
def show_items(visit: CurrentVisit) -> Response:
    """The form to add items."""
    return _items(visit)


@pages.post("/items")
def add_items(visit: CurrentVisit) -> Response:
    """Add the items of a file to the running study."""
    file = visit.form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return _items(visit, problem=visit.texts("items.file_needed"))
    try:
        questions = questions_from_file(visit.study.plan, file.filename, file.file.read())
        done = add_questions(visit.database, questions, now=visit.now, by=visit.by)
    except (InputError, ArgumentError) as error:
        return _items(visit, problem=visit.texts("error.invalid", detail=str(error)))
    return _items(visit, done=done)


def _items(visit: Visit, *, done: int | None = None, problem: str = "") -> Response:
    limit = f"{visit.services.settings.largest_body / 1_000_000:g}"
    return visit.page("leader/items.html", status=422 if problem else 200, done=done, problem=problem, limit=limit)


def _download(visit: Visit, ending: str) -> dict[str, str]:
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in visit.study.plan.name)
    return {"Content-Disposition": f'attachment; filename="{name}.{ending}"'}
