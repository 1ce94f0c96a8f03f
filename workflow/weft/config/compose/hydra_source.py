"""Hydra's way to the files of a configuration tree: `weft:///path/to/configs`.

A plain source of files but for this: an experiment is composed at the top unless it says otherwise,
a range is one value, and what an experiment must not do is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path

from hydra.core.object_type import ObjectType
from hydra.errors import HydraException
from hydra.plugins.config_source import ConfigLoadError, ConfigResult, ConfigSource
from omegaconf import OmegaConf

from weft.config.compose.atomic_values import closed
from weft.config.compose.resolvers import resolver_problems
from weft.config.compose.section_shapes import no_sections
from weft.config.language.errors import ConfigError, Problem
from weft.config.language.yaml_files import as_written, cause, decoded, placed

SCHEME = "weft"
SUFFIXES = (".yaml", ".yml")
EXPERIMENT = "experiment"
_PACKAGE = re.compile(r"(?:\s*#.*\n)*?\s*#\s*@package\s+(\S+)\s*(?:\n|$)")

#: Files that a composition has asked for: path -> digest, or None for one that is not there.
Seen = dict[str, str | None]
_seen: ContextVar[Seen | None] = ContextVar("seen", default=None)
#: Entries of the defaults of one file that nothing can be composed of: its name, and their keys.
LeftOut = tuple[str, frozenset[str]]
_left_out: ContextVar[LeftOut] = ContextVar("left_out", default=("", frozenset()))


#: Keys of `config.yaml` whose values are not sections.
_OF_WEFT = ("experiments", "max_points")


class RefusedFile(HydraException):
    """A file cannot be read, or holds what no configuration file may."""

    def __init__(self, file: Path, errors: list[ConfigError]) -> None:
        super().__init__(errors[0].message)
        self.file, self.errors = file, errors


@contextmanager
def watching(seen: Seen) -> Iterator[None]:
    """Note in `seen` every file that is looked for meanwhile."""
    token = _seen.set(seen)
    try:
        yield
    finally:
        _seen.reset(token)


@contextmanager
def leaving_out(experiment: str, entries: frozenset[str]) -> Iterator[None]:
    """Read the file of the experiment meanwhile as if it had no such entries: `defaults[0]`, or
    `defaults` for the whole list."""
    token = _left_out.set((f"{EXPERIMENT}/{experiment}", entries))
    try:
        yield
    finally:
        _left_out.reset(token)


def config_file(folder: Path, config_path: str) -> Path | None:
    """The file of `topology/torus` below `folder`; none for a path that leads out of it."""
    written = folder / config_path
    if not Path(os.path.normpath(written)).is_relative_to(folder):
        return None
    if written.suffix in SUFFIXES and written.is_file():
        return written
    found = (written.with_name(written.name + suffix) for suffix in SUFFIXES)
    return next((path for path in found if path.is_file()), None)


class FolderSource(ConfigSource):
    """One folder of the search path."""

    def __init__(self, provider: str, path: str) -> None:
        super().__init__(provider, path)
        self._folder = Path(self.path)

    @staticmethod
    def scheme() -> str:
        """What a path of this kind begins with."""
        return SCHEME

    def load_config(self, config_path: str) -> ConfigResult:
        """The file's values for Hydra to merge."""
        file = config_file(self._folder, config_path)
        if file is None:
            raise ConfigLoadError(f"there is no file {self._folder / config_path}.yaml")
        text = _text(file)
        values = as_written(text, str(file))
        if isinstance(values, ConfigError):
            raise RefusedFile(file, [values])
        problems = list(_refused(values, package := _package(config_path, text)))
        if problems:
            raise RefusedFile(file, placed(problems, text, str(file)))
        if config_path == "config":
            # What plain `snakemake` builds is no part of an experiment.
            values = {key: value for key, value in values.items() if key not in _OF_WEFT}
        at_top = package == "_global_"
        lists = {at for at, value in no_sections(values) if at_top and isinstance(value, list)}
        return ConfigResult(
            provider=self.provider,
            path=self.full_path(),
            config=OmegaConf.create(closed(_readable(config_path, values), lists)),
            header={"package": package},
        )

    def available(self) -> bool:
        """Whether the folder is there."""
        return self._folder.is_dir()

    def is_group(self, config_path: str) -> bool:
        """Whether `config_path` is a folder with choices."""
        return (self._folder / config_path).is_dir()

    def is_config(self, config_path: str) -> bool:
        """Whether `config_path` is a file."""
        found = config_file(self._folder, config_path) is not None
        if not found:
            _note(self._folder / f"{config_path}.yaml", None)
        return found

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        """Names of the files and folders below `config_path`."""
        found: list[str] = []
        for path in sorted((self._folder / config_path).iterdir()):
            is_config = path.suffix in SUFFIXES and path.is_file()
            wanted = (ObjectType.CONFIG,) if is_config else (ObjectType.GROUP,)
            if (is_config or path.is_dir()) and results_filter in (None, *wanted):
                found.append(path.stem if is_config else path.name)
        return found


def _readable(config_path: str, values: dict[str, object]) -> dict[str, object]:
    """The values without what is left out of this file."""
    file, left_out = _left_out.get()
    if config_path != file or not left_out or "defaults" not in values:
        return values
    entries = values["defaults"] if isinstance(values["defaults"], list) else []
    kept = [entry for i, entry in enumerate(entries) if f"defaults[{i}]" not in left_out]
    return {**values, "defaults": kept}


def _text(file: Path) -> str:
    try:
        content = file.read_bytes()
        _note(file, sha256(content).hexdigest())
    except OSError as error:
        mistake = ConfigError(str(file), "", f"cannot be read: {cause(error)}")
        raise RefusedFile(file, [mistake]) from None
    text = decoded(content, str(file))
    if isinstance(text, ConfigError):
        raise RefusedFile(file, [text])
    return text


def _package(config_path: str, text: str) -> str | None:
    written = _PACKAGE.match(text)
    if written:
        return written[1]
    return "_global_" if config_path.startswith(f"{EXPERIMENT}/") else None


def _refused(values: Mapping[str, object], package: str | None) -> Iterator[Problem]:
    if "hydra" in values or (package or "").split(".")[0] == "hydra":
        message = "for experiments in another folder use --config search_path=…"
        yield Problem("hydra", f"Hydra's own settings are not allowed here: {message}")
    entries = values.get("defaults")
    for i, entry in enumerate(entries if isinstance(entries, list) else ()):
        text = " ".join(map(str, entry)) if isinstance(entry, Mapping) else str(entry)
        if re.search(r"(^|[\s/@])hydra([/@.]|$)", text):
            yield Problem(f"defaults[{i}]", "Hydra's own settings are not allowed here")
    yield from resolver_problems(values)


def _note(file: Path, digest: str | None) -> None:
    seen = _seen.get()
    if seen is not None:
        seen[str(file)] = digest
