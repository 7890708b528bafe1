"""The public names of Similitude: what they are, their signatures, and an example of each, from the code.

``python scripts/public_names.py`` writes ``tests/public_signatures.txt``. A test compares the file with the code,
so that a public signature is changed on purpose or not at all.
"""

from __future__ import annotations

import doctest
import inspect
import re
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import similitude

SNAPSHOT = Path(__file__).parents[1] / "tests" / "public_signatures.txt"
KNOWN_IMPORTS = ("import similitude as sim", "import numpy as np", "import polars as pl")
"""What stands at the top of the page."""
NAMESPACES = ("train", "agreement", "words", "testing", "errors", "extend")


class PublicName(NamedTuple):
    """A public name.

    Attributes:
        path: as users write it: ``sim.train.conditional``.
        value: what it is.
    """

    path: str
    value: Any

    @property
    def name(self) -> str:
        """The last part."""
        return self.path.rpartition(".")[2]

    @property
    def documented(self) -> Any:
        """What has the docstring: the function behind a package that can be called."""
        is_callable_module = isinstance(self.value, types.ModuleType) and callable(self.value)
        return similitude.gold.aggregation.make_gold if is_callable_module else self.value

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return " ".join((inspect.getdoc(self.documented) or "").partition("\n\n")[0].split())

    @property
    def is_function(self) -> bool:
        """Whether it is a function."""
        return inspect.isroutine(self.documented)

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return inspect.isclass(self.value)


def public_names(namespace: str = "") -> list[PublicName]:
    """The names in ``sim``, or in one of its namespaces, functions first."""
    module = getattr(similitude, namespace) if namespace else similitude
    prefix = f"sim.{namespace}." if namespace else "sim."
    names = [name for name in module.__all__ if name not in (*NAMESPACES, "__version__")]
    found = [PublicName(prefix + name, getattr(module, name)) for name in names]
    return sorted(found, key=lambda each: (not each.is_function, each.name.lower()))


def every_name() -> list[PublicName]:
    """All public names."""
    return [each for namespace in ("", *NAMESPACES) for each in public_names(namespace)]


def examples(public: PublicName) -> list[doctest.Example]:
    """The statements of the first example in the docstring, with the public name instead of the internal one."""
    parsed = doctest.DocTestParser().get_examples(inspect.getdoc(public.documented) or "")
    paths = public_classes() | ({public.documented.__name__: public.path} if parsed else {})
    internal = re.compile(rf"(?<![\w.\"'])({'|'.join(map(re.escape, paths))})(?=[(.])")
    return [
        doctest.Example(internal.sub(lambda found: paths[found[1]], each.source), each.want, options=each.options)
        for each in parsed
        if each.source.strip() not in KNOWN_IMPORTS
    ]


@cache
def public_classes() -> dict[str, str]:
    """The paths of public classes, by their names in the code."""
    return {each.value.__name__: each.path for each in reversed(every_name()) if each.is_class}


def example_text(public: PublicName) -> str:
    """The example as documentation shows it."""
    lines = []
    for each in examples(public):
        first, *more = each.source.rstrip("\n").split("\n")
        lines += [f">>> {first}", *(f"... {line}" for line in more), each.want.rstrip("\n")]
    return "\n".join(line for line in lines if line)


def signatures() -> str:
    """One line for each public name, and for each public method, property and field of a class."""
    return "\n".join(line for public in every_name() for line in _lines(public)) + "\n"


def _lines(public: PublicName) -> Iterator[str]:
    if not public.is_class:
        yield public.path + _signature(public.documented)
        return
    yield f"class {public.path}{_signature(public.value)}"
    for name in sorted(name for name in dir(public.value) if not name.startswith("_")):
        member = inspect.getattr_static(public.value, name)
        if isinstance(member, classmethod | staticmethod):
            member = member.__func__
        if inspect.isfunction(member):
            yield f"  {public.path}.{name}{_signature(member)}"
        elif inspect.isdatadescriptor(member) or hasattr(member, "func"):
            yield f"  {public.path}.{name}"


def _signature(value: Any) -> str:
    try:
        return re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(value))).replace("'", "")
    except (TypeError, ValueError):
        return ""


if __name__ == "__main__":
    SNAPSHOT.write_text(signatures(), encoding="utf-8")
