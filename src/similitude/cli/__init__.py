"""The command line: one thin file per command."""

from similitude.cli.app import main

__all__ = ["main"]
