"""axe-core on our pages, as a browser shows them: light and dark, on a desk and on a phone.

A page is a response of the test client; its style sheet and script come from the same client, so that no server is
needed. Any page of the annotation server can be looked at: ``reader.complaints(person, person.get("/leader"))``.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from fastapi.routing import APIRoute

from similitude.collect.annotation.web.roles import Role, role_of

__all__ = ["Reader", "get_routes"]

DESK = {"width": 1000, "height": 800}
PHONE = {"width": 375, "height": 720}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
ORIGIN = "http://testserver"


class Reader:
    """Somebody who looks at pages with axe."""

    def __init__(self, browser: Any) -> None:
        self.axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        self.page = browser.new_context(locale="en-GB", viewport=DESK, reduced_motion="reduce").new_page()
        self.page.set_default_timeout(120_000)  # a busy machine stands still for seconds
        self.page.route("**/*", self._serve)
        self.shown: Any = None
        self.client: Any = None

    def _serve(self, route: Any) -> None:
        address = urlsplit(route.request.url)
        if route.request.resource_type == "document":
            found = self.shown
        elif address.path.startswith("/static/") or "/static/" in address.path:
            found = self.client.get(f"{address.path}?{address.query}")
        else:
            route.fulfill(status=404, body="")
            return
        headers = {
            name: found.headers[name] for name in ("content-type", "content-security-policy") if name in found.headers
        }
        route.fulfill(status=found.status_code, headers=headers, body=found.content)

    def show(self, person: Any, response: Any) -> Any:
        """Show a response in the browser; gives the browser's page."""
        self.client, self.shown = person.client, response
        self.page.set_viewport_size(DESK)
        self.page.emulate_media(color_scheme="light")
        self.page.goto(f"{ORIGIN}{response.url.path}")
        return self.page

    def complaints(self, person: Any, response: Any) -> list[str]:
        """All that axe finds on a page: everything on a desk and on a phone, and contrast in the dark."""
        self.show(person, response)
        found = self._run("desk")
        self.page.emulate_media(color_scheme="dark")
        found += self._run("dark", CONTRAST)
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size(PHONE)
        found += self._run("phone")
        wider = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"phone: {wider} pixels stick out of the screen"] if wider > 0 else []
        return [f"{response.url.path} {each}" for each in found]

    def _run(self, where: str, options: dict[str, Any] | None = None) -> list[str]:
        self.page.evaluate(self.axe)
        result = self.page.evaluate("options => axe.run(document, options)", options or {})
        return [
            f"{where}: {rule['id']} ({rule['help']}): {node['html'][:200]}"
            for rule in result["violations"]
            for node in rule["nodes"]
        ]


def get_routes(app: Any, *roles: Role) -> Iterator[str]:
    """The addresses of all pages of an app that these roles may see, with the names of their parts in braces."""
    for route in app.routes:
        if isinstance(route, APIRoute) and "GET" in route.methods and role_of(route) in roles:
            yield route.path
