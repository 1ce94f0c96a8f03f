"""Configuration files as written, and how they are named to a user."""

from __future__ import annotations

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
        raw = OmegaConf.to_container(OmegaConf.load(path), resolve=False)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        return ConfigError(f"{shown}{line}", "", f"not valid YAML: {error.problem or error}")
    except (OSError, yaml.YAMLError, UnicodeDecodeError, OmegaConfBaseException) as error:
        return ConfigError(shown, "", f"cannot be read: {first_line(error)}")
    if not isinstance(raw, dict):
        return ConfigError(shown, "", "expected keys with values at the top of the file")
    return cast("dict[str, Any]", raw)


def first_line(error: BaseException) -> str:
    """The first line that an error says, or its class."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
