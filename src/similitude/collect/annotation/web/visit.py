"""A request for the routes: who sent it, with the study, the language and the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, RedirectResponse

from similitude.collect.annotation.records import Annotator, Leader, LeaderRole, Scope
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.store import Database, StudyRecord
from similitude.collect.annotation.web.addresses import local_path, root_of
from similitude.collect.annotation.web.fixed_parts import FixedParts
from similitude.collect.annotation.web.language import Texts
from similitude.collect.annotation.web.renderer import render
from similitude.collect.annotation.web.security.cookies import Cookie, set_cookie
from similitude.collect.annotation.web.security.csrf import form_token
from similitude.collect.annotation.web.security.headers import content_security_policy
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.services import Services

__all__ = ["CurrentVisit", "RowNumber", "Visit", "row_number"]


@dataclass(slots=True, kw_only=True)
class Visit:
    """One request, after the check of its role.

    Attributes:
        record: the study; None on the pages of the console, which belong to none.
        role: what the leader is in the study; for a study that is served alone, its owner.
        session: the secret of the annotator's, leader's or visitor's session; forms are bound to it.
        new_visitor: whether ``session`` is new, so that its cookie has to be set.
        scope: what a token of the API must be allowed here; None for anything.
        form: the fields of the form, if one was sent.
    """

    request: Request
    services: Services
    record: StudyRecord | None
    parts: FixedParts
    languages: tuple[str, ...]
    session: str = ""
    new_visitor: bool = False
    annotator: Annotator | None = None
    leader: Leader | None = None
    role: LeaderRole | None = None
    scope: Scope | None = None
    form: FormData = field(default_factory=FormData)

    @property
    def texts(self) -> Texts:
        """The texts in the language of the request."""
        return self.parts.texts

    @property
    def study(self) -> StudyRecord:
        """The study; only on the pages of a study."""
        assert self.record is not None
        return self.record

    @property
    def shelf(self) -> StudyShelf:
        """All studies of the server; only on a server with many."""
        assert self.services.shelf is not None
        return self.services.shelf

    @property
    def owns(self) -> bool:
        """Whether the leader may close the study and choose its leaders."""
        return self.role in ("owner", "admin")

    @property
    def database(self) -> Database:
        """The database of the study; on the pages of the console, that of the console."""
        return self.services.database

    @property
    def console(self) -> Database:
        """The database of leaders, their sessions and tokens; for a study that is served alone, its own."""
        return self.services.console

    @property
    def now(self) -> datetime:
        """The time."""
        return self.services.clock()

    @property
    def worker(self) -> Annotator:
        """The annotator who sent the request; only on routes with that role."""
        assert self.annotator is not None
        return self.annotator

    @property
    def by(self) -> str:
        """The name of the leader who sent the request, for the log; only on routes with that role."""
        assert self.leader is not None
        return self.leader.name

    def page(self, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
        """A page from a template."""
        response = HTMLResponse(render(template, {**self.base(), **context}), status_code=status)
        if self.new_visitor:
            set_cookie(response, self.services.settings, Cookie.VISITOR, self.session)
        if self.annotator is not None and self.annotator.source == "preview":
            self._let_frame(response)
        return response

    def _let_frame(self, response: HTMLResponse) -> None:
        """Let our own pages show this one in a frame, as the preview of a study does."""
        settings = self.services.settings
        response.headers["Content-Security-Policy"] = content_security_policy(
            frame_ancestors=("'self'", *settings.frame_ancestors), form_targets=settings.form_targets
        )
        response.headers["X-Frame-Options"] = "SAMEORIGIN"

    def base(self) -> Mapping[str, Any]:
        """The context of every template."""
        plan = self.record.plan if self.record else None
        return {
            "t": self.texts,
            "language": self.texts.language,
            "languages": self.languages,
            "root": root_of(self.request),
            "here": local_path(self.request),
            "return_to": self._return_to(),
            "study_title": self.parts.title,
            "contact": plan.contact if plan else None,
            "plan": plan,
            "csrf": form_token(self.session),
            "annotator": self.annotator,
            "leader": self.leader,
            "owns": self.owns,
            "slug": self.services.slug,
            "in_console": self.services.shelf is not None,
        }

    def _return_to(self) -> str:
        """The address for a change of language: this page, or the next one after a form."""
        path, query = local_path(self.request), self.request.url.query
        if self.request.method == "GET":
            return f"{path}?{query}" if query else path
        return "/work" if self.annotator else "/leader" if self.leader else "/"

    def redirect(self, address: str) -> RedirectResponse:
        """A redirect by GET to an address below the study's root."""
        return RedirectResponse(root_of(self.request) + address, status_code=303)


async def _current_visit(request: Request) -> Visit:  # async: not worth a thread
    visit: Visit = request.state.visit
    return visit


LARGEST_ROW = 2**31 - 1
"""The largest number of a row in an address."""

RowNumber = Annotated[int, Path(ge=1, le=LARGEST_ROW)]
"""A number in an address that any database can hold."""


def row_number(written: str) -> int:
    """A `RowNumber` of the hot path.

    Raises:
        Refusal: it is none (404).
    """
    if not (written.isascii() and written.isdigit() and len(written) <= 10 and 1 <= int(written) <= LARGEST_ROW):
        raise Refusal(404, "error.not_found")
    return int(written)


CurrentVisit = Annotated[Visit, Depends(_current_visit)]
"""The visit that the route's guard has let in."""
