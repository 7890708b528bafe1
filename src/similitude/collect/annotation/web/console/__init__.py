"""The console: many studies on one server, each below ``/s/SLUG``, and the pages that belong to none of them."""

from similitude.collect.annotation.web.console.app import create_console

__all__ = ["create_console"]
