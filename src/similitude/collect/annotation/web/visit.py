"""A request as our routes see it: who asks, in which study, in which language, with which form."""

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
    """One request, once its role has been checked.

    Attributes:
        session: the secret that this page's forms are bound to: the annotator's, the leader's or the visitor's.
        new_visitor: whether ``session`` was made just now and the browser still has to be given it.
        form: the fields that were sent; empty where none were.
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
        """Where everything is kept."""
        return self.services.database

    @property
    def now(self) -> datetime:
        """The time."""
        return self.services.clock()

    @property
    def worker(self) -> Annotator:
        """The annotator who asks; only on routes whose role makes sure that there is one."""
        assert self.annotator is not None
        return self.annotator

    @property
    def by(self) -> str:
        """The leader who asks, for the log; only on routes of leaders."""
        assert self.leader is not None
        return self.leader.name

    def page(self, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
        """A page made from a template."""
        response = HTMLResponse(render(template, {**self.base(), **context}), status_code=status)
        if self.new_visitor:
            set_cookie(response, self.services.settings, Cookie.VISITOR, self.session)
        return response

    def base(self) -> Mapping[str, Any]:
        """What every template sees."""
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
        """Where another language is shown: this page again, or the way on where a form led here."""
        url = self.request.url
        if self.request.method == "GET":
            return f"{url.path}?{url.query}" if url.query else url.path
        return "/work" if self.annotator else "/leader" if self.leader else "/"


def redirect(address: str) -> RedirectResponse:
    """Go on to another page of ours, by GET."""
    return RedirectResponse(address, status_code=303)


async def _current_visit(request: Request) -> Visit:  # async: not worth a thread
    visit: Visit = request.state.visit
    return visit


RowNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""A number in an address that any database can hold."""

CurrentVisit = Annotated[Visit, Depends(_current_visit)]
"""The visit that the route's guard has let in."""
