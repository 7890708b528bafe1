import sys
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from similitude.errors import ArgumentError, ExtensionError, UnknownNameError
from similitude.registry import Registry, Spec, parse, spec_of


@dataclass(frozen=True)
class Thing:
    size: int = 3
    colour: str = "red"
    k: int | None = None


@pytest.fixture
def things() -> Registry[Thing]:
    registry: Registry[Thing] = Registry("thing", "similitude.no-such-group")
    registry.register("thing", "gizmo")(Thing)
    return registry


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("pearson", Spec("pearson")),
        ("ndcg@10", Spec("ndcg", 10)),
        ("ndcg@avgrank", Spec("ndcg", "avgrank")),
        ("ndcg@10(reverse=true)", Spec("ndcg", 10, (), {"reverse": True})),
        ("hmean(pearson, hmean(f1_low,f1_high))", Spec("hmean", None, ("pearson", "hmean(f1_low,f1_high)"))),
        ("x(a='1, 2', b=2.5, c=none)", Spec("x", None, (), {"a": "1, 2", "b": 2.5, "c": None})),
        (
            "encoder(sentence-transformers/all-MiniLM-L6-v2)",
            Spec("encoder", None, ("sentence-transformers/all-MiniLM-L6-v2",)),
        ),
        ("  spaced ( n = 3 ) ", Spec("spaced", None, (), {"n": 3})),
    ],
)
def test_parse(written: str, expected: Spec):
    assert parse(written) == expected


@pytest.mark.parametrize("written", ["", "a(b", "a)b", "a(b))", "a('b)", "a b", "(x)"])
def test_what_cannot_be_read_says_so(written: str):
    with pytest.raises(ArgumentError, match="cannot read"):
        parse(written)


@given(
    st.integers(),
    st.text(alphabet="abcXYZ,'\" ()=12.\\@", max_size=12),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_written_and_read_again_is_the_same(number: int, text: str, real: float):
    spec = Spec("thing", None, (), {"number": number, "text": text, "real": real})
    assert parse(str(spec)) == spec


def test_made_from_name_and_arguments(things: Registry[Thing]):
    assert things.make("thing") == Thing()
    assert things.make("Thing(size=5)") == Thing(size=5)
    assert things.make("thing(4, blue)") == Thing(size=4, colour="blue")
    assert things.make("gizmo@7") == Thing(k=7)


def test_a_thing_may_take_any_number_of_arguments(things: Registry[Thing]):
    def made(*sizes: int, colour: str = "red") -> Thing:
        return Thing(sum(sizes), colour)

    things.register("several")(made)
    assert things.make("several(1, 2, '3', colour=blue)") == Thing(6, "blue")
    assert things.make("several") == Thing(0)
    assert things.parameters("several") == "sizes..., colour=red"
    with pytest.raises(ArgumentError, match="is not valid"):
        things.make("several(1, big)")


def test_a_thing_is_rebuilt_from_its_spec(things: Registry[Thing]):
    thing = Thing(size=9)
    assert str(spec_of(thing, "thing")) == "thing(size=9)"
    assert things.make(spec_of(thing, "thing")) == thing


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("thing(weight=3)", "arguments of 'thing': size=3, colour=red, k=none"),
        ("thing(size=big)", "size=big is not valid"),
        ("thing(1, 2, 3, 4)", "too many positional arguments"),
    ],
)
def test_wrong_arguments_name_the_right_ones(things: Registry[Thing], written: str, message: str):
    with pytest.raises(ArgumentError) as caught:
        things.make(written)
    assert message in str(caught.value)


def test_an_unknown_name_suggests_the_nearest(things: Registry[Thing]):
    with pytest.raises(UnknownNameError) as caught:
        things.make("thng")
    assert str(caught.value) == "no thing named 'thng'; did you mean 'thing'? known: gizmo, thing"


def test_a_name_that_is_taken_names_both_places(things: Registry[Thing]):
    def other() -> Thing:
        return Thing()

    for name in ("thing", "gizmo"):
        with pytest.raises(ExtensionError, match=rf"'{name}' is registered twice: .*:Thing and .*other"):
            things.register(name)(other)
    things.register("thing", "gizmo")(Thing)  # a module that is loaded again
    assert things.names() == ["thing"]


