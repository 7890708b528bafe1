"""The parameters that platforms add to a study's link, checked and, where they are signed, verified."""

from __future__ import annotations

import re

from similitude.collect.annotation.signed_links import TOKEN, LinkError, SignedLink, verify_link
from similitude.collect.annotation.web.guard import count_attempt
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import Visit

__all__ = ["parameters", "prolific_link", "prolific_parameters"]

LONGEST = 200
"""The greatest length of a platform's id."""
LONGEST_TOKEN = 6000
"""The greatest length of a signed token."""
IDS = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "assignmentId", "workerId", "hitId")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@-]*")
"""The letters of ids; nothing that a spreadsheet could take for a formula."""


def parameters(visit: Visit, *needed: str, optional: tuple[str, ...]) -> dict[str, str]:
    """The parameters that the platform added to the link, or that our own page sent on.

    Raises:
        Refusal: one is missing, or an id holds letters that no id has (400).
    """
    given = visit.request.query_params if visit.request.method == "GET" else visit.form
    sent = {name: str(given.get(name, "")).strip() for name in (*needed, *optional)}
    sent = {name: value[: LONGEST_TOKEN if name == TOKEN else LONGEST] for name, value in sent.items()}
    missing = [name for name in needed if not sent[name]]
    missing += [name for name in sent if name in IDS and sent[name] and not ID.fullmatch(sent[name])]
    if missing:
        raise Refusal(400, "error.platform", missing=", ".join(missing))
    return sent


def prolific_parameters(visit: Visit) -> dict[str, str]:
    """The parameters of a link from Prolific, signed or plain; those that were not sent are left out."""
    given = visit.request.query_params if visit.request.method == "GET" else visit.form
    plain = ("STUDY_ID", "SESSION_ID", "expires", "signature", TOKEN)
    if given.get(TOKEN):
        sent = parameters(visit, TOKEN, optional=("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"))
    else:
        sent = parameters(visit, "PROLIFIC_PID", optional=plain)
    ids = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
    return {name: value for name, value in sent.items() if value or name in ids}


def prolific_link(visit: Visit, sent: dict[str, str]) -> SignedLink | None:
    """The verified link; None if the study takes plain ones.

    Raises:
        Refusal: the study wants a signature, and there is no valid one (403). It counts as a wrong link.
    """
    access = visit.study.plan.access.prolific
    if access is None or not access.signed:
        if not sent["PROLIFIC_PID"]:
            raise Refusal(400, "error.platform", missing="PROLIFIC_PID")
        return None
    try:
        return verify_link(access, sent, now=visit.now)
    except LinkError as error:
        count_attempt(visit.services.wrong_links, visit.request)
        raise Refusal(403, f"error.{error.key}") from None
