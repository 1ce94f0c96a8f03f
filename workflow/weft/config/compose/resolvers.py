"""Which `${...}` a configuration may hold: other keys, and resolvers that only look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omegaconf.errors import GrammarParseError
from omegaconf.grammar.gen.OmegaConfGrammarParser import OmegaConfGrammarParser
from omegaconf.grammar_parser import parse

from weft.config.language.errors import Problem

#: All others read the environment, files or the clock: pages and points would then contain what
#: the experiment does not say.
ALLOWED = ("oc.select", "oc.dict.keys", "oc.dict.values", "oc.create")


def resolver_problems(value: object, place: str = "") -> Iterator[Problem]:
    """Every resolver below `value` that is not allowed, under its dotted key."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from resolver_problems(each, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from resolver_problems(each, f"{place}[{i}]")
    elif isinstance(value, str) and "${" in value:
        for name in _resolvers(value):
            if name not in ALLOWED:
                yield Problem(place, _message(name))


def _message(name: str) -> str:
    allowed = ", ".join(ALLOWED)
    return (
        f"the resolver '{name}' is not allowed: an experiment may refer to other keys, like "
        f"${{topology.k}}, and use {allowed}"
    )


def _resolvers(text: str) -> Iterator[str]:
    try:
        tree = parse(text)
    except GrammarParseError:
        # Composition says what is wrong with it.
        return
    yield from _named(tree)


def _named(node: object) -> Iterator[str]:
    if isinstance(node, OmegaConfGrammarParser.InterpolationResolverContext):
        # A name that is itself an interpolation is not allowed.
        name: Any = node.getChild(1)
        yield name.getText()
    for child in getattr(node, "children", None) or ():
        yield from _named(child)
