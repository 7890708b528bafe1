"""Judgements -> gold.

The package is also the function ``similitude.gold``: ``sim.gold(answers)`` aggregates answers into a benchmark, whether
the package or the function was asked for first.
"""

from __future__ import annotations

import sys
from inspect import Signature, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark


class _CallableRoom(ModuleType):
    """A package that can be called."""

    def __call__(self, *arguments: Any, **options: Any) -> Benchmark:
        """Aggregate judgements into a benchmark: see `similitude.gold.aggregation.make_gold`."""
        from similitude.gold.aggregation import make_gold
        from similitude.python_words import speaking_python

        made: Benchmark = speaking_python(make_gold)(*arguments, **options)
        return made

    @property
    def __signature__(self) -> Signature:
        """The arguments of the function, for help and completion."""
        from similitude.gold.aggregation import make_gold

        return signature(make_gold)


sys.modules[__name__].__class__ = _CallableRoom
