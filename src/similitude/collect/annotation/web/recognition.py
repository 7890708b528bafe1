"""Recognition of a visitor who enters: which person of the server they are, and what their pools say."""

from __future__ import annotations

from typing import NamedTuple

from starlette.responses import Response

from similitude.collect.annotation.store.entry import Known
from similitude.collect.annotation.store.persons import cookie_of, forget_person, knows_person, recognise
from similitude.collect.annotation.store.pools import check_pools, deliver_results
from similitude.collect.annotation.web.security.cookies import Cookie, read_cookie, set_cookie
from similitude.collect.annotation.web.visit import Visit

__all__ = ["Visitor", "forget_visitor", "recognise_visitor", "remember_visitor", "share_results"]


class Visitor(NamedTuple):
    """Somebody who enters: their person, and what the study is told of them."""

    person: str
    known: Known


def recognise_visitor(
    visit: Visit, *, platform_id: tuple[str, str] | None = None, invited: str | None = None, different: bool = False
) -> Visitor:
    """The person behind a request that enters the study.

    Args:
        visit: the request.
        platform_id: the platform and the id there, if the visitor comes from one.
        invited: the person that the invitation was made for.
        different: whether they say that somebody else used this browser before.

    Raises:
        NotAdmitted: their pool says that they may not take part.
    """
    registry = visit.services.persons
    share_results(visit)
    cookie = read_cookie(visit.request, visit.services.settings, Cookie.PERSON)
    found = recognise(
        registry, cookie=cookie, platform_id=platform_id, invited=invited, different=different, now=visit.now
    )
    qualified = check_pools(registry, visit.study.plan, found)
    return Visitor(found.person, Known(found.all, qualified))


def remember_visitor(visit: Visit, response: Response, visitor: Visitor) -> None:
    """Set the cookie by which this browser is recognised in every study of the server."""
    value = cookie_of(visit.services.persons, visitor.person)
    set_cookie(response, visit.services.settings, Cookie.PERSON, value)


def forget_visitor(visit: Visit, person: str | None) -> bool:
    """Forget a person whose data was deleted in this study, if no study of the server knows them any more.

    Returns:
        Whether they are forgotten. Studies that are served alone cannot know of each other, and forget nobody.
    """
    shelf = visit.services.shelf
    if person is None or shelf is None:
        return False
    known = any(knows_person(shelf.database(each.slug), person) for each in shelf.studies() if each.record is not None)
    return not known and forget_person(visit.services.persons, person)


def share_results(visit: Visit) -> None:
    """Tell the pool who passed and who failed; what is told already is not told again."""
    qualification = visit.study.plan.qualification
    if qualification is not None and qualification.pool is not None:
        deliver_results(visit.database, visit.services.persons, now=visit.now)
