"""Configuration files as written, and how they are named to a user."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any, cast

import yaml
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from weft.config.errors import ConfigError


def shown_path(configs_dir: Path, path: Path) -> str:
    """The path as told to a user: from the folder that holds `configs`."""
    configs_dir = configs_dir.resolve()
    return str(path.resolve().relative_to(configs_dir.parent))


def read_raw(path: Path, shown: str) -> dict[str, Any] | ConfigError:
    """The file as written, or the error with its line."""
    try:
        raw = deepcopy(parsed(path.read_text(encoding="utf-8")))
    except yaml.MarkedYAMLError as error:
        line, reason = yaml_mistake(error)
        return ConfigError(f"{shown}{line}", "", reason)
    except (OSError, yaml.YAMLError, UnicodeDecodeError, OmegaConfBaseException) as error:
        return ConfigError(shown, "", f"cannot be read: {cause(error)}")
    if not isinstance(raw, dict):
        return ConfigError(shown, "", "expected keys with values at the top of the file")
    return cast("dict[str, Any]", raw)


@lru_cache(maxsize=1024)
def parsed(text: str) -> Any:
    """The plain values of a file's `text`, for all who ask: not to be changed.

    Raises what OmegaConf raises.
    """
    return OmegaConf.to_container(OmegaConf.load(StringIO(text)), resolve=False)


def yaml_mistake(error: yaml.MarkedYAMLError) -> tuple[str, str]:
    """The line as `:3`, and what is wrong there."""
    mark = error.problem_mark or error.context_mark
    return f":{mark.line + 1}" if mark else "", f"not valid YAML: {error.problem or error}"


def cause(error: BaseException) -> str:
    """What an error says in one line, with what comes after a colon; or its class."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = lines.pop(0) if lines else type(error).__name__
    while told.endswith(":") and lines:
        told = f"{told} {lines.pop(0)}"
    if told.endswith(":") and error.__cause__ is not None:
        told = f"{told} {cause(error.__cause__)}"
    return told.rstrip(":")
