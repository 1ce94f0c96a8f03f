"""Which files of `configs/experiment/` are experiments, and which only look like one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from weft.config.language.errors import ConfigError
from weft.config.language.file_limits import MOST_CHARACTERS
from weft.config.language.yaml_files import shown_path
from weft.files.layout import INDEX, PAPER, page_name

SUFFIXES = (".yaml", ".yml")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
#: A file's name has 255 bytes at most, and holds the name of a run and overrides, too.
LONGEST_NAME = 64
#: Snakemake takes a name that repeats itself so often for one that grows without end.
_REPEATED = re.compile(r"(.+)\1{19}")


@dataclass(frozen=True)
class Listing:
    """Files by experiment, of which there should be one each, and what is wrong with others."""

    files: dict[str, list[Path]] = field(default_factory=dict)
    wrong: dict[str, ConfigError] = field(default_factory=dict)


def listed(*folders: Path) -> Listing:
    """The experiments of the configuration trees `folders`.

    Hidden files are none, whatever their ending: editors leave them there while a file is open.
    """
    found = Listing()
    for path in _candidates(folders):
        mistake = next(_mistakes(path), None)
        if mistake is None:
            found.files.setdefault(path.stem, []).append(path)
        else:
            # Not the target of a link, which may not exist.
            shown = f"{shown_path(folders[0], path.parent)}/{path.name}"
            found.wrong[path.stem] = ConfigError(shown, "", mistake)
    return found


def name_mistakes(name: str) -> Iterator[str]:
    """Why no experiment may have this name, if there is a reason."""
    if not NAME.fullmatch(name):
        yield (
            f"'{name}' is not a valid experiment name: use letters, digits, _ and -, "
            "and begin with a letter or a digit"
        )
    if len(name) > LONGEST_NAME:
        yield f"an experiment's name may have {LONGEST_NAME} characters; this has {len(name)}"
    elif _REPEATED.search(name):
        yield "an experiment's name must not repeat itself 20 times"
    if name == INDEX or name.startswith(PAPER):
        yield (
            f"{page_name(name)} is another page: an experiment must not be called "
            f"'{INDEX}', and its name must not begin with '{PAPER}'"
        )


def misplaced_file(configs: Path, name: str) -> ConfigError | None:
    """What to do with the file of an unknown experiment that lies in another folder, if it does:
    in `configs`, in the project's own folder, or deeper than experiments lie."""
    right = configs / "experiment"
    for folder in (configs, configs.parent, *sorted(right.glob("*/"))):
        for path in (folder / f"{name}{suffix}" for suffix in SUFFIXES):
            if path.is_file():
                there = shown_path(configs, right / path.name)
                message = f"is in a folder without experiments; move it to {there}"
                return ConfigError(shown_path(configs, path), "", message)
    return None


def _candidates(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        inner = folder / "experiment"
        for path in sorted(inner.iterdir()) if inner.is_dir() else []:
            if not path.name.startswith(".") and path.suffix.lower() in SUFFIXES:
                yield path


def _mistakes(path: Path) -> Iterator[str]:
    if path.suffix not in SUFFIXES:
        yield f"is ignored: write its ending in lower case, {path.stem}{path.suffix.lower()}"
    yield from name_mistakes(path.stem)
    try:
        status = path.stat()
    except OSError as error:
        # A link to nowhere, or round in a circle.
        yield f"cannot be read: {os.strerror(error.errno or 0)}"
        return
    if path.is_dir():
        yield "is a folder, not a file"
    elif not path.is_file():
        yield "is not a regular file"
    elif status.st_size > MOST_CHARACTERS:
        yield f"is larger than {MOST_CHARACTERS:,} bytes, the most that an experiment file may have"
