"""How ``similitude evaluate`` opens several benchmarks, or a suite of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli.input_options import InputOptions
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.study.suite import Suite

__all__ = ["SuiteOptions"]


@dataclass(frozen=True, kw_only=True)
class SuiteOptions:
    """How a suite is opened.

    Attributes:
        data_folder: the folder that holds the data of the suite. By default $SIMILITUDE_DATA, or that of SUITE.toml.
        skip_missing: leave out benchmarks of the suite whose data is not there.
        no_join: show only what this call names, not what the folder holds of earlier calls.
    """

    data_folder: Annotated[Path | None, Parameter(metavar="DIR")] = None
    skip_missing: bool = False
    no_join: bool = False

    def open(self, data: Sequence[str], input: InputOptions, split: str | None) -> Suite:
        """Open a suite, or several files as one.

        Raises:
            ArgumentError: options say how to read files, but the suite does.
        """
        from similitude.study.suite import is_suite, open_entries, open_suite

        if not is_suite(data[0]):
            self._refuse_without_suite()
            return open_entries(data, split=split, **input.arguments())
        flags = input.flags_given()
        if flags:
            what = f"{', '.join(flags)} would hold for every benchmark of the suite"
            raise ArgumentError(what, remedy="write it into the suite, benchmark by benchmark")
        return open_suite(data[0], folder=self.data_folder, skip_missing=self.skip_missing, split=split)

    def refuse(self) -> None:
        """Refuse the options where there is one benchmark.

        Raises:
            ArgumentError: one of them is given.
        """
        self._refuse_without_suite()
        if self.no_join:
            raise ArgumentError("--no-join is for suites", remedy="leave it out, or name several benchmarks")

    def _refuse_without_suite(self) -> None:
        flags = {"--data-folder": self.data_folder, "--skip-missing": self.skip_missing}
        given = next((flag for flag, value in flags.items() if value), None)
        if given is not None:
            raise ArgumentError(f"{given} is for suites", remedy="leave it out, or name SUITE.toml or suite:NAME")
