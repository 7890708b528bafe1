"""The page that starts a new study: a file and a template, or a copy of another study."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from starlette.datastructures import UploadFile
from starlette.responses import Response

from similitude.collect.annotation.drafts.draft import read_draft
from similitude.collect.annotation.drafts.new_study import Upload, fill_copy, fill_new, study_name
from similitude.collect.annotation.drafts.shown_reading import check_rows, look_at
from similitude.collect.annotation.drafts.uploads import store_upload
from similitude.collect.annotation.plan.models import ReadingPlan
from similitude.collect.annotation.shelf import free_slug
from similitude.collect.annotation.store import begin_study, led_studies
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit
from similitude.collect.annotation.web.wizard.place import place_of
from similitude.collect.annotation.web.wizard.upload_form import upload_context
from similitude.errors import SimilitudeError

__all__ = ["pages", "place_study"]

pages = Routes(Role.LEADER, prefix="/leader")


@pages.get("/new")
def show(visit: CurrentVisit) -> Response:
    """The form for a new study."""
    return _form(visit)


@pages.post("/new")
def make(visit: CurrentVisit) -> Response:
    """Make a draft from an uploaded file, and show how it was understood."""
    file = visit.form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return _form(visit, problem=visit.texts("items.file_needed"))
    template = str(visit.form.get("template", ""))
    name = str(visit.form.get("name", "")).strip()[:100]
    upload = Upload(file.file, file.filename, visit.services.settings.largest_body)
    language = visit.texts.language

    def fill(folder: Path) -> None:
        fill_new(folder, upload, template=template, name=name, language=language)

    try:
        slug = place_study(visit, study_name(name or file.filename), fill)
    except SimilitudeError as error:
        return _form(visit, problem=visit.texts("error.invalid", detail=str(error)))
    return _to_draft(visit, slug)


@pages.post("/copy")
def copy(visit: CurrentVisit) -> Response:
    """Make a draft that is a copy of another study, without its answers."""
    source = place_of(visit, str(visit.form.get("study", "")))
    name = study_name(str(visit.form.get("name", "")).strip() or f"{source.plan.name} 2")
    try:
        slug = place_study(visit, name, lambda folder: fill_copy(folder, source.draft.folder, name=name))
    except SimilitudeError as error:
        return _form(visit, problem=visit.texts("error.invalid", detail=str(error)))
    return _to_draft(visit, slug)


@pages.post("/edit/{slug}/file")
def replace_file(visit: CurrentVisit, slug: str) -> Response:
    """Another file of items for a draft; it is read anew."""
    place = place_of(visit, slug)
    file = visit.form.get("file")
    if place.running:
        raise Refusal(409, "error.invalid", detail=visit.texts("wizard.file_of_open"))
    if not isinstance(file, UploadFile) or not file.filename:
        return visit.redirect(place.address("step/data"))
    limit = visit.services.settings.largest_body
    folder = place.draft.folder
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as apart:
        made = store_upload(file.file, file.filename, Path(apart), limit=limit)
        check_rows(look_at(made, ReadingPlan()))
        stored = made.replace(folder / made.name)
    before = place.draft.items
    place.draft.save(place.plan.model_copy(update={"items": stored.name, "reading": type(place.plan.reading)()}))
    if before is not None and before != stored and before.parent == place.draft.folder:
        before.unlink(missing_ok=True)
    return visit.redirect(place.address("step/data"))


def _form(visit: Visit, *, problem: str = "") -> Response:
    return visit.page(
        "wizard/new.html",
        status=422 if problem else 200,
        problem=problem,
        studies=_led(visit),
        **upload_context(visit),
    )


def _led(visit: Visit) -> list[str]:
    """The studies that the leader may copy."""
    assert visit.leader is not None
    led = led_studies(visit.console, visit.leader)
    return [slug for slug in visit.shelf.slugs() if visit.leader.admin or slug in led]


def place_study(visit: Visit, name: str, fill: Callable[[Path], None]) -> str:
    """Lay out a study in a folder of its own, which appears whole or not at all; the leader owns it."""
    root = visit.shelf.folder
    slug = free_slug(name, {each.name for each in root.iterdir()})
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=root))
    try:
        made.chmod(0o750)
        fill(made)
        made.rename(root / slug)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    begin_study(visit.console, slug, visit.by, now=visit.now, by=visit.by)
    return slug


def _to_draft(visit: Visit, slug: str) -> Response:
    """The summary of a draft whose file was understood, else the page of the file."""
    draft = read_draft(visit.shelf.folder / slug)
    unread = draft.items is not None and look_at(draft.items, draft.plan.reading).problem is not None
    return visit.redirect(f"/leader/edit/{slug}/{'step/data' if unread else 'check'}")
