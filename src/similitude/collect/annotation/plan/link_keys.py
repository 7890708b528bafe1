"""The keys and secrets of signed links that a study names as files."""

from __future__ import annotations

from similitude.collect.annotation.plan.models import Prolific, StudyPlan
from similitude.collect.annotation.plan.text_file import text_of
from similitude.collect.annotation.signed_links import check_keys
from similitude.data.reading.toml_file import TomlFile
from similitude.errors import InputError

__all__ = ["with_link_keys"]

SHORTEST_SECRET = 16
HOW_TO_MAKE = "python -c 'import secrets; print(secrets.token_hex(32))'"


def with_link_keys(plan: StudyPlan, written: TomlFile) -> StudyPlan:
    """The plan with the texts of its key files, and the secret of its secret file.

    Raises:
        InputError: a file cannot be read, holds no RSA key, or its secret is too short.
    """
    prolific = plan.access.prolific
    if prolific is None:
        return plan
    found: dict[str, str | None] = {
        name: _key(written, name, file)
        for name, file in (("jwks", prolific.jwks), ("public_key", prolific.public_key))
        if file is not None
    }
    if prolific.secret_file is not None:
        found |= {"secret": _secret(written, prolific), "secret_file": None}
    access = plan.access.model_copy(update={"prolific": prolific.model_copy(update=found)})
    return plan.model_copy(update={"access": access})


def _key(written: TomlFile, name: str, file: str) -> str:
    where = written.where(("access", "prolific", name))
    text = text_of(written.path.parent / file, where)
    try:
        check_keys(jwks=text if name == "jwks" else None, public_key=text if name == "public_key" else None)
    except ValueError as error:
        remedy = "download https://api.prolific.com/.well-known/study/jwks.json" if name == "jwks" else "use a PEM file"
        raise InputError(f"'{file}' holds no public key: {error}", where=where, remedy=remedy) from None
    return text


def _secret(written: TomlFile, prolific: Prolific) -> str:
    where = written.where(("access", "prolific", "secret_file"))
    if prolific.secret is not None:
        raise InputError("secret and secret_file are both set", where=where, remedy="leave one of them out")
    assert prolific.secret_file is not None
    secret = text_of(written.path.parent / prolific.secret_file, where).strip()
    if len(secret) < SHORTEST_SECRET:
        what = f"the secret has {len(secret)} characters, fewer than {SHORTEST_SECRET}"
        raise InputError(what, where=where, remedy=f"make one: {HOW_TO_MAKE}")
    return secret
