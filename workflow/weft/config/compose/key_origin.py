"""Where a key is written: the experiment's own file, another file with its line, or an override."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from weft.config.compose.composition import Composition, merged
from weft.config.compose.overrides import Overrides
from weft.config.language.errors import ConfigError, Problem
from weft.config.language.key_positions import Mark, marks, nearest_mark
from weft.config.language.yaml_files import as_written, read_text, shown_path
from weft.config.model.sweep import parse_sweep


@dataclass(frozen=True)
class Origin:
    """Places the mistakes of one experiment."""

    asked: Composition
    file: Path
    overrides: Overrides

    def errors(self, problems: Iterable[Problem]) -> list[ConfigError]:
        """The problems with their files and lines."""
        return [self._error(problem) for problem in problems]

    def shown(self, errors: Iterable[ConfigError]) -> list[ConfigError]:
        """Errors that name a file by its whole path, as a user knows it."""
        return [self._seen_from(replace(e, file=self._shown(Path(e.file)))) for e in errors]

    def written(self, key: str) -> str:
        """What sets `key`: a place like `configs/network/gigabit.yaml:3:1`, an override, or weft's
        default. Of a group it is what chooses it."""
        text = self._override(key)
        if text is not None:
            return f"override '{text}'"
        if choice := self._choice(key):
            return f"{self._shown(self.file)}:{choice}"
        names = self._names(key)
        path, mark = self._place(key)
        own = any(name in self._own for name in names)
        if mark is not None and (own or path != self.file):
            return f"{self._shown(path)}:{mark}"
        return "default"

    def _error(self, problem: Problem) -> ConfigError:
        text = self._override(problem.key) or self._around(problem.key) or self._below(problem.key)
        if text is not None:
            file = f"{self._shown(self.file)} with override '{text}'"
            return ConfigError(file, problem.key, problem.message)
        path, mark = self._place(problem.key)
        return self._seen_from(ConfigError(self._shown(path), problem.key, problem.message, mark))

    def _override(self, key: str) -> str | None:
        """The override that sets `key`, or varies it or its group, perhaps in a whole sweep."""
        keys, section = self.overrides.keys, key.partition(".")[0]
        found = (keys.get(each) for each in (key, f"sweep.{key}", f"sweep.{section}"))
        text = next((text for text in found if text is not None), None)
        whole = keys.get("sweep", "")
        return whole if text is None and key in whole else text

    def _around(self, key: str) -> str | None:
        """The override that takes away the section of `key`, or brings it to one that has none."""
        parts = key.split(".")
        sections = (".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
        text = next(filter(None, map(self.overrides.keys.get, sections)), None)
        if text is None or text.startswith("~"):
            return text
        written = key in self._own or any(key in found for _, found in self._others)
        return None if written else text

    def _below(self, key: str) -> str | None:
        """The override that adds a section which no file has."""
        if not key or key in self._own or any(key in found for _, found in self._others):
            return None
        found = (text for each, text in self.overrides.keys.items() if each.startswith(f"{key}."))
        return next(found, None)

    def _seen_from(self, error: ConfigError) -> ConfigError:
        if error.file == self._shown(self.file):
            return error
        return replace(error, message=f"{error.message} (seen from experiment {self.file.stem})")

    def _shown(self, path: Path) -> str:
        return shown_path(self.asked.configs_dir, path)

    def _place(self, key: str) -> tuple[Path, Mark | None]:
        for name in self._names(key):
            if name in self._own:
                return self.file, self._own[name]
        for file, found in self._others:
            if key in found:
                return file, found[key]
        return self.file, nearest_mark(self._own, key) or self._choice(key.partition(".")[0])

    def _choice(self, group: str) -> Mark | None:
        """Where the experiment chooses from `group`."""
        found = (mark for place, mark in self._own.items() if place.endswith(f" /{group}"))
        return next(found, None)

    @cached_property
    def _own(self) -> dict[str, Mark]:
        return marks(read_text(self.file))

    def _names(self, key: str) -> tuple[str, ...]:
        """Names under which the file may say what `key` is. Swept values replace that of the key;
        where its section is swept, the key is as written."""
        return (*self._swept_as(key), key, *self._swept_as(key.partition(".")[0]))

    def _swept_as(self, key: str) -> Iterator[str]:
        """Where the sweep may say what `key` or the section `key` is."""
        if key in self._swept:
            yield f"sweep.{key}"
            yield from (place for place in self._own if place.endswith(f"].{key}"))

    @cached_property
    def _swept(self) -> set[str]:
        raw = as_written(read_text(self.file), "")
        sweep = raw.get("sweep") if isinstance(raw, dict) else None
        return set(parse_sweep(sweep)[0].swept_keys()) if isinstance(sweep, Mapping) else set()

    @cached_property
    def _others(self) -> list[tuple[Path, dict[str, Mark]]]:
        """The other files of the composition, those first that have the last word."""
        return [
            (file, {f"{package}.{key}" if package else key: mark for key, mark in found.items()})
            for file, package in reversed(self._merged())
            if file != self.file
            for found in [marks(read_text(file))]
        ]

    def _merged(self) -> list[tuple[Path, str]]:
        try:
            return list(merged(self.asked))
        except Exception:
            return []
