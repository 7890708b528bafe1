"""The card of a task folder: ``task.toml`` with kind, name, files, classes, licence and origin."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from similitude.data.reading.files import existing
from similitude.data.reading.text_decoder import load_document
from similitude.errors import FormatError, InputError

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
        FormatError: the card is not valid TOML, or has an unknown or invalid key.
    """
    file = existing(Path(path)) / CARD
    if not file.is_file():
        return TaskCard()
    try:
        return TaskCard.model_validate(tomllib.loads(load_document(file)))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"broken TOML ({error})", where=str(file), remedy="correct the file at that place") from None
    except ValidationError as error:
        raise _complaint(error, file) from None


def _complaint(error: ValidationError, file: Path) -> InputError:
    first: Any = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    why = "is not a key of a card" if first["type"] == "extra_forbidden" else first["msg"].lower()
    return FormatError(f"'{key}': {why}", where=str(file), remedy=f"known: {', '.join(TaskCard.model_fields)}")
