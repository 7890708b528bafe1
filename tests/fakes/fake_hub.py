"""A hub of one's own: it answers what the client of the Hugging Face hub asks when something is pushed."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FakeHub:
    """What was pushed.

    Attributes:
        repositories: what each was made with, by kind and name.
        files: content by kind, name and path.
        tags: of each repository.
        tokens: that came along.
        status: what is answered to everything; 200 if all is well.
    """

    def __init__(self) -> None:
        self.repositories: dict[str, dict] = {}
        self.files: dict[str, dict[str, bytes]] = {}
        self.tags: dict[str, list[str]] = {}
        self.tokens: set[str | None] = set()
        self.status = 200
        self.url = ""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, object]:
        if self.status != 200:
            return self.status, {"error": "not with this token"}
        if path == "/api/repos/create":
            asked = json.loads(body)
            name = f"{asked.get('type', 'model')}s/{asked.get('organization') or 'me'}/{asked['name']}"
            self.repositories.setdefault(name, asked)
            return 200, {"url": f"{self.url}/{name}", "id": name.partition("/")[2]}
        if path == "/api/validate-yaml":
            return 200, {"errors": [], "warnings": []}
        if path.count("/") < 4:
            return 404, {"error": f"{method} {path}"}
        kind, owner, name, *rest = path.removeprefix("/api/").split("/")
        repository = f"{kind}/{owner}/{name}"
        if rest[:1] == ["tree"]:
            there = self.files.get(repository, {})
            return 200, [{"type": "file", "path": path, "size": len(there[path]), "oid": "0" * 40} for path in there]
        return self._answer_of(repository, rest, body) or (404, {"error": f"{method} {path}"})

    def _answer_of(self, repository: str, rest: list[str], body: bytes) -> tuple[int, object] | None:
        if rest == ["refs"]:
            tags = [
                {"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": "0" * 40}
                for tag in self.tags.get(repository, [])
            ]
            return 200, {
                "branches": [{"name": "main", "ref": "refs/heads/main", "targetCommit": "0" * 40}],
                "tags": tags,
                "converts": [],
            }
        if rest[:1] == ["preupload"]:
            files = [
                {"path": each["path"], "uploadMode": "regular", "shouldIgnore": False}
                for each in json.loads(body)["files"]
            ]
            return 200, {"files": files}
        if rest[:1] == ["commit"]:
            return 200, self._committed(repository, body)
        if rest[:1] == ["tag"]:
            self.tags.setdefault(repository, []).append(json.loads(body)["tag"])
            return 200, {}
        if rest[:1] in (["revision"], []):
            return 200, {
                "id": repository.partition("/")[2],
                "sha": "0" * 40,
                "siblings": [],
                "private": False,
                "tags": [],
                "downloads": 0,
                "likes": 0,
            }
        return None

    def _committed(self, repository: str, body: bytes) -> dict:
        for line in body.splitlines():
            entry = json.loads(line)
            if entry["key"] == "deletedFile":
                del self.files[repository][entry["value"]["path"]]
            if entry["key"] == "file":
                value = entry["value"]
                self.files.setdefault(repository, {})[value["path"]] = base64.b64decode(value["content"])
        return {
            "success": True,
            "commitOid": "1" * 40,
            "commitUrl": f"{self.url}/{repository}/commit/1",
            "hookOutput": "",
        }


@contextmanager
def fake_hub() -> Iterator[FakeHub]:
    """A hub at an address of this machine."""
    hub = FakeHub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            hub.tokens.add((self.headers.get("Authorization") or "").removeprefix("Bearer ") or None)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, content = hub.answer(self.command, self.path.partition("?")[0], body)
            text = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(text)

        do_GET = do_POST = do_HEAD = do_DELETE = do_PUT = _serve  # noqa: N815

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
