"""Small changes of a module's syntax tree, one at a time.

Changed are operators, comparisons, constants, conditions, keyword arguments, returned values and calls whose result
nobody takes; what is left alone says left_alone.py.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutation.left_alone import SPARED, Place, is_left_alone, is_text

BINARY = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of one module.

    Attributes:
        path: the module's file.
        line: where the changed node begins.
        statement: the first and the last line of the statement around it, without the block that follows.
        function: the qualified name of the function or method; empty where the change is outside of all.
        is_imported: whether the changed code runs as the module is imported: it is outside of all functions, or in one
            that is called there.
        node: the changed node, by its place in the walk through the tree.
        variant: which of the node's changes.
        before: the statement as it is.
        after: the statement as it becomes.
    """

    path: Path
    line: int
    statement: tuple[int, int]
    function: str
    is_imported: bool
    node: int
    variant: int
    before: str
    after: str

    def tree(self) -> ast.Module:
        """The changed module."""
        module = ast.parse(self.path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(module))
        place = _places(module)[id(nodes[self.node])]
        place.replace(list(_variants(nodes[self.node], place))[self.variant])
        return ast.fix_missing_locations(module)


def mutants_of(path: Path) -> list[Mutant]:
    """All changes of one module, in the order of its lines."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    places = _places(module)
    called = _called_on_import(module) | {""}
    found = [
        mutant
        for number, node in enumerate(ast.walk(module))
        if id(node) in places
        for mutant in _changes(path, number, node, places[id(node)], called)
    ]
    return sorted(found, key=lambda mutant: (mutant.line, mutant.node, mutant.variant))


def _called_on_import(module: ast.Module) -> set[str]:
    """The functions of a module that it calls itself while it is imported."""
    waiting: list[ast.AST] = [module]
    called = set()
    while waiting:
        for field, _, child in _children(waiting.pop()):
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Name):
                called.add(child.func.id)
            if field != "body" or not isinstance(child, FUNCTIONS):
                waiting.append(child)
    return called


def _runs_on_import(function: str, called: set[str]) -> bool:
    """A function that is called, or what makes an object of a class that is."""
    name, _, method = function.partition(".")
    return name in called and (not method or method.startswith("__"))


def _changes(path: Path, number: int, node: ast.AST, place: Place, called: set[str]) -> Iterator[Mutant]:
    before = _headline(place.statement)
    for variant, changed in enumerate(_variants(node, place)):
        place.replace(changed)
        after = _headline(changed if node is place.statement else place.statement)  # type: ignore[arg-type]
        place.replace(node)
        yield Mutant(
            path=path,
            line=getattr(node, "lineno", place.statement.lineno),
            statement=_lines(place.statement),
            function=place.function,
            is_imported=_runs_on_import(place.function, called),
            node=number,
            variant=variant,
            before=before,
            after=after,
        )


def _lines(statement: ast.stmt) -> tuple[int, int]:
    block = getattr(statement, "body", None)
    last = max(block[0].lineno - 1, statement.lineno) if block else statement.end_lineno or statement.lineno
    return statement.lineno, last


def _headline(statement: ast.stmt) -> str:
    """A statement on one line; of a block, its first line."""
    text = ast.unparse(statement if not hasattr(statement, "body") else _without_block(statement))
    return next(line for line in text.splitlines() if not line.startswith("@"))


def _without_block(statement: ast.stmt) -> ast.stmt:
    bare = copy.copy(statement)
    bare.body = [ast.Pass()]  # type: ignore[attr-defined]
    return bare


def _places(module: ast.Module) -> dict[int, Place]:
    """Every node that may be changed, with where it hangs."""
    places: dict[int, Place] = {}
    for field, index, child in _children(module):
        _settle(child, Place(module, field, index, child, ""), (), places)  # type: ignore[arg-type]
    return places


def _settle(node: ast.AST, place: Place, scope: tuple[str, ...], places: dict[int, Place]) -> None:
    if is_left_alone(node, place):
        return
    places[id(node)] = place
    inner = (*scope, node.name) if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else scope
    for field, index, child in _children(node):
        statement = child if isinstance(child, ast.stmt) else place.statement
        in_block = field == "body" and isinstance(node, FUNCTIONS)
        function = ".".join(inner) if in_block and not place.function else place.function
        _settle(child, Place(node, field, index, statement, function), inner, places)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            yield from ((field, index, child) for index, child in enumerate(value) if isinstance(child, ast.AST))
        elif isinstance(value, ast.AST):
            yield field, None, value


def _variants(node: ast.AST, place: Place) -> Iterator[ast.AST]:
    yield from _other_statements(node) if isinstance(node, ast.stmt) else _other_expressions(node)
    if _is_plain_condition(node, place):
        yield ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=node), node)  # type: ignore[arg-type]


def _other_statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.AugAssign(op=op) if type(op) in BINARY:
            yield _with(node, op=BINARY[type(op)]())
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield _with(node, value=ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield ast.copy_location(ast.Pass(), node)
        case ast.Break():
            yield ast.copy_location(ast.Continue(), node)
        case ast.Continue():
            yield ast.copy_location(ast.Break(), node)


def _other_expressions(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp(op=op) if type(op) in BINARY:
            yield _with(node, op=BINARY[type(op)]())
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                yield _with(node, ops=[*ops[:index], COMPARED[type(op)](), *ops[index + 1 :]])
        case ast.BoolOp(op=op):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=value):
            yield from (_with(node, value=other) for other in _other_values(value))
        case ast.Call():
            yield from _other_calls(node)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _other_values(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1]
    if isinstance(value, str) and value and " " not in value:
        return [f"XX{value}"]
    return []


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    """The call without one of its keywords, and with the opposite function."""
    for index, keyword in enumerate(node.keywords):
        if keyword.arg not in (None, *SPARED) and not is_text(keyword.value):
            yield _with(node, keywords=[*node.keywords[:index], *node.keywords[index + 1 :]])
    match node.func:
        case ast.Name(id=name) if name in CALLED:
            yield _with(node, func=_with(node.func, id=CALLED[name]))
        case ast.Attribute(attr=name) if name in CALLED:
            yield _with(node, func=_with(node.func, attr=CALLED[name]))


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_plain_condition(node: ast.AST, place: Place) -> bool:
    """A condition in which no operator or comparison is there to be changed."""
    tested = place.field == "test" and isinstance(place.parent, ast.If | ast.IfExp | ast.While)
    filtered = place.field == "ifs"
    return (tested or filtered) and isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
