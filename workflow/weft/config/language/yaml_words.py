"""What YAML reads in another way than people do: `010` is 8, `1:30` is 90, the key `on` is true."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from weft.config.language.yaml_loader import LOADER

TAG = "tag:yaml.org,2002:"
TEXT_TAG = f"{TAG}str"
#: Characters that steer a terminal, turn a text around, or are halves of others.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_OTHER_BASE = re.compile(r"[-+]?(0[0-7_]+|[0-9_]+(:[0-5]?[0-9])+)")
#: More digits than this are no text that Python reads as a number.
MOST_DIGITS = 4300
#: Spaces that are not the plain one, and characters without a width, at an end of a key.
_UNSEEN_THERE = re.compile(
    r"^[^\S ]|^[\u200b-\u200f\u2060\ufeff]|[^\S ]$|[\u200b-\u200f\u2060\ufeff]$"
)
NO_KEYS = "expected keys with values at the top of the file"
_AS = {"bool": "true or false", "null": "nothing", "int": "a number", "float": "a number"}


class Misread(yaml.MarkedYAMLError):
    """A text that is YAML, and does not mean what it seems to; its `problem` says what to write."""


def check_characters(text: str) -> None:
    """Raises Misread for a character that no configuration holds."""
    found = _CONTROL.search(text)
    if found:
        before = text[: found.start()]
        line, column = before.count("\n"), found.start() - (before.rfind("\n") + 1)
        raise Misread(
            problem=control_problem(text),
            problem_mark=yaml.Mark("", found.start(), line, column, None, 0),
        )


def control_problem(text: str) -> str | None:
    """What is wrong with a text that holds a control character, written as it is or as `\\e`."""
    found = _CONTROL.search(text)
    return f"there is a control character (U+{ord(found[0]):04X}); delete it" if found else None


def check_words(text: str) -> None:
    """Raises Misread for the first number, key or link that does not mean what it seems to.

    The text must have passed `check_yaml`.
    """
    root = yaml.compose(text, Loader=LOADER)
    if isinstance(root, yaml.ScalarNode):
        raise Misread(problem=NO_KEYS, problem_mark=root.start_mark)
    for key in root.value if isinstance(root, yaml.MappingNode) else ():
        _check_key(key[0], ("int", "float"))
    for node in _nodes(root, set()):
        if isinstance(node, yaml.MappingNode):
            for key, _ in node.value:
                _check_key(key, ("bool", "null"))
                _check_unseen(key)
        elif isinstance(node, yaml.ScalarNode):
            _check_number(node)
            _check_link(node)


def _nodes(node: object, seen: set[int]) -> Iterator[object]:
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    yield node
    if isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for each in pair:
                yield from _nodes(each, seen)
    elif isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _nodes(each, seen)


def _check_key(key: yaml.Node, kinds: tuple[str, ...]) -> None:
    kind = key.tag.removeprefix(TAG)
    if isinstance(key, yaml.ScalarNode) and kind in kinds:
        message = f"YAML reads the key {key.value} as {_AS[kind]}: put quotes around it"
        raise Misread(problem=message, problem_mark=key.start_mark)


def _check_unseen(key: yaml.Node) -> None:
    found = _UNSEEN_THERE.search(key.value) if isinstance(key, yaml.ScalarNode) else None
    if found:
        message = (
            f"the key '{key.value.strip()}' has a character that is not seen "
            f"(U+{ord(found[0]):04X}); write plain spaces, or none"
        )
        raise Misread(problem=message, problem_mark=key.start_mark)


def _check_number(node: yaml.ScalarNode) -> None:
    if node.tag != f"{TAG}int":
        return
    if len(node.value) > MOST_DIGITS:
        message = f"a number of {len(node.value)} digits is too large"
        raise Misread(problem=message, problem_mark=node.start_mark)
    if _OTHER_BASE.fullmatch(node.value) and node.value.strip("+-0_:"):
        value = yaml.SafeLoader("").construct_yaml_int(node)
        message = f"{node.value} is {value} in YAML: write the number, or put quotes around a text"
        raise Misread(problem=message, problem_mark=node.start_mark)


def _check_link(node: yaml.ScalarNode) -> None:
    if "${" not in node.value:
        return
    # On first use: an archive makes pages from tables without OmegaConf.
    from omegaconf import grammar_parser
    from omegaconf.errors import GrammarParseError

    try:
        grammar_parser.parse(node.value)
    except GrammarParseError:
        message = f"'{node.value}' is not a link to a key; write it like ${{topology.k}}"
        raise Misread(problem=message, problem_mark=node.start_mark) from None
