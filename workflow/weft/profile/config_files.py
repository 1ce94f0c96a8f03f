"""Files of `--configfile`, before Snakemake opens them: for a missing one it prints a traceback."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import yaml

from weft.profile.cache_folder import insist_on_cache
from weft.profile.command_line import CommandLine

NAMES = ("configfile", "configfiles")

#: From a profile's name to its folder and its file, if there is one: Snakemake's `get_profile_dir`.
FindProfile = Callable[[str], tuple[Path, Path] | None]


def check_config_files(command: CommandLine, find_profile: FindProfile) -> None:
    """End the program with one line for a file of `--configfile` that cannot be read.

    So does an entry of `--config` without a value. Files may stand on the command line or, without
    any there, in the profile. Called by profiles/default, the only place that Snakemake asks before
    it opens the files and makes its cache.
    """
    insist_on_cache()
    for entry in command.settings:
        if "=" not in entry and "/" in entry:
            # Snakemake takes every word after --config for an entry.
            given = " ".join(each for each in command.settings if "=" in each)
            said = f"a target stands before --config: snakemake {entry} --config {given}".rstrip()
            raise SystemExit(f"weft: --config {entry}: {said}")
        if "=" not in entry:
            raise SystemExit(f"weft: --config {entry}: write it as name=value, like strict=true")
    files = [("--configfile", file) for file in command.configfiles]
    for source, file in files or _of_profiles(command.profiles, find_profile):
        try:
            with Path(file).open():
                pass
        except OSError as error:
            raise SystemExit(f"weft: {source} {file}: {_reason(file, error)}") from None


def _reason(file: str, error: OSError) -> str:
    from weft.config.language.errors import nearest

    there = [str(each) for each in Path(file).parent.glob("*.y*ml") if each.is_file()]
    near = nearest(file, there) if isinstance(error, FileNotFoundError) else ""
    return f"{(error.strerror or str(error)).lower()}{near}"


def _of_profiles(names: Iterable[str], find_profile: FindProfile) -> list[tuple[str, str]]:
    """The files that the profiles name, each with the place where one does.

    A later profile replaces what an earlier one says.
    """
    files: list[tuple[str, str]] = []
    for name in names:
        if found := find_profile(name):
            files = list(_of_profile(*found)) or files
    return files


def _of_profile(folder: Path, profile: Path) -> Iterator[tuple[str, str]]:
    # Snakemake itself reports a profile that is not YAML.
    with suppress(OSError, ValueError, yaml.YAMLError):
        for key, value in _entries(profile):
            source = f"{profile}:{key.start_mark.line + 1}: {key.value}:"
            if isinstance(value, yaml.SequenceNode):
                yield from ((source, str(each.value)) for each in value.value)
            elif isinstance(value, yaml.ScalarNode) and value.value:
                yield source, _beside(folder, value.value)


def _entries(profile: Path) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
    root = yaml.compose(profile.read_text())
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    return [(key, value) for key, value in pairs if key.value in NAMES]


def _beside(folder: Path, value: str) -> str:
    """Snakemake looks for a file beside the profile first; not so for those of a list."""
    file = Path(os.path.expandvars(value)).expanduser()
    return str(folder / file if (folder / file).exists() else file)
