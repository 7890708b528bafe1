"""A web server on this machine that serves files, or parts of them, or nothing."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from similitude.data.public import PublicData, PublicFile


@dataclass
class Home:
    """What the server has: content by path, how many bytes of it arrive, and what was asked."""

    port: int
    content: dict[str, bytes] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def file(self, name: str, content: bytes, **changes: Any) -> PublicFile:
        """Serve a file; the entry of a catalogue for it."""
        self.content[f"/{name}"] = content
        told = {
            "name": name,
            "address": f"http://127.0.0.1:{self.port}/{name}",
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        return PublicFile.model_validate(told | changes)


def data_of(*files: PublicFile, **changes: Any) -> PublicData:
    told = {"name": "pets", "holds": "pairs about pets", "licence": "CC0", "home": "https://x.y", "citation": "A (1)"}
    return PublicData.model_validate(told | {"file": files} | changes)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            content = served.content.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: served.cut.get(self.path, len(content))])
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Home(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield served
    server.shutdown()
    server.server_close()
    thread.join()
