"""The second factor of leaders: codes from an app (TOTP, RFC 6238: SHA-1, 30 seconds, 6 digits) and recovery codes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.passwords import hashed
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.tables import leader

__all__ = [
    "begin_second_factor",
    "code_at",
    "confirm_second_factor",
    "fits_second_factor",
    "has_second_factor",
    "key_address",
    "remove_second_factor",
]

STEP = 30
DIGITS = 6
KEY_BYTES = 20
RECOVERY_CODES = 10
DRIFT = (-1, 0, 1)
"""Steps that a clock may be off."""


def begin_second_factor(db: Database, leader_id: int) -> str:
    """Make a key that waits for its first code; the one that waited before is forgotten."""
    key = base64.b32encode(secrets.token_bytes(KEY_BYTES)).decode()
    with writing(db) as connection:
        connection.execute(sa.update(leader).where(leader.c.id == leader_id).values(totp_waiting=key))
    return key


def confirm_second_factor(db: Database, leader_id: int, code: str, *, now: datetime) -> list[str] | None:
    """Ask for a code at each login from now on, if this one is right.

    Returns:
        Recovery codes, each for one login without the app; only their hashes are kept. None if the code is wrong.
    """
    with writing(db) as connection:
        row = _row(connection, leader_id)
        step = _step_of(row.totp_waiting, code, now) if row.totp_waiting else None
        if step is None:
            return None
        codes = [f"{secrets.randbelow(10**5):05}-{secrets.randbelow(10**5):05}" for _ in range(RECOVERY_CODES)]
        known = [hashed(each) for each in codes]
        kept = {"totp_key": row.totp_waiting, "totp_waiting": None, "totp_step": step, "recovery": known}
        connection.execute(sa.update(leader).where(leader.c.id == leader_id).values(kept))
        record(connection, "second_factor_set", now=now, by=row.name, subject=row.name)
        return codes


def remove_second_factor(db: Database, leader_id: int, *, now: datetime, by: str) -> None:
    """Ask this leader for no code any more."""
    with writing(db) as connection:
        row = _row(connection, leader_id)
        gone = dict.fromkeys(("totp_key", "totp_waiting", "totp_step", "recovery"))
        connection.execute(sa.update(leader).where(leader.c.id == leader_id).values(gone))
        record(connection, "second_factor_removed", now=now, by=by, subject=row.name)


def has_second_factor(db: Database, leader_id: int) -> bool:
    """Whether a leader is asked for a code."""
    with reading(db) as connection:
        return _row(connection, leader_id).totp_key is not None


def fits_second_factor(connection: sa.Connection, leader_id: int, code: str, *, now: datetime) -> bool:
    """Whether a code is right, in an open transaction. It is used up: neither kind of code works twice."""
    row = _row(connection, leader_id)
    if row.totp_key is None:
        return False
    mine = sa.update(leader).where(leader.c.id == leader_id)
    step = _step_of(row.totp_key, code, now)
    if step is not None and step > (row.totp_step or 0):
        connection.execute(mine.values(totp_step=step))
        return True
    left = [each for each in row.recovery or [] if each != hashed(code.strip())]
    if len(left) == len(row.recovery or []):
        return False
    connection.execute(mine.values(recovery=left))
    record(connection, "recovery_code_used", now=now, by=row.name, detail={"left": len(left)})
    return True


def key_address(name: str, key: str) -> str:
    """The address that apps read from a QR code.

    >>> key_address("anna", "ABC")
    'otpauth://totp/Similitude:anna?secret=ABC&issuer=Similitude'
    """
    return f"otpauth://totp/Similitude:{quote(name, safe='')}?secret={key}&issuer=Similitude"


def code_at(key: str, step: int) -> str:
    """The code of a time step.

    >>> code_at("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 59 // 30)  # RFC 6238, appendix B: 94287082
    '287082'
    """
    digest = hmac.new(base64.b32decode(key), step.to_bytes(8, "big"), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def _step_of(key: str, code: str, now: datetime) -> int | None:
    """The time step that a code belongs to; None if it is not a code of this moment."""
    written = "".join(code.split()).encode("utf-8", "surrogatepass")
    here = int(now.timestamp()) // STEP
    steps = [here + drift for drift in DRIFT]
    fitting = [step for step in steps if hmac.compare_digest(code_at(key, step).encode(), written)]
    return fitting[-1] if fitting else None


def _row(connection: sa.Connection, leader_id: int) -> Any:
    row = connection.execute(sa.select(leader).where(leader.c.id == leader_id)).one_or_none()
    if row is None:
        raise NotThere("no_leader", "this leader was removed")
    return row
