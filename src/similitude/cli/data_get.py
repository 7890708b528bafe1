"""``similitude data get``: public data sets from their home, with their hash checked; or the list of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli import options
from similitude.cli.console import errors, print_json, results
from similitude.cli.progress import progress_bar

if TYPE_CHECKING:
    from similitude.data.public import Delivery, PublicData

__all__ = ["get"]


def get(
    name: Annotated[
        str | None, Parameter(metavar="NAME", help="The data set; without one, all that are known are listed.")
    ] = None,
    /,
    *,
    folder: Annotated[
        Path | None, Parameter(metavar="DIR", help="Where it shall lie. By default ./NAME; it is made if needed.")
    ] = None,
    catalogue: Annotated[
        Path | None,
        Parameter(metavar="FILE", help="A catalogue of your own (TOML) instead of the one that ships with Similitude."),
    ] = None,
    json: options.Json = False,
) -> int:
    """Fetch a public data set, check it by its SHA-256, and say its licence and what to cite.

    Files that are there already stay if their hash is right. In a clone of the repository, what evidence/ holds is
    taken from there, without a network. If a file cannot be had, the exit code is 1, and the message says which file
    must lie where.

    Example: similitude data get usts --folder data/usts
    """
    from similitude.data.public import evidence_beside, get_data, public_data, read_catalogue
    from similitude.data.public.catalogue import CATALOGUE

    source = catalogue or CATALOGUE
    if name is None:
        _list(read_catalogue(source), json)
        return 0
    data = public_data(name, source)
    with progress_bar(f"get {name}") as listener:
        delivery = get_data(data, (folder or Path(name)).absolute(), evidence=evidence_beside(), listener=listener)
    if json:
        print_json(_record(delivery))
    else:
        _print(delivery)
    return 1 if delivery.missing else 0


def _list(known: tuple[PublicData, ...], json: bool) -> None:
    from similitude.report.listings import public_data_table

    if json:
        print_json([data.model_dump(mode="json") for data in known])
    else:
        results.print(public_data_table(known))


def _record(delivery: Delivery) -> dict[str, object]:
    return {
        "name": delivery.data.name,
        "folder": str(delivery.folder),
        "licence": delivery.data.licence,
        "citation": delivery.data.citation,
        "home": delivery.data.home,
        "files": [{"path": str(file.path), "source": file.source} for file in delivery.delivered],
        "missing": [
            {"path": str(file.path), "why": file.why, **(file.file.model_dump(mode="json") if file.file else {})}
            for file in delivery.missing
        ],
    }


def _print(delivery: Delivery) -> None:
    from similitude.report.public_data import delivered_lines, missing_lines

    for line in delivered_lines(delivery):
        results.print(line, markup=False, highlight=False, soft_wrap=True)
    for line in missing_lines(delivery):
        errors.print(line, markup=False, highlight=False, soft_wrap=True)
