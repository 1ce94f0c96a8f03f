"""Configuration files as written, and how they are named to a user."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml

from weft.config.language.errors import ConfigError, Problem
from weft.config.language.file_limits import check_yaml
from weft.config.language.key_positions import Mark, first_mark, marks, nearest_mark
from weft.config.language.yaml_mistakes import yaml_mistake
from weft.config.language.yaml_values import yaml_values
from weft.config.language.yaml_words import NO_KEYS, check_characters, check_words

#: What a merge leaves in a file, beside both versions.
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7})( |$)", re.MULTILINE)


def shown_path(configs_dir: Path, path: Path) -> str:
    """The path as messages show it: from the folder that holds `configs`, if it is in there."""
    root, path = configs_dir.resolve().parent, path.resolve()
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def read_raw(path: Path, shown: str) -> dict[str, Any] | ConfigError:
    """The file as written, or what is wrong with it."""
    try:
        text = decoded(path.read_bytes(), shown)
    except OSError as error:
        return ConfigError(shown, "", f"cannot be read: {cause(error)}")
    return text if isinstance(text, ConfigError) else as_written(text, shown)


def decoded(content: bytes, shown: str) -> str | ConfigError:
    """The text of a file's `content`, or a mistake that names the byte that is not UTF-8."""
    if b"\0" in content[:2]:
        return ConfigError(shown, "", "is UTF-16, not UTF-8: save the file as UTF-8", Mark(1, 1))
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        message = f"the byte {content[error.start]:#04x} is not UTF-8: save the file as UTF-8"
        return ConfigError(shown, "", message, Mark(line, column))


def as_written(text: str, shown: str) -> dict[str, object] | ConfigError:
    """The values of a file's `text`, or what is wrong with it and where."""
    try:
        raw = deepcopy(parsed(text))
    except yaml.MarkedYAMLError as error:
        if conflict := _CONFLICT.search(text):
            message = "there is a mark of a merge conflict; keep one of the two versions"
            line = text.count("\n", 0, conflict.start()) + 1
            return ConfigError(shown, "", message, Mark(line, 1))
        message, mark = yaml_mistake(error, text)
        return ConfigError(shown, "", message, mark)
    except Exception as error:
        # On first use: an archive makes pages from tables without OmegaConf.
        from omegaconf.errors import OmegaConfBaseException

        if not isinstance(error, yaml.YAMLError | ValueError | OmegaConfBaseException):
            raise
        return ConfigError(shown, "", f"cannot be read: {cause(error)}")
    if not isinstance(raw, dict):
        return ConfigError(shown, "", NO_KEYS, Mark(1, 1))
    return cast("dict[str, object]", raw)


def read_text(path: Path) -> str:
    """The text of a configuration file."""
    return path.read_text(encoding="utf-8")


def placed(problems: Iterable[Problem], text: str, shown: str) -> list[ConfigError]:
    """The problems of one file with their lines in its `text`."""
    found = marks(text)

    def mark(key: str) -> Mark | None:
        return (nearest_mark(found, key) or first_mark(found)) if key else None

    return [ConfigError(shown, p.key, p.message, mark(p.key)) for p in problems]


@lru_cache(maxsize=1024)
def parsed(text: str) -> object:
    """The plain values of a file's `text`, for all who ask: not to be changed.

    Raises what OmegaConf raises.
    """
    check_characters(text)
    check_yaml(text)
    check_words(text)
    return yaml_values(text)


def cause(error: BaseException) -> str:
    """What an error says in one line, with what comes after a colon; or its class."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = lines.pop(0) if lines else type(error).__name__
    while first.endswith(":") and lines:
        first = f"{first} {lines.pop(0)}"
    if first.endswith(":") and error.__cause__ is not None:
        first = f"{first} {cause(error.__cause__)}"
    return first.rstrip(":")
