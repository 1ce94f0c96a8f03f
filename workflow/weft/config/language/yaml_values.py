"""The values of a YAML text as OmegaConf reads them, by libyaml: a tenth of the time."""

from __future__ import annotations

import re
from functools import lru_cache
from io import StringIO
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

#: Where libyaml takes what the parser in Python refuses: tabs, and line breaks of other times.
_READ_OTHERWISE = re.compile("[\t\x85\u2028\u2029\ufeff]")


def yaml_values(text: str) -> object:
    """The plain values of `text`, interpolations as they are written.

    Raises what OmegaConf raises.
    """
    if _READ_OTHERWISE.search(text):
        return _by_omegaconf(text)
    try:
        # As safe as OmegaConf's own loader, whose values these are.
        found = yaml.load(text, Loader=_loader())
    except (yaml.YAMLError, ValueError):
        # The parser in Python says better what is wrong.
        return _by_omegaconf(text)
    return found if isinstance(found, dict) and _is_plain(found) else _by_omegaconf(text)


def _by_omegaconf(text: str) -> object:
    from omegaconf import OmegaConf

    return OmegaConf.to_container(OmegaConf.load(StringIO(text)), resolve=False)


def _is_plain(value: object) -> bool:
    """Whether OmegaConf would hand out the value as it is, without a mistake to report."""
    if isinstance(value, dict):
        return all(type(key) is str and _is_plain(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, str):
        return "${" not in value
    return value is None or isinstance(value, bool | int | float)


@lru_cache(maxsize=1)
def _loader() -> Any:
    """OmegaConf's loader, which knows its numbers and refuses a key that occurs twice, on top of
    libyaml's parser."""
    from omegaconf._utils import get_yaml_loader

    own: Any = get_yaml_loader()
    if not yaml.__with_libyaml__:
        return own
    from yaml._yaml import CParser

    def begin(loader: Any, stream: str) -> None:
        CParser.__init__(loader, stream)
        SafeConstructor.__init__(loader)
        Resolver.__init__(loader)

    return type("Loader", (CParser, own), {"__init__": begin})
