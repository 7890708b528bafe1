"""The card of a task folder: ``task.toml`` with kind, name, files, classes, licence and origin."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from similitude.data.reading.files import existing
from similitude.data.reading.toml_file import read_toml

__all__ = ["CARD", "TaskCard", "read_card"]

CARD = "task.toml"


class TaskCard(BaseModel):
    """Metadata of a task; every field is optional.

    Attributes:
        kind: a name in `TASK_KINDS`.
        classes: the classes of labelled pairs, least similar first.
        licence: licence of the texts.
        made: how, when and by whom the task was made.
        files: role -> path relative to the card, for files without their usual name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str | None = None
    name: str | None = None
    classes: tuple[str, ...] | None = None
    licence: str | None = None
    made: str | None = None
    files: dict[str, str] = Field(default_factory=dict)


def read_card(path: str | Path) -> TaskCard:
    """The card of a folder; an empty one if it has none.

    Raises:
        InputError: the card is not valid TOML, or has an unknown or invalid key.
    """
    file = existing(Path(path)) / CARD
    return read_toml(TaskCard, file) if file.is_file() else TaskCard()
