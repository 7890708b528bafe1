"""All kinds of task, in the order in which files are compared with them: the particular before the general."""

from __future__ import annotations

from similitude.evaluate.tasks.reading.articles import find_related
from similitude.evaluate.tasks.reading.kind import TASK_KINDS
from similitude.evaluate.tasks.reading.pairs import deduplication, related, text_reuse
from similitude.evaluate.tasks.reading.utterances import intent

__all__ = ["TASK_KINDS"]

TASK_KINDS.register("find-related")(find_related)
TASK_KINDS.register("related")(related)
TASK_KINDS.register("deduplication", "duplicates")(deduplication)
TASK_KINDS.register("text-reuse", "reuse")(text_reuse)
TASK_KINDS.register("intent", "faq")(intent)
