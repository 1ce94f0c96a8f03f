"""`Any` turns type checking off: no file of the package may have more of it than is recorded."""

import ast
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "workflow"
#: Per file: how often it names `Any`. Lower a number when you remove some. A file that is not
#: listed has none.
MOST = Path(__file__).parent / "data" / "any.json"


def uses(source: str) -> int:
    """How often a module names `Any`; importing it does not count."""
    nodes = list(ast.walk(ast.parse(source)))
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    names += [node.attr for node in nodes if isinstance(node, ast.Attribute)]
    return names.count("Any")


def test_uses_are_counted() -> None:
    assert uses("from typing import Any\nimport typing\n") == 0
    assert uses("def f(a: Any, b: list[typing.Any]) -> dict[str, Any]:\n    'Any'\n") == 3


@pytest.mark.slow
def test_no_file_has_more_of_any_than_before() -> None:
    most = json.loads(MOST.read_text())
    found = {
        path.relative_to(ROOT).as_posix(): uses(path.read_text()) for path in PACKAGE.rglob("*.py")
    }
    grown = {name: count for name, count in found.items() if count > most.get(name, 0)}
    assert not grown, f"name the type instead of Any: {grown}"


def test_every_recorded_file_is_there() -> None:
    gone = [name for name in json.loads(MOST.read_text()) if not (ROOT / name).is_file()]
    assert not gone, f"remove from {MOST.name}: {gone}"
