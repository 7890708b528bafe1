"""One more language is one file: texts/xx.toml beside the others, and nothing else."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import similitude
from similitude.collect.annotation.interface_languages import LANGUAGES

pytestmark = pytest.mark.slow

PACKAGE = Path(similitude.__file__).parent
TASKS = ("rating", "best_worst", "conditions", "verification")

PROGRAM = """
import json, sys
from datetime import UTC, datetime
from pathlib import Path
from starlette.testclient import TestClient
from similitude.collect.annotation import store
from similitude.collect.annotation.plan import Study, StudyPlan
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.web import ServerOptions, create_app
from similitude.collect.annotation.web.language import LANGUAGES
from similitude.collect.annotation.web.security.csrf import form_token

now = datetime.now(UTC)
database = store.open_database(Path(sys.argv[1]) / "study.db")
store.add_leader(database, "anna", "correct horse battery", now=now, by="test")
plan = {"name": "s", "task": "rating", "languages": ["fr", "en"], "access": {"open": True}, "title": {"fr": "Titre"}}
items = [{"id": "a", "left": "un", "right": "deux"}]
study = Study(plan=StudyPlan.model_validate(plan), questions=(Question(key="a", items=(items[0],)),))
store.put_study(database, study, now=now)
told = {"languages": LANGUAGES}
with TestClient(create_app(database, settings=ServerOptions(secure_cookies=False))) as client:
    client.headers["Accept-Language"] = "fr"
    told["open"] = client.get("/open").text
    client.post("/open", data={"csrf": form_token(client.cookies.get("visitor"))})
    token = {"csrf": form_token(client.cookies.get("annotator"))}
    client.post("/consent", data={**token, "agree": "yes"})
    told["question"] = client.get("/work").text
    token = {"csrf": form_token(client.cookies.get("visitor"))}
    client.post("/leader/login", data={**token, "name": "anna", "password": "correct horse battery"})
    told["leader"] = client.get("/leader").text
print(json.dumps(told))
"""


def french(table):
    """Every text with a mark, so that a text in another language would be seen."""
    return {name: french(text) if isinstance(text, dict) else f"{text} «fr»" for name, text in table.items()}


def as_toml(table, name=""):
    plain = [f"{key} = {json.dumps(text)}" for key, text in table.items() if not isinstance(text, dict)]
    parts = ["\n".join([f"[{name}]", *plain])] if name and plain else []
    for key, inner in table.items():
        if isinstance(inner, dict):
            parts.append(as_toml(inner, f"{name}.{key}" if name else key))
    return "\n\n".join(parts)


def merged(into, more):
    for name, value in more.items():
        into[name] = merged(into.get(name, {}), value) if isinstance(value, dict) else value
    return into


def test_a_new_file_of_texts_is_a_new_language(tmp_path):
    copied = tmp_path / "similitude"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "train", "inspect/words"))
    web, tasks = copied / "collect" / "annotation" / "web", copied / "collect" / "annotation" / "tasks"
    texts = tomllib.loads((web / "texts" / "en.toml").read_text(encoding="utf-8"))
    for task in TASKS:
        merged(texts, tomllib.loads((tasks / f"{task}.toml").read_text(encoding="utf-8"))["en"])
    (web / "texts" / "fr.toml").write_text(as_toml(french(texts)), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert sorted(told["languages"]) == sorted([*LANGUAGES, "fr"])
    for page in ("open", "question", "leader"):
        assert '<html lang="fr">' in told[page], page
        assert told[page].count("«fr»") > 5, page
    assert "How similar in meaning are the two texts? «fr»" in told["question"]


def test_every_interface_language_is_one_file():
    there = {each.stem for each in (PACKAGE / "collect" / "annotation" / "web" / "texts").glob("*.toml")}
    assert set(LANGUAGES) == there
    assert LANGUAGES[0] == "en"