def test_what_joins_is_checked_there_and_then():
    def lacks(name: str, maker: type) -> list[str]:
        return [f"has no {part}" for part in ("size", "colour") if not hasattr(maker, part)]

    registry: Registry[Thing] = Registry("thing", "similitude.no-such-group", contract=lacks)
    registry.register("whole")(Thing)
    with pytest.raises(ExtensionError, match=r"thing 'bare' has no size; has no colour; CONTRIBUTING\.md"):
        registry.register("bare")(type("Bare", (), {}))
    assert registry.names() == ["whole"]


def test_a_contract_that_cannot_make_the_thing_says_why():
    def broken() -> Thing:
        raise ValueError("no luck")

    registry: Registry[Thing] = Registry("thing", "similitude.no-such-group", contract=lambda name, maker: [maker()])
    with pytest.raises(ExtensionError, match=r"thing 'broken' cannot be made: ValueError: no luck; CONTRIBUTING\.md"):
        registry.register("broken")(broken)


def test_the_highest_priority_is_asked_first():
    registry: Registry[Thing] = Registry("thing", "no.group", priority=lambda maker: maker().size)
    for name, size in (("general", -100), ("first", 0), ("second", 0), ("urgent", 5)):
        registry.register(name)(lambda size=size: Thing(size=size))
    assert list(registry) == ["urgent", "first", "second", "general"]


@pytest.fixture
def entry_point(tmp_path, monkeypatch):
    """Installs packages whose entry points join the registry of things."""

    def install(package: str, entries: str, code: str = "") -> Registry[Thing]:
        information = tmp_path / f"{package}-1.0.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (information / "entry_points.txt").write_text(f"[tests.things]\n{entries}\n")
        (tmp_path / f"{package}.py").write_text(code)
        monkeypatch.syspath_prepend(tmp_path)
        registry: Registry[Thing] = Registry("thing", "tests.things", priority=lambda maker: maker().size)
        registry.register("thing", "gizmo")(Thing)
        return registry

    return install


def test_a_package_joins_by_its_priority(entry_point):
    registry = entry_point("joins_one", "big = joins_one:Big", "class Big:\n    size = 7")
    assert (registry.names(), registry.make("BIG").size) == (["big", "thing"], 7)


def test_a_listing_says_what_cannot_be_used(entry_point):
    registry = entry_point("joins_two", "sound = joins_two:Sound\ntypo = joins_two:Tpyo", "class Sound:\n    size = 1")
    makers, broken = registry.listed()
    assert list(makers) == ["thing", "sound"]
    assert [str(error).partition(": Attr")[0] for error in broken] == [
        "package 'joins_two' 1.0: entry point 'typo = joins_two:Tpyo' cannot be loaded"
    ]
    with pytest.raises(ExtensionError, match="Tpyo"):
        registry.make("typo")
    assert registry.make("thing") == Thing()


def test_a_package_may_not_take_our_names(entry_point):
    registry = entry_point(
        "joins_three", "gizmo = joins_three:Mine\nnumber = joins_three:number", "Mine, number = str, 3"
    )
    with pytest.raises(ExtensionError, match=r"'gizmo' is registered twice: .*:Thing and package 'joins_three' 1.0"):
        registry.make("gizmo")
    with pytest.raises(ExtensionError, match="'number = joins_three:number' is no class or function"):
        registry.make("number")


def test_rooms_are_opened_until_a_name_is_known_and_listed_in_their_order(tmp_path, monkeypatch):
    for room, name in (("first_room", "one"), ("second_room", "two"), ("third_room", "three")):
        (tmp_path / f"{room}.py").write_text(
            f"import sys\n\n@sys.things.register('{name}', '{name}-alias')\ndef make():\n    return '{name}'\n"
        )
    monkeypatch.syspath_prepend(tmp_path)
    rooms = ["first_room", "second_room", "third_room"]
    things: Registry[str] = Registry("thing", "no.such.group", rooms=rooms)
    monkeypatch.setattr(sys, "things", things, raising=False)
    assert things.make("two-alias") == "two"
    assert things.aliases("two") == ["two-alias"]
    assert [room for room in rooms if room in sys.modules] == ["first_room", "second_room"]
    with pytest.raises(UnknownNameError, match="known: one, one-alias, three, three-alias, two, two-alias"):
        things.make("four")
    assert "third_room" in sys.modules
    for room in rooms:
        monkeypatch.delitem(sys.modules, room)
    again: Registry[str] = Registry("thing", "no.such.group", rooms=rooms)
    monkeypatch.setattr(sys, "things", again)
    import third_room  # noqa: F401  (opened out of order)

    assert again.names() == ["one", "two", "three"]
    for room in rooms:
        monkeypatch.delitem(sys.modules, room)
