"""Which file holds a key: the experiment's own, a group's, or an override."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft.config.errors import ConfigError, Problem
from weft.config.files import shown_path
from weft.config.overrides import Overrides
from weft.config.sweep import parse_sweep


@dataclass(frozen=True)
class Origin:
    """Places the mistakes of one experiment."""

    configs_dir: Path
    file: Path
    raw: Mapping[str, Any]
    overrides: Overrides

    def errors(
        self, problems: Iterable[Problem], choices: Mapping[str, str] | None = None
    ) -> list[ConfigError]:
        """The problems with their files."""
        return [self._error(problem, choices or {}) for problem in problems]

    def _error(self, problem: Problem, choices: Mapping[str, str]) -> ConfigError:
        file, message = self._file(problem.key, choices), problem.message
        if self.file.name not in file:
            message += f" (seen from experiment {self.file.stem})"
        return ConfigError(file, problem.key, message)

    def _file(self, key: str, choices: Mapping[str, str]) -> str:
        own = shown_path(self.configs_dir, self.file)
        if key in self.overrides.keys:
            return f"{own} with override '{self._override(key)}'"
        path = re.findall(r"[^.\[\]]+", key)
        if self._holds(path) or not path:
            return own
        choice = choices.get(path[0])
        file = self.configs_dir / path[0] / f"{choice}.yaml"
        if choice is None or {key, path[0]} & self._swept():
            return own
        if not file.is_file() or not self._written(file, path[-1]):
            return own
        return shown_path(self.configs_dir, file)

    def _holds(self, path: list[str]) -> bool:
        found: Any = self.raw
        for step in path:
            if not isinstance(found, Mapping) or step not in found:
                return False
            found = found[step]
        return True

    def _written(self, file: Path, key: str) -> bool:
        # Read as text: a group file that is no valid YAML has been told about already.
        return re.search(rf"^\s*{re.escape(key)}\s*:", file.read_text(), re.MULTILINE) is not None

    def _override(self, key: str) -> str:
        return next(t for t in self.overrides.texts if t.partition("=")[0].strip(" +~") == key)

    def _swept(self) -> set[str]:
        sweep = self.raw.get("sweep")
        return set(parse_sweep(sweep)[0].swept_keys()) if isinstance(sweep, Mapping) else set()
