"""What no mutant changes.

Annotations, decorators, docstrings, exports, texts for people (a string with a space, the literal parts of an
f-string), and what changes no result that a test could see: asserts, zip's strict=True, numpy's errstate, einsum's
optimize, polars' maintain_order (small tables keep their order without it, mostly), and the -1 of a reshape, for which
any negative number would do.
"""

import ast
from dataclasses import dataclass

UNTOUCHED_CALLS = ("TypeVar", "cast", "NewType", "TypedDict")
SPARED = ("strict", "optimize", "maintain_order")


@dataclass(slots=True)
class Place:
    """Where a node hangs in its tree.

    Attributes:
        parent: the node above it.
        field: the parent's field that holds it.
        index: its place there, in a list.
        statement: the statement that it is or belongs to.
        function: the qualified name of the function around it; empty outside of all.
    """

    parent: ast.AST
    field: str
    index: int | None
    statement: ast.stmt
    function: str

    def replace(self, node: ast.AST) -> None:
        """Puts another node there."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def is_left_alone(node: ast.AST, place: Place) -> bool:
    """Whether a node and all below it are not changed."""
    fields = ("annotation", "returns", "decorator_list", "bases", "format_spec", "type_comment")
    return place.field in fields or _is_no_code(node, place) or _computes_nothing(node, place)


def _is_no_code(node: ast.AST, place: Place) -> bool:
    """Imports, docstrings, names that are exported, texts for people, types."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("__"):
            return True
        case ast.Constant(value=str()) if isinstance(place.parent, ast.JoinedStr | ast.FormattedValue):
            return True
        case ast.Call(func=ast.Name(id=name)) if name in UNTOUCHED_CALLS:
            return True
        case ast.Subscript(value=ast.Name(id="Literal" | "Annotated" | "Mapping" | "Callable" | "NDArray")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(op=ast.BitOr())) if not name.isupper():
            return not place.function  # an alias of types
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _computes_nothing(node: ast.AST, place: Place) -> bool:
    match node:
        case ast.keyword(arg=name):
            return name in SPARED
        case ast.Assert() | ast.Call(func=ast.Attribute(attr="errstate")):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            return _is_reshape(place.parent)
    return False


def _is_reshape(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "reshape"


def is_text(node: ast.expr) -> bool:
    """A text for people, such as the remedy of an error."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    )
