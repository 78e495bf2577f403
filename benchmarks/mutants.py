"""Mutants: copies of a file with one small fault, and how they are imported in its place.

A mutant changes one operator, comparison, condition, constant or returned value inside a function,
or a constant of a module. Error messages, annotations and default values are left alone.
"""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).parents[1]
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
    **{ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq},
    **{ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn},
    ast.NotIn: ast.In,
}


@dataclass(frozen=True)
class Mutant:
    """A change of one node of a file."""

    file: str
    line: int
    function: int  # first line of the outermost function around it, 0 in none
    node: int  # place of the node in the walk through the file
    change: str
    code: str  # the changed line
    column: int  # in it

    @property
    def name(self) -> str:
        """Survives changes elsewhere in the file."""
        return f"{self.file}: {self.code}: {self.change} at {self.column}"


def changed(node: ast.AST) -> ast.AST | None:
    """The node with a fault, or None where none is known."""
    other = copy.deepcopy(node)
    match other:
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPS:
            other.op = SWAPS[type(op)]()  # type: ignore[assignment]
        case ast.Compare(ops=[op, *rest]) if type(op) in SWAPS:
            other.ops = [SWAPS[type(op)](), *rest]  # type: ignore[list-item]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            other.test = ast.UnaryOp(ast.Not(), test)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            return operand
        case ast.Return(value=value) if value is not None:
            other.value = ast.Constant(None)
        case ast.Constant(value=bool(value)):
            other.value = not value
        case ast.Constant(value=int(value) | float(value)):
            other.value = value + 1 if isinstance(value, int) else value * 1.5 + 0.1
        case ast.Constant(value=str(value)) if value:
            other.value = f"{value}~"
        case _:
            return None
    return other


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a file."""
    source = path.read_text()
    lines, tree = source.splitlines(), ast.parse(source)
    left_alone: set[ast.AST] = set()
    function: dict[ast.AST, int] = {}
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        match node:
            case ast.FunctionDef():
                parts = [node.args, node.returns, *node.decorator_list]
                first = min(each.lineno for each in (node, *node.decorator_list))
                for each in ast.walk(node):
                    function.setdefault(each, first)
            case ast.ClassDef():
                parts = [each for each in node.body if not isinstance(each, ast.FunctionDef)]
                parts += node.decorator_list
            case ast.AnnAssign():
                parts = [node.annotation]
            case ast.Raise() | ast.JoinedStr() | ast.Expr(value=ast.Constant()) | ast.Assert():
                parts = [node]
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                parts = [node]
        left_alone.update(*(ast.walk(part) for part in parts if part is not None))
    for number, node in enumerate(ast.walk(tree)):
        if node in left_alone or (other := changed(node)) is None:
            continue
        before, after = (ast.unparse(each).splitlines()[0] for each in (node, other))
        assert isinstance(node, ast.expr | ast.stmt)
        line = lines[node.lineno - 1]
        code = line.strip()
        yield Mutant(
            file=str(path.relative_to(ROOT)),
            line=node.lineno,
            function=function.get(node, 0),
            node=number,
            change=f"{before} -> {after}"[:160],
            code=code,
            column=node.col_offset - len(line) + len(code),
        )


class Planted(SourceFileLoader, importlib.abc.MetaPathFinder):
    """Imports one module with a fault."""

    def __init__(self, mutant: Mutant) -> None:
        name = mutant.file.removeprefix("src/").removesuffix(".py").replace("/", ".")
        super().__init__(name, str(ROOT / mutant.file))
        self._mutant = mutant

    def find_spec(self, fullname: str, _path: Any, _target: Any = None) -> ModuleSpec | None:
        ours = fullname == self.name
        return importlib.util.spec_from_loader(fullname, self) if ours else None

    def get_code(self, _fullname: str) -> CodeType:
        tree = ast.parse(Path(self.path).read_text())
        chosen = list(ast.walk(tree))[self._mutant.node]

        class Change(ast.NodeTransformer):
            def visit(self, node: ast.AST) -> Any:
                return changed(node) if node is chosen else self.generic_visit(node)

        return compile(ast.fix_missing_locations(Change().visit(tree)), self.path, "exec")
