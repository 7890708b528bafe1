"""The app of each study, made when it is needed and made anew when its files change."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from fastapi import FastAPI

from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.store import StudyRecord
from similitude.collect.annotation.web.agreement_track import Comparisons
from similitude.collect.annotation.web.analysis import Analyse
from similitude.collect.annotation.web.app import create_app
from similitude.collect.annotation.web.server_options import MTURK_ORIGINS, ServerOptions
from similitude.errors import SimilitudeError

__all__ = ["StudyApps"]

logger = logging.getLogger("similitude.annotation")

CHECK_SECONDS = 1.0
"""How often the files of a study are looked at while it is in use."""
MOST = 32
"""Apps that are kept; of more studies, those that were used last."""


class _Kept(NamedTuple):
    app: FastAPI
    stamp: tuple[int, int, int]
    checked: float


class StudyApps:
    """The apps of the studies on a shelf. Threads may share it."""

    def __init__(
        self,
        shelf: StudyShelf,
        *,
        analyse: Analyse | None,
        comparisons: Comparisons | None,
        settings: ServerOptions,
        clock: Callable[[], datetime],
    ) -> None:
        self._shelf = shelf
        self._analyse = analyse
        self._comparisons = comparisons
        self._settings = settings
        self._clock = clock
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = threading.Lock()
        self._making = threading.Lock()

    def known(self, slug: str) -> FastAPI | None:
        """The app of a study that was looked at just now; never waits."""
        kept = self._kept.get(slug)
        if kept is None or time.monotonic() - kept.checked > CHECK_SECONDS:
            return None
        return kept.app

    def find(self, slug: str) -> FastAPI | None:
        """The app of a study; None if there is no such study or it cannot be opened: the console's pages say why."""
        stamp = self._stamp(slug)
        if stamp is None:
            self._forget(slug)
            return None
        kept = self._kept.get(slug)
        if kept is not None and kept.stamp == stamp:
            return self._keep(slug, kept.app, stamp)
        with suppress(OSError, SimilitudeError):  # new files are read before others wait for this one
            self._shelf.look(slug)
        with self._making:  # one at a time: making routes is not safe in several threads
            kept = self._kept.get(slug)
            if kept is not None and kept.stamp == stamp:
                return kept.app
            self._forget(slug)
            try:
                app = self._make(slug)
            except (OSError, SimilitudeError) as error:
                logger.warning("the study %s cannot be served: %s", slug, error)
                return None
            return self._keep(slug, app, stamp)

    def _make(self, slug: str) -> FastAPI:
        database = self._shelf.database(slug)
        found = self._shelf.look(slug)
        assert found.record is not None
        return create_app(
            database,
            console=self._shelf.console,
            slug=slug,
            shelf=self._shelf,
            analyse=self._analyse,
            comparisons=self._comparisons,
            settings=_settings(self._settings, found.record),
            clock=self._clock,
        )

    def _stamp(self, slug: str) -> tuple[int, int, int] | None:
        """The plan's file as it is now: it changes when the file is written or replaced."""
        if not self._shelf.has(slug):
            return None
        try:
            found = (self._shelf.folder / slug / "study.toml").stat()
        except OSError:
            return None
        return (found.st_ino, found.st_size, found.st_mtime_ns)

    def _keep(self, slug: str, app: FastAPI, stamp: tuple[int, int, int]) -> FastAPI:
        with self._lock:
            self._kept[slug] = _Kept(app, stamp, time.monotonic())
            self._kept.move_to_end(slug)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return app

    def _forget(self, slug: str) -> None:
        with self._lock:
            gone = self._kept.pop(slug, None)
        if gone is not None:
            self._shelf.databases.drop(slug)


def _settings(settings: ServerOptions, record: StudyRecord) -> ServerOptions:
    """The options of one study: only studies on MTurk may be shown in its frame."""
    origins = MTURK_ORIGINS if record.plan.access.mturk is not None else ()
    return replace(settings, frame_ancestors=origins, form_targets=origins)
