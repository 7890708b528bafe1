"""A request for the routes: who sent it, with the study, the language and the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, RedirectResponse

from similitude.collect.annotation.records import Annotator, Leader
from similitude.collect.annotation.store import Database, StudyRecord
from similitude.collect.annotation.web.language import Texts
from similitude.collect.annotation.web.renderer import render
from similitude.collect.annotation.web.security.cookies import Cookie, set_cookie
from similitude.collect.annotation.web.security.csrf import form_token
from similitude.collect.annotation.web.services import Services

__all__ = ["CurrentVisit", "RowNumber", "Visit", "redirect"]


@dataclass(slots=True, kw_only=True)
class Visit:
    """One request, after the check of its role.

    Attributes:
        session: the secret of the annotator's, leader's or visitor's session; forms are bound to it.
        new_visitor: whether ``session`` is new, so that its cookie has to be set.
        form: the fields of the form, if one was sent.
    """

    request: Request
    services: Services
    study: StudyRecord
    texts: Texts
    languages: tuple[str, ...]
    session: str = ""
    new_visitor: bool = False
    annotator: Annotator | None = None
    leader: Leader | None = None
    form: FormData = field(default_factory=FormData)

    @property
    def database(self) -> Database:
        """The database."""
        return self.services.database

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
        return response

    def base(self) -> Mapping[str, Any]:
        """The context of every template."""
        plan = self.study.plan
        return {
            "t": self.texts,
            "language": self.texts.language,
            "languages": self.languages,
            "here": self.request.url.path,
            "return_to": self._return_to(),
            "study_title": plan.text("title", self.texts.language),
            "contact": plan.contact,
            "plan": plan,
            "csrf": form_token(self.session),
            "annotator": self.annotator,
            "leader": self.leader,
        }

    def _return_to(self) -> str:
        """The address for a change of language: this page, or the next one after a form."""
        url = self.request.url
        if self.request.method == "GET":
            return f"{url.path}?{url.query}" if url.query else url.path
        return "/work" if self.annotator else "/leader" if self.leader else "/"


def redirect(address: str) -> RedirectResponse:
    """A redirect to another page, by GET."""
    return RedirectResponse(address, status_code=303)


async def _current_visit(request: Request) -> Visit:  # async: not worth a thread
    visit: Visit = request.state.visit
    return visit


RowNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""A number in an address that any database can hold."""

CurrentVisit = Annotated[Visit, Depends(_current_visit)]
"""The visit that the route's guard has let in."""
