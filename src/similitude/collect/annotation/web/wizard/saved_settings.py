"""Settings that are saved: at once in a draft, after a look at the changes in a study that has been opened."""

from __future__ import annotations

from similitude.collect.annotation import store
from similitude.collect.annotation.drafts.draft import PLAN, save_text
from similitude.collect.annotation.drafts.text_scale import check_guidelines, note_scale, read_again
from similitude.collect.annotation.store.previews import end_previews
from similitude.collect.annotation.store.refusals import Conflict, NotThere
from similitude.collect.annotation.web.visit import Visit
from similitude.collect.annotation.web.wizard.place import StudyPlace
from similitude.collect.annotation.web.wizard.steps import Edit
from similitude.data.writing.atomic import write_atomically
from similitude.errors import InputError, SimilitudeError

__all__ = ["open_study", "refuse_stale", "save_edit"]


def refuse_stale(place: StudyPlace, stamp: str) -> None:
    """Refuse a form that was made from an older state of the study's file.

    Raises:
        Conflict: somebody changed the file in the meantime.
    """
    if stamp and stamp != place.draft.stamp:
        raise Conflict("changed_meanwhile", "the study's file was changed in the meantime", remedy="look at it again")


def save_edit(visit: Visit, place: StudyPlace, edit: Edit) -> None:
    """Write an edit to the study's files; those of a study that has been opened are checked first, and put to work.

    Raises:
        SimilitudeError: the changed study is not in order, or does not fit the answers; nothing was changed.
    """
    folder = place.draft.folder
    if place.running:
        _check(place, edit)
    elif edit.plan.task != place.plan.task:
        _end_previews(visit, place)
    before = (folder / PLAN).read_bytes()
    if edit.texts_seen:
        read_again(place.draft)
    else:
        note_scale(place.draft, edit.plan, edit.texts)
    for name, text in edit.texts.items():
        save_text(folder, name, text)
    place.draft.save(edit.plan)
    if not place.running:
        return
    try:
        visit.shelf.reload(place.slug, by=visit.by)
    except SimilitudeError:
        write_atomically(folder / PLAN, lambda draft: draft.write_bytes(before))
        raise


def _check(place: StudyPlace, edit: Edit) -> None:
    for name, text in edit.texts.items():
        if not (place.draft.folder / name).exists():
            save_text(place.draft.folder, name, text)
    problem = place.check(edit.plan).problem
    if problem is not None:
        raise InputError(problem.what, where=problem.where, remedy=problem.remedy)


def _end_previews(visit: Visit, place: StudyPlace) -> None:
    try:
        end_previews(visit.shelf.database(place.slug), now=visit.now, by=visit.by)
    except NotThere:  # its files were never in order, so nobody has seen it
        return


def open_study(visit: Visit, place: StudyPlace) -> None:
    """Open a draft: read its files once more, end its previews, and let people in.

    Raises:
        InputError: the study is not in order.
    """
    check_guidelines(place.draft.folder)
    visit.shelf.reload(place.slug, by=visit.by)
    database = visit.shelf.database(place.slug)
    end_previews(database, now=visit.now, by=visit.by)
    store.set_state(database, "open", now=visit.now, by=visit.by)
