"""The library of suites: those shipped with us, and those in a file that the user names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from similitude.data.reading.toml_file import TomlFile
from similitude.errors import InputError, UnknownNameError
from similitude.study.suite.plan import SuitePlan

__all__ = ["DATA_FOLDER", "SUITE_PREFIX", "SuiteFile", "is_suite", "shipped_suites", "suite_text"]

SUITE_PREFIX = "suite:"
DATA_FOLDER = "SIMILITUDE_DATA"
"""The environment variable with the folder of the data of suites."""

SHIPPED = Path(__file__).parent / "shipped"


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A suite as its file has it: nothing has been read of the benchmarks.

    Attributes:
        plan: the keys.
        file: the file, in which errors name lines.
        is_shipped: whether it is one of ours, whose data lies elsewhere.
    """

    plan: SuitePlan
    file: TomlFile
    is_shipped: bool

    @classmethod
    def read(cls, written: str | Path) -> SuiteFile:
        """Read ``suite:NAME`` or a TOML file.

        Raises:
            InputError: the file cannot be read, or a key is unknown, missing or has a wrong value.
            UnknownNameError: no suite of that name is shipped.
        """
        name = str(written).removeprefix(SUITE_PREFIX)
        is_shipped = str(written).startswith(SUITE_PREFIX)
        path = _shipped_path(name) if is_shipped else Path(written)
        file = TomlFile.read(path)
        found = cls(file.validated(SuitePlan, name=path.stem), file, is_shipped)
        found._refuse_doubles()
        return found

    def where(self, number: int, key: str = "name") -> str:
        """File and line of a key of a benchmark."""
        return self.file.where(("benchmarks", number, key))

    def folder(self, given: str | Path | None) -> Path:
        """The folder of the data: the given one, that of the environment, or that of the file."""
        if given is not None:
            return Path(given)
        usual = os.environ.get(DATA_FOLDER)
        return Path(usual) if usual else Path() if self.is_shipped else self.file.path.parent

    def _refuse_doubles(self) -> None:
        names = [each.name for each in self.plan.benchmarks]
        for number, name in enumerate(names):
            if name in names[:number]:
                what = f"two benchmarks are named '{name}'"
                raise InputError(what, where=self.where(number), remedy="give each benchmark a name of its own")


def is_suite(data: object) -> bool:
    """Whether this names a suite: ``suite:NAME``, or a TOML file."""
    return isinstance(data, str | Path) and (str(data).startswith(SUITE_PREFIX) or str(data).endswith(".toml"))


def shipped_suites() -> dict[str, SuitePlan]:
    """The suites that are shipped with us, by name."""
    return {path.stem: SuiteFile.read(f"{SUITE_PREFIX}{path.stem}").plan for path in sorted(SHIPPED.glob("*.toml"))}


def suite_text(name: str) -> str:
    """The TOML of a suite that is shipped with us.

    Raises:
        UnknownNameError: there is no such suite.
    """
    return _shipped_path(name.removeprefix(SUITE_PREFIX)).read_text(encoding="utf-8")


def _shipped_path(name: str) -> Path:
    known = {path.stem: path for path in SHIPPED.glob("*.toml")}
    if name not in known:
        raise UnknownNameError("suite", name, known)
    return known[name]
