"""Nodes of a file of Chakra ET, one after the other.

Source: MLCommons Chakra, `schema/protobuf/et_def.proto`. A file holds one `GlobalMetadata` and then
`Node`s, each behind its length as a varint; gzip may compress the whole. The numbers of fields are
those since October 2023; later schemas added fields and kinds of nodes and changed none of these.
Files of before name `parent`s where `ctrl_deps` stand now, and are refused.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Protocol, cast

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, proto
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from weft.tables.traces import TraceError

KINDS = (
    "INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE",
    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE", "STORAGE_NODE", "BATCH_NODE",
    "CHECKPOINT_NODE",
)  # fmt: skip
_PACKAGE = "weft.chakra"
_FIELD = descriptor_pb2.FieldDescriptorProto
#: The values that an attribute may have, with their field numbers. weft reads no other lists.
_VALUES = {
    "double": 3, "float": 5, "int32": 7, "int64": 9, "uint32": 11, "uint64": 13, "sint32": 15,
    "sint64": 17, "fixed32": 19, "fixed64": 21, "sfixed32": 23, "sfixed64": 25, "bool": 27,
    "string": 29,
}  # fmt: skip
_BOOL_LIST = 28
#: Two older schemas. In one a file begins with a node, whose first field is a number (wire type 0).
#: In the other the attributes of nodes, which begin with a text, have a field that is now reused.
_OLD_ID, _REUSED, _TEXT = (1, 0), 11, b"\x0a"
_GZIP = b"\x1f\x8b"


class _Attribute(Protocol):
    """The message `AttributeProto`, as far as weft reads it."""

    name: str

    def WhichOneof(self, name: str) -> str | None: ...  # noqa: N802 - the library's name


class _Node(Protocol):
    """The message `Node`, as far as weft reads it."""

    id: int
    name: str
    type: int
    ctrl_deps: Sequence[int]
    data_deps: Sequence[int]
    duration_micros: int
    attr: Sequence[_Attribute]
    reused: bytes


@dataclass(frozen=True, slots=True)
class Node:
    """What a rank does at once. `needs` are the ids of nodes that must have ended before."""

    path: Path
    id: int
    name: str
    kind: str
    needs: tuple[int, ...]
    duration_s: float
    values: Mapping[str, object]

    def wrong(self, what: str) -> TraceError:
        """A mistake in this node."""
        return TraceError(f"{self.path} node {self.id} ({self.name}, {self.kind}): {what}")

    def whole(self, name: str, otherwise: int | None = None) -> int:
        """An attribute that is a whole number of at least 0, whichever type it has.

        Raises TraceError when it is none, or missing without an `otherwise`.
        """
        value = self.values.get(name)
        if value is None and otherwise is not None:
            return otherwise
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 63:
            said = "is missing" if value is None else f"is {value!r}"
            raise self.wrong(f"{name} {said}, must be a whole number of 0 or more")
        return value


def read_nodes(path: Path) -> Iterator[Node]:
    """The nodes of a file, in its order.

    Raises TraceError when the file is cut, of an older schema, or none of Chakra.
    """
    metadata, node = _messages()
    try:
        with _open(path) as file:
            first = proto.parse_length_prefixed(metadata, file)
            if first is None:
                raise TraceError(f"{path} is empty")
            strange = UnknownFieldSet(first)
            if len(strange) and (strange[0].field_number, strange[0].wire_type) == _OLD_ID:
                raise _old(path)
            while (found := proto.parse_length_prefixed(node, file)) is not None:
                yield _node(path, found)
    except (OSError, EOFError, DecodeError, ValueError, OverflowError) as error:
        if isinstance(error, TraceError):
            raise
        raise TraceError(f"{path} is cut, or no file of Chakra: {error}") from error


def _open(path: Path) -> BytesIO:
    with path.open("rb") as file:
        compressed = file.read(len(_GZIP)) == _GZIP
    # Of its files the library only reads, from one byte to the next.
    return cast("BytesIO", gzip.open(path) if compressed else path.open("rb"))


def _node(path: Path, message: Message) -> Node:
    found = cast("_Node", message)
    if found.reused.startswith(_TEXT):
        raise _old(path)
    if found.type >= len(KINDS):
        what = f"the type is {found.type}, must be 1 to {len(KINDS) - 1}"
        raise TraceError(f"{path} node {found.id} ({found.name}): {what}")
    values = {each.name: _value(each) for each in found.attr}
    needs = (*found.ctrl_deps, *found.data_deps)
    duration_s = found.duration_micros / 1e6
    return Node(path, found.id, found.name, KINDS[found.type], needs, duration_s, values)


def _value(attribute: _Attribute) -> object:
    """The value; None for lists and texts that weft does not read."""
    which = attribute.WhichOneof("value")
    if which is None:
        return None
    value = getattr(attribute, which)
    return tuple(value.values) if which == "bool_list" else value


def _old(path: Path) -> TraceError:
    return TraceError(
        f"{path} is of a schema before October 2023, whose nodes name their parents;"
        " write it again with Chakra of today"
    )


@cache
def _messages() -> tuple[type[Message], type[Message]]:
    """The classes of metadata and nodes, with the fields that weft reads."""
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{_PACKAGE}.proto", package=_PACKAGE, syntax="proto3"
    )
    booleans = file.message_type.add(name="BoolList")
    _add(booleans, "values", 1, "bool", repeated=True)
    attribute = file.message_type.add(name="AttributeProto")
    _add(attribute, "name", 1, "string")
    attribute.oneof_decl.add(name="value")
    for kind, number in _VALUES.items():
        _add(attribute, f"{kind}_val", number, kind, oneof=0)
    _add(attribute, "bool_list", _BOOL_LIST, ".BoolList", oneof=0)
    file.message_type.add(name="GlobalMetadata")
    node = file.message_type.add(name="Node")
    for name, number, kind in (("id", 1, "uint64"), ("name", 2, "string"), ("type", 3, "uint32")):
        _add(node, name, number, kind)
    _add(node, "ctrl_deps", 4, "uint64", repeated=True)
    _add(node, "data_deps", 5, "uint64", repeated=True)
    _add(node, "duration_micros", 7, "uint64")
    _add(node, "attr", 10, ".AttributeProto", repeated=True)
    _add(node, "reused", _REUSED, "bytes")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = [
        message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))
        for name in ("GlobalMetadata", "Node")
    ]
    return found[0], found[1]


def _add(
    message: descriptor_pb2.DescriptorProto,
    name: str,
    number: int,
    kind: str,
    *,
    repeated: bool = False,
    oneof: int | None = None,
) -> None:
    field = message.field.add(name=name, number=number)
    field.label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
    if kind.startswith("."):
        field.type, field.type_name = _FIELD.TYPE_MESSAGE, f".{_PACKAGE}{kind}"
    else:
        field.type = _FIELD.Type.Value(f"TYPE_{kind.upper()}")
    if oneof is not None:
        field.oneof_index = oneof
