"""Keys of `machine` that decide what runs on the machine: who may set them.

Somebody else may have written an experiment, and whatever it composes. So only files in a folder
`machine/` and the command line set these keys, however a file's package is moved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from weft.config.language.errors import ConfigError, Problem
from weft.config.language.key_positions import marks
from weft.config.language.yaml_files import as_written, read_text

MACHINE = "machine"
#: Keys that reach a shell, a launcher or a scheduler, name a program to start, or open folders.
SITE_KEYS = (
    "launcher", "launcher_arguments", "launcher_template", "mpicc", "pmi", "binds", "modules",
    "environment", "readable", "booksim_path", "simgrid_path", "account", "partition", "qos",
    "constraint", "reservation", "slurm_extra",
)  # fmt: skip
_MESSAGE = (
    "belongs to a machine file (configs/machine/) or the command line: it decides what runs on the "
    "machine or is read there, which an experiment may not"
)


def may_misplace(files: Iterable[Path], folders: Sequence[Path], lines: Iterable[str]) -> bool:
    """Whether one of the files could set such a key, or a package is moved, as far as a quick look
    shows; never False where `misplaced` finds something."""
    foreign = (path for path in files if not _is_machine_file(path, folders))
    return any("@" in line for line in lines) or any(map(_may_misplace, foreign))


def misplaced(merged: Iterable[tuple[Path, str]], folders: Sequence[Path]) -> Iterator[ConfigError]:
    """Every such key that a file sets, of the merged files and their packages, and may not."""
    for path, package in merged:
        if _is_machine_file(path, folders):
            continue
        text = read_text(path)
        values = as_written(text, str(path))
        for key in [] if isinstance(values, ConfigError) else _set_keys(values, package):
            inside = key.removeprefix(f"{package}.") if package else key
            yield ConfigError(str(path), key, _MESSAGE, marks(text).get(inside))


def quick_problems(texts: Iterable[str]) -> Iterator[Problem]:
    """Overrides of a short form that set such a key: the experiment says them, not the user."""
    for i, text in enumerate(texts):
        steps = re.split(r"[^\w]+", text.partition("=")[0].strip(" +~"))
        if steps[0] == MACHINE and set(SITE_KEYS) & {*steps}:
            yield Problem(f"quick[{i}]", f"{'.'.join(steps[:2])} {_MESSAGE}")


def _is_machine_file(path: Path, folders: Sequence[Path]) -> bool:
    # Without following links: a site may keep its machine file elsewhere.
    plain = Path(os.path.normpath(path))
    return any(plain.is_relative_to(folder / MACHINE) for folder in folders)


def _may_misplace(path: Path) -> bool:
    text = read_text(path)
    values = as_written(text, str(path))
    if isinstance(values, ConfigError):
        return False
    moved = "@package" in text or "@" in str(values.get("defaults")) or "." in path.parent.name
    return moved or _has_site_key(values) or isinstance(values.get(MACHINE), str)


def _has_site_key(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(key in SITE_KEYS or _has_site_key(each) for key, each in value.items())
    return False


def _set_keys(values: Mapping[str, object], package: str) -> Iterator[str]:
    # On first use: an archive makes pages from tables without OmegaConf.
    from omegaconf import OmegaConf

    whole = OmegaConf.create({})
    if package:
        OmegaConf.update(whole, package, dict(values), force_add=True)
    else:
        whole = OmegaConf.create(dict(values))
    machine = OmegaConf.to_container(whole, resolve=False)
    section = machine.get(MACHINE) if isinstance(machine, dict) else None
    if isinstance(section, str):
        # A link to a section whose keys are not known here.
        yield MACHINE
    for key in section if isinstance(section, Mapping) else ():
        if key in SITE_KEYS:
            yield f"{MACHINE}.{key}"
