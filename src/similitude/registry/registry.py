"""The registry: names of one kind of thing, each with the function or class that makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

from similitude.errors import ArgumentError, ExtensionError, UnknownNameError
from similitude.registry import outside
from similitude.registry.arguments import bind, parameters_of
from similitude.registry.spec import Spec, parse

__all__ = ["Listed", "Maker", "Registry"]

T = TypeVar("T")

Maker = Callable[..., Any]
"""A class, or a function, that makes one of the things when it is called."""

Contract = Callable[[str, Maker], Iterable[str]]
"""From a name and its maker to what is missing, in words; nothing where all is there."""

READ = "CONTRIBUTING.md, 'Extensions', has a complete example"


class Listed(NamedTuple):
    """What a listing shows: the makers that can be used, and one error for each that cannot."""

    makers: dict[str, Maker]
    broken: list[ExtensionError]


class Registry(Generic[T]):
    """Names of one kind of thing, each with the function or class that makes it.

    What joins is checked at once: ours when it is registered, that of another package when it is loaded.

    Args:
        kind: what the things are called in messages.
        group: the group of entry points by which other packages join.
        contract: says what a maker lacks.
        complete: fills in, for makers from outside, what they may leave out.
        priority: of a maker, where the order matters: the highest is asked first, and of equals the first that joined.
        files: whether ``path/to/file.py:Name`` is a name too.
        rooms: packages that register ours when they are imported. They are imported one after another until a name is
            known, because all of them take longer than many a run.

    >>> shapes: Registry[dict] = Registry("shape", "no.such.group")
    >>> _ = shapes.register("square", "quad")(lambda side=1: {"side": side})
    >>> shapes.make("quad(side=3)")
    {'side': 3}
    """

    def __init__(
        self,
        kind: str,
        group: str,
        *,
        contract: Contract | None = None,
        complete: Callable[[str, Maker], None] | None = None,
        priority: Callable[[Maker], float] | None = None,
        files: bool = False,
        rooms: Sequence[str] = (),
    ) -> None:
        self.kind, self.group = kind, group
        self._contract, self._complete, self._priority = contract, complete, priority
        self._files = files
        self._order, self._rooms = tuple(rooms), list(rooms)
        self._makers: dict[str, Callable[..., T]] = {}
        self._aliases: dict[str, str] = {}
        self._points: dict[str, list[Any]] | None = None
        self._broken: dict[str, ExtensionError] = {}

    def register(self, name: str, *aliases: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Decorate a class or function so that ``name`` makes one.

        Raises:
            ExtensionError: the name is taken, or the maker lacks something.
        """

        def remember(maker: Callable[..., T]) -> Callable[..., T]:
            for each in (name, *aliases):
                self._refuse_taken(each, maker)
            self._check(name, maker, outside.place_of(maker))
            self._makers[name] = maker
            self._aliases.update(dict.fromkeys(aliases, name))
            return maker

        return remember

    def names(self) -> list[str]:
        """All names, those of other packages included, in the order in which they are asked."""
        self._open_rooms()
        waiting = [name for name in self._outside() if name not in self._makers]
        if self._priority is None:
            return [*sorted(self._makers, key=self._room_of), *waiting]
        for name in waiting:
            self._try(name)
        return sorted({**self._makers, **self._broken}, key=lambda name: -self._priority_of(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def listed(self) -> Listed:
        """All makers by name, and an error for each entry point that cannot be used: nothing is left out unsaid."""
        names = self.names()
        sound = {name: maker for name in names if (maker := self._try(name)) is not None}
        return Listed(sound, list(self._broken.values()))

    def maker(self, name: str) -> Callable[..., T]:
        """The function or class behind a name.

        Raises:
            UnknownNameError: nothing has that name; the message suggests the nearest.
            ExtensionError: it is another package's, or in a file, and cannot be used; the message says why.
        """
        if not isinstance(name, str):
            raise self._no_name(name)
        if self._files and outside.is_in_file(name):
            return self._from_file(name)
        key, points = name.lower(), self._outside()
        self._open_rooms(None if key in points else key)
        if key not in points and key not in self._broken:
            key = self._aliases.get(key, key)
        if key in points and key not in self._broken:
            self._load(key)
        if key in self._broken:
            raise self._broken[key]
        if key not in self._makers:
            raise UnknownNameError(self.kind, name, {*self._makers, *self._aliases, *points})
        return self._makers[key]

    def aliases(self, name: str) -> list[str]:
        """Other names under which a user finds the same thing."""
        self._open_rooms(name)
        return [alias for alias, meant in self._aliases.items() if meant == name]

    def parameters(self, name: str) -> str:
        """The arguments of what a name makes, with their defaults, as a user would write them."""
        return parameters_of(self.maker(name))

    def make(self, written: str | Spec) -> T:
        """Make the thing that ``written`` names.

        Raises:
            UnknownNameError: nothing has that name.
            ArgumentError: the arguments do not fit the thing.
            ExtensionError: it is another package's, or in a file, and cannot be used.
        """
        if not isinstance(written, str | Spec):
            raise self._no_name(written)
        spec = parse(written) if isinstance(written, str) else written
        maker = self.maker(spec.name)
        keywords = dict(spec.keywords)
        if spec.at is not None:
            keywords["k"] = spec.at
        bound = bind(maker, self.kind, spec, keywords)
        return maker(*bound.args, **bound.kwargs)

    def _no_name(self, given: object) -> ArgumentError:
        what = f"a name of {outside.a(self.kind)} is a text, not {type(given).__name__} {given!r:.60}"
        return ArgumentError(what, remedy=f"known: {', '.join(sorted(self.names()))}")

    def _open_rooms(self, name: str | None = None) -> None:
        """Import rooms until a name is known; all of them for None, and where nothing has that name."""
        while self._rooms and (name is None or (name not in self._makers and name not in self._aliases)):
            import_module(self._rooms.pop(0))

    def _room_of(self, name: str) -> int:
        """The place of its room, so that the order does not depend on which was opened first; outsiders come last."""
        module = f"{self._makers[name].__module__}."
        places = (place for place, room in enumerate(self._order) if module.startswith(f"{room}."))
        return next(places, len(self._order))

    def _outside(self) -> dict[str, list[Any]]:
        """The entry points that were not loaded yet."""
        if self._points is None:
            self._points = outside.entry_points_of(self.group)
        return self._points

    def _try(self, name: str) -> Callable[..., T] | None:
        try:
            return self.maker(name)
        except ExtensionError:
            return None

    def _load(self, name: str) -> None:
        """Load an entry point; what cannot be used is remembered as broken."""
        points = self._outside().pop(name)
        try:
            if len(points) > 1 or name in self._makers or name in self._aliases:
                raise self._taken(name, [f"{outside.package_of(point)}, {point.value}" for point in points])
            maker = outside.load_entry_point(points[0])
            where = f"{outside.package_of(points[0])}, entry point '{points[0].name} = {points[0].value}'"
            self._makers[name] = self._admitted(name, maker, where)
        except ExtensionError as error:
            self._broken[name] = error

    def _from_file(self, name: str) -> Callable[..., T]:
        return self._admitted(name, outside.load_from_file(name, self.kind), name)

    def _admitted(self, name: str, maker: Maker, where: str) -> Callable[..., T]:
        if self._complete is not None:
            self._complete(name, maker)
        self._check(name, maker, where)
        return maker

    def _check(self, name: str, maker: Maker, where: str) -> None:
        try:
            lacks = [] if self._contract is None else list(self._contract(name, maker))
        except Exception as error:  # a contract may have to make the thing, and the maker is anybody's
            lacks = [f"cannot be made: {outside.reason_of(error)}"]
        if lacks:
            raise ExtensionError(f"{self.kind} '{name}' {'; '.join(lacks)}", where=where, remedy=READ)

    def _refuse_taken(self, name: str, maker: Maker) -> None:
        """A module that is loaded anew may register its own again; nobody else may."""
        before = self._makers.get(self._aliases.get(name, name))
        if before is not None and outside.place_of(before) != outside.place_of(maker):
            raise self._taken(name, [outside.place_of(maker)])

    def _taken(self, name: str, places: list[str]) -> ExtensionError:
        mine = self._makers.get(self._aliases.get(name, name))
        both = [*([] if mine is None else [outside.place_of(mine)]), *places]
        remedy = "rename one of them, or uninstall its package"
        return ExtensionError(f"{self.kind} '{name}' is registered twice: {' and '.join(both)}", remedy=remedy)

    def _priority_of(self, name: str) -> float:
        if self._priority is None or name in self._broken:
            return 0.0
        return self._priority(self._makers[name])
