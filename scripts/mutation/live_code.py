"""A mutant in a running process: the code of functions that are there already, or a module that is imported anew.

A function's code is swapped in place, so that everybody who imported the function runs the changed one. What stands
outside of functions (constants, defaults, fields) has long been computed when a process is forked: there the package
and its tests are forgotten, and the module is changed as it is imported again.
"""

import ast
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

CodeName = tuple[str, str, int]


class LiveFunctions:
    """Every function of a process whose code stands below a folder, whoever holds it."""

    def __init__(self, folder: Path) -> None:
        self._functions: dict[CodeName, list[FunctionType]] = defaultdict(list)
        gc.unfreeze()
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(f"{folder}/"):
                self._functions[_name(thing.__code__)].append(thing)
        gc.freeze()

    def swap(self, path: Path, tree: ast.Module) -> int:
        """Gives functions the code that they have in a changed module; returns how many functions changed."""
        changed = [
            (function, code)
            for code in _codes(compile(tree, str(path), "exec"))
            for function in self._functions.get(_name(code), ())
            if function.__code__ != code
        ]
        for function, code in changed:
            function.__code__ = code
        return len(changed)


def _name(code: CodeType) -> CodeName:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


class ChangedModule(importlib.machinery.SourceFileLoader, importlib.abc.MetaPathFinder):
    """Finds one module, and loads it from a changed tree."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        super().__init__(name, str(path))
        self._tree = tree

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None):  # noqa: D102
        return (
            importlib.util.spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None
        )

    def get_code(self, fullname: str) -> CodeType:  # noqa: D102
        return compile(self._tree, self.path, "exec")


def import_changed(path: Path, tree: ast.Module, source: Path, forgotten: Sequence[Path]) -> None:
    """Forgets every module below some folders, and imports one module of the package changed.

    At once, because pytest has an importer of its own for the modules whose doctests it collects.
    """
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and any(Path(file).is_relative_to(folder) for folder in forgotten):
            del sys.modules[name]
    parts = path.relative_to(source).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    sys.meta_path.insert(0, ChangedModule(name, path, tree))
    importlib.import_module(name)
