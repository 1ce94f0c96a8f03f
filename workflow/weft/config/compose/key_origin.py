"""Where a key is written: the experiment's own file, another file with its line, or an override."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from weft.config.compose.composition import Composition, merged
from weft.config.compose.overrides import Overrides
from weft.config.language.errors import ConfigError, Problem
from weft.config.language.key_positions import Mark, first_mark, marks, nearest_mark
from weft.config.language.yaml_files import as_written, read_text, shown_path
from weft.config.model.sweep import flattened, parse_sweep


@dataclass(frozen=True, slots=True)
class _Other:
    """Another file of the composition, whose keys stand below `package` in the experiment."""

    file: Path
    package: str
    marks: dict[str, Mark]

    def exact(self, key: str) -> Mark | None:
        """Where the file has the key."""
        inside = self._inside(key)
        return self.marks.get(inside) if inside else None

    def around(self, key: str) -> Mark | None:
        """Where it has the nearest section around the key; perhaps that is the whole file."""
        inside = self._inside(key)
        if inside is None:
            return None
        whole = first_mark(self.marks) if self.package else None
        return nearest_mark(self.marks, inside) or whole

    def _inside(self, key: str) -> str | None:
        """The key as the file writes it; empty for the section that the file is."""
        if not self.package or key == self.package:
            return "" if self.package else key
        return key[len(self.package) + 1 :] if key.startswith(f"{self.package}.") else None


@dataclass(frozen=True)
class Origin:
    """Places the mistakes of one experiment."""

    asked: Composition
    file: Path
    overrides: Overrides
    #: The groups' files are those that the sweep chose: what it chose is not the mistake.
    swept_choices: bool = False
    #: The swept values of the point that has the mistake, as text.
    swept: Mapping[str, str] = field(default_factory=dict)

    def errors(self, problems: Iterable[Problem]) -> list[ConfigError]:
        """The problems with their files and lines."""
        return [replace(self, swept=dict(problem.swept))._error(problem) for problem in problems]

    def chosen(self, choices: Mapping[str, str]) -> Origin:
        """Places mistakes of the composition in which the sweep makes these `choices`."""
        if not choices:
            return self
        asked = replace(self.asked, choices={**self.asked.choices, **choices})
        return replace(self, asked=asked, swept_choices=True)

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
        path, mark = self._exact(key) or (self.file, None)
        return f"{self._shown(path)}:{mark}" if mark else "default"

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
        """The override that takes away the section of `key`, brings it to one that has none, or
        makes it one of a kind that requires the key."""
        parts = key.split(".")
        sections = (".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
        deciding = (each for section in sections for each in (section, f"{section}.kind"))
        text = next(filter(None, map(self.overrides.keys.get, deciding)), None)
        if text is None or text.startswith("~"):
            return text
        written = key in self._own or any(other.exact(key) for other in self._others)
        return None if written else text

    def _below(self, key: str) -> str | None:
        """The override that adds a section which no file has."""
        if not key or key in self._own or any(other.exact(key) for other in self._others):
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
        """Where the key is written, else the nearest section around it, else the first key."""
        if exact := self._exact(key):
            return exact
        if near := nearest_mark(self._own, key) or self._choice(key.partition(".")[0]):
            return self.file, near
        if beside := self._swept_beside(key):
            return self.file, beside
        if not key:
            return self.file, None
        around = ((other.file, other.around(key)) for other in self._others)
        found = ((file, mark) for file, mark in around if mark)
        return next(found, (self.file, first_mark(self._own)))

    def _exact(self, key: str) -> tuple[Path, Mark] | None:
        for name in self._names(key):
            if name in self._own:
                return self.file, self._own[name]
        found = ((other.file, other.exact(key)) for other in self._others)
        return next(((file, mark) for file, mark in found if mark), None)

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
        key_of_axis = key.removeprefix("sweep.")
        return (*self._swept_as(key_of_axis), key, *self._swept_as(key.partition(".")[0]))

    def _swept_as(self, key: str) -> Iterator[str]:
        """Where the sweep may say what `key` or the section `key` is."""
        if key in self._swept and not (self.swept_choices and key in self.asked.choices):
            yield f"sweep.{key}"
            yield from (place for place in self._own if place.endswith(f"].{key}"))
            section, _, name = key.partition(".")
            yield from (f"{entry}.{name}" for entry in self._entries(section) if name)

    def _entries(self, section: str) -> list[str]:
        """The whole sections that the sweep lists, `sweep.topology[1]`: those of the point with the
        mistake, or all."""
        listed, place = self._sweep.get(section), f"sweep.{section}"
        if isinstance(listed, Mapping):
            listed, place = listed.get("values"), f"{place}.values"
        entries = {
            f"{place}[{number}]": entry
            for number, entry in enumerate(listed if isinstance(listed, list) else ())
            if isinstance(entry, Mapping)
        }
        meant = [where for where, entry in entries.items() if self._is_of_point(section, entry)]
        return meant or [*entries]

    def _is_of_point(self, section: str, entry: Mapping[str, object]) -> bool:
        """Whether a whole section has the values of the point."""
        own = dict(flattened(entry, f"{section}."))
        own[section] = own.pop(f"{section}.kind", None)
        return all(self.swept.get(key) == str(value) for key, value in own.items())

    def _swept_beside(self, key: str) -> Mark | None:
        """Where the sweep varies the section of a key: what it chose there made the key wrong."""
        section = key.rpartition(".")[0]
        beside = (each for each in sorted(self._swept) if each.rpartition(".")[0] == section)
        places = (place for each in beside for place in self._swept_as(each))
        found = (self._own[place] for place in places if place in self._own)
        return next(found, None) if section else None

    @cached_property
    def _swept(self) -> set[str]:
        return set(parse_sweep(self._sweep)[0].swept_keys())

    @cached_property
    def _sweep(self) -> Mapping[str, object]:
        """The sweep as the file writes it."""
        raw = as_written(read_text(self.file), "")
        sweep = raw.get("sweep") if isinstance(raw, dict) else None
        return sweep if isinstance(sweep, Mapping) else {}

    @cached_property
    def _others(self) -> list[_Other]:
        """The other files of the composition, those first that have the last word."""
        return [
            _Other(file, package, marks(read_text(file)))
            for file, package in reversed(self._merged())
            if file != self.file
        ]

    def _merged(self) -> list[tuple[Path, str]]:
        try:
            return list(merged(self.asked))
        except Exception:
            return []
