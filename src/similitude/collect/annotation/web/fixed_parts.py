"""What stays the same on all pages of a study in one language; kept until its plan changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jinja2 import Template

from similitude.collect.annotation.store import StudyRecord
from similitude.collect.annotation.web.language import Texts, study_texts, texts_in
from similitude.collect.annotation.web.renderer import task_template
from similitude.collect.annotation.web.views.scales import ScaleView, scale_view

__all__ = ["FixedParts", "PartsOfVersions"]


@dataclass(frozen=True)
class FixedParts:
    """The fixed parts of the pages of a study, or of the console (None), each made when it is first needed."""

    study: StudyRecord | None
    language: str

    @cached_property
    def texts(self) -> Texts:
        """The texts of the interface and the task."""
        return study_texts(self.language, self.study.task) if self.study else texts_in(self.language)

    @cached_property
    def scale(self) -> ScaleView | None:
        """The scale of the task; only on the pages of a study."""
        assert self.study is not None
        return scale_view(self.study.task.scale, self.language)

    @cached_property
    def template(self) -> Template:
        """The template of the task's questions; only on the pages of a study."""
        assert self.study is not None
        return task_template(self.study.task)

    @cached_property
    def title(self) -> str:
        """The title of the study, or of the console."""
        return self.study.plan.text("title", self.language) if self.study else self.texts("console.title")


class PartsOfVersions:
    """The fixed parts of one study, of the version of its plan that was seen last."""

    def __init__(self) -> None:
        self._version = 0
        self._known: dict[str, FixedParts] = {}

    def of(self, study: StudyRecord | None, language: str) -> FixedParts:
        """The parts for a language."""
        version = study.version if study else 0
        if version != self._version:
            self._version, self._known = version, {}
        known = self._known.get(language)
        if known is None:
            known = self._known[language] = FixedParts(study, language)
        return known
