"""The text below each key of a model, for schemas and the reference.

Pydantic would read it from the source whenever a program starts, which takes longer than making all
models.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path


def attribute_docs(model: type) -> dict[str, str]:
    """The documented keys of `model` and its bases, with their texts."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        file = getattr(sys.modules.get(base.__module__), "__file__", None)
        if file is not None and base.__module__.startswith("weft."):
            found |= _documented(Path(file)).get(base.__qualname__, {})
    return found


@lru_cache(maxsize=64)
def _documented(file: Path) -> Mapping[str, dict[str, str]]:
    """The documented keys of each class at the top of a source file."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return {each.name: dict(_keys(each)) for each in body if isinstance(each, ast.ClassDef)}


def _keys(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for key, below in pairwise(node.body):
        match key, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, cleandoc(text)
