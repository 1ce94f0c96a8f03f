"""Every file and folder that a section names, whatever its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

from weft.config.language.section import ProjectFile, Settings


def named_files(model: Settings, key: str) -> Iterator[tuple[str, str]]:
    """The files that the section `key` names, each under its dotted key."""
    for name, field in type(model).model_fields.items():
        kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
        yield from _of(getattr(model, name, None), kind, f"{key}.{name}")


def _of(value: object, kind: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Settings):
        yield from named_files(value, key)
    elif isinstance(value, str):
        if any(is_file for _, is_file in branches(kind)):
            yield key, value
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from _of(each, _inner(kind, list), f"{key}[{i}]")
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _of(each, _inner(kind, dict), f"{key}.{name}")


def branches(kind: object, is_file: bool = False) -> Iterator[tuple[object, bool]]:
    """The types that a value may have, each with whether a text of it is a file."""
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        yield from branches(inner, is_file or any(isinstance(m, ProjectFile) for m in marks))
    elif get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            yield from branches(each, is_file)
    else:
        yield kind, is_file


def _inner(kind: object, holder: type) -> object:
    """The type of what a list or a mapping holds."""
    held = (get_args(each) for each, _ in branches(kind) if get_origin(each) is holder)
    return next((found[-1] for found in held if found), None)
