"""Signed links: Prolific's JWT and the leader's own signature; forged, expired and foreign ones are refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from similitude.collect.annotation.plan.models import Prolific
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.signed_links import LinkError, check_keys, sign_parameters, verify_link
from similitude.errors import InputError

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HERE = "https://judge.example.org"
SECRET = "a secret of sixteen letters and more"
IDS = {"PROLIFIC_PID": "60ffe5c8371090c7041d43f8", "STUDY_ID": "study1", "SESSION_ID": "session1"}


@pytest.fixture(scope="module")
def keys() -> list[Any]:
    return [rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2)]


def key_set(*keys: Any) -> str:
    made = [json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())) for key in keys]
    return json.dumps({"keys": [{**one, "kid": f"key{place}", "alg": "RS256"} for place, one in enumerate(made)]})


def pem(key: Any) -> str:
    layout = (serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return key.public_key().public_bytes(*layout).decode()


def claims(**changes: Any) -> dict[str, Any]:
    made = {
        "iss": "https://www.prolific.com",
        "aud": HERE,
        "iat": int(NOW.timestamp()),
        "exp": int((NOW + timedelta(minutes=5)).timestamp()),
        "sub": "session1",
        "prolific": {**IDS, "workspace_id": "w"},
    }
    return {**made, **changes}


def token(key: Any, *, kid: str = "key0", algorithm: str = "RS256", **changes: Any) -> str:
    return jwt.encode(claims(**changes), key, algorithm=algorithm, headers={"kid": kid})


def access(**given: Any) -> Prolific:
    return Prolific(completion_url="https://app.example.org", **given)


def refused(where: Prolific, sent: dict[str, str], *, now: datetime = NOW) -> str:
    with pytest.raises(LinkError) as caught:
        verify_link(where, sent, now=now)
    return caught.value.key


def test_a_token_of_a_known_key_tells_who_comes(keys: list[Any]) -> None:
    where = access(jwks=key_set(*keys), audience=HERE, study="study1")
    for place, key in enumerate(keys):
        link = verify_link(where, {"prolific_token": token(key, kid=f"key{place}")}, now=NOW)
        assert (link.participant, link.submission, link.study) == tuple(
            IDS[name] for name in ("PROLIFIC_PID", "SESSION_ID", "STUDY_ID")
        )
    assert link.expires == NOW + timedelta(minutes=5)
    by_pem = access(public_key=pem(keys[0]), audience=HERE)
    assert verify_link(by_pem, {"prolific_token": token(keys[0])}, now=NOW).participant == IDS["PROLIFIC_PID"]


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "https://elsewhere.example.org"},
        {"iss": "https://evil.example.org"},
        {"prolific": {"PROLIFIC_PID": "x"}},
        {"prolific": "x"},
        {"prolific": {**IDS, "STUDY_ID": "another"}},
        {"nbf": int((NOW + timedelta(hours=1)).timestamp())},
        {"exp": "soon"},
        {"exp": 10**30},
    ],
)
def test_a_token_for_something_else_is_refused(keys: list[Any], changes: dict[str, Any]) -> None:
    where = access(jwks=key_set(*keys), audience=HERE, study="study1")
    assert refused(where, {"prolific_token": jwt.encode(
        claims(**changes), keys[0], algorithm="RS256", headers={"kid": "key0"}
    )}) == "link_invalid"  # fmt: skip


def test_forged_tokens_are_refused(keys: list[Any]) -> None:
    where = access(jwks=key_set(keys[0]), audience=HERE)
    good = token(keys[0])
    head, body, signature = good.split(".")
    for forged in (
        token(keys[1]),  # another key under the known name
        token(keys[0], kid="key9"),
        jwt.encode(claims(), None, algorithm="none", headers={"kid": "key0"}),
        jwt.encode(claims(), "x" * 40, algorithm="HS256", headers={"kid": "key0"}),
        f"{head}.{body}.{signature[:-4]}AAAA",
        f"{head}.{body}.",
        "x.y.z",
        "",
        "x" * 5000,
    ):
        assert refused(where, {"prolific_token": forged}) in ("link_invalid", "link_unsigned")
    assert refused(where, {"prolific_token": good, "PROLIFIC_PID": "somebody-else"}) == "link_invalid"
    without = {name: value for name, value in claims().items() if name != "exp"}
    eternal = jwt.encode(without, keys[0], algorithm="RS256", headers={"kid": "key0"})
    assert refused(where, {"prolific_token": eternal}) == "link_invalid"


def test_tokens_expire_with_a_minute_for_clocks_that_differ(keys: list[Any]) -> None:
    where, sent = access(jwks=key_set(keys[0]), audience=HERE), {"prolific_token": token(keys[0])}
    assert verify_link(where, sent, now=NOW + timedelta(minutes=5, seconds=59))
    assert refused(where, sent, now=NOW + timedelta(minutes=6)) == "link_expired"


def test_the_leaders_own_signature() -> None:
    where = access(secret=SECRET)
    sent = {**IDS, "expires": str(int((NOW + timedelta(days=1)).timestamp()))}
    signed = {**sent, "signature": sign_parameters(SECRET, sent)}
    assert verify_link(where, signed, now=NOW).submission == "session1"
    assert refused(where, sent) == "link_unsigned"
    for name in sent:
        assert refused(where, {**signed, name: signed[name] + "0"}) == "link_invalid"
    assert refused(where, {**signed, "signature": "ü" * 64}) == "link_invalid"
    assert refused(access(secret=SECRET[::-1]), signed) == "link_invalid"
    assert refused(where, signed, now=NOW + timedelta(days=2)) == "link_expired"
    never = {**IDS, "signature": sign_parameters(SECRET, IDS)}
    assert refused(where, never) == "link_invalid", "a link without an end is not accepted"


def test_a_study_with_a_key_takes_no_plain_link_and_no_other_signature(keys: list[Any]) -> None:
    where = access(jwks=key_set(keys[0]), audience=HERE)
    sent = {**IDS, "expires": "9999999999"}
    assert refused(where, IDS) == "link_unsigned"
    assert refused(where, {**sent, "signature": sign_parameters(SECRET, sent)}) == "link_unsigned"
    assert not access().signed
    assert where.signed


def test_keys_are_checked_before_anybody_comes(keys: list[Any]) -> None:
    check_keys(jwks=key_set(*keys), public_key=pem(keys[0]))
    secret = keys[0].private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    for jwks, public_key in (
        ("{}", None),
        ("[]", None),
        ("no json", None),
        ('{"keys": []}', None),
        ('{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}', None),
        (None, "no key"),
        (None, secret.decode()),
    ):
        with pytest.raises(ValueError, match=r".+"):
            check_keys(jwks=jwks, public_key=public_key)


STUDY = """name = "signed"
task = "rating"
items = "items.csv"
[access.prolific]
completion_url = "https://app.example.org"
"""


@pytest.fixture
def study(tmp_path: Path) -> Any:
    (tmp_path / "items.csv").write_text("id,left,right\n1,a b,c d\n")

    def write(lines: str, **files: str) -> Any:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        (tmp_path / "study.toml").write_text(STUDY + lines)
        return read_study(tmp_path / "study.toml").plan.access.prolific

    return write


def test_a_study_names_files_and_the_plan_holds_their_texts(study: Any, keys: list[Any]) -> None:
    read = study('jwks = "keys"\naudience = "https://judge.example.org"\n', keys=key_set(keys[0]))
    assert verify_link(read, {"prolific_token": token(keys[0])}, now=NOW)
    read = study('secret_file = "secret"\n', secret=f"{SECRET}\n")
    assert (read.secret, read.secret_file) == (SECRET, None)
    assert SECRET not in repr(read)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('jwks = "keys"\n', "audience"),
        ('jwks = "keys"\naudience = "https://x.org"\n', "'keys' holds no public key"),
        ('jwks = "absent"\naudience = "https://x.org"\n', "'absent' cannot be read"),
        ('public_key = "keys"\naudience = "https://x.org"\n', "use a PEM file"),
        ('secret_file = "keys"\n', "the secret has 5 characters, fewer than 16"),
        ('secret = "short"\n', "secret"),
        ('secret = "long enough for anybody"\nsecret_file = "keys"\n', "both set"),
    ],
)
def test_wrong_keys_are_one_error_with_its_line(study: Any, lines: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        study(lines, keys="wrong")
    assert says in str(caught.value)
    assert "study.toml, line" in str(caught.value)
