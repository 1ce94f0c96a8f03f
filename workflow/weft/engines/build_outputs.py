"""The programs that the commands of a build have made.

A suite makes many programs by the same commands, and experiments ask for one after the other. So
all programs are kept.
"""

from __future__ import annotations

import glob
import json
import os
import stat
from collections.abc import Container, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from weft.confine import collect
from weft.files import SUMS, altered, remove_folder, replace_text, write_sums

if TYPE_CHECKING:
    from weft.config.model.own_build import MakeSpec

_MADE = "made"
#: The files that are no programs, with the reasons.
_LEFT_OUT = "left_out.json"
_MOST_BYTES = 1 << 30
#: The beginning of executables and shared objects, and their kinds at byte 16.
_ELF = b"\x7fELF"
_KINDS = (2, 3)
_LISTED = 5


def are_kept(folder: Path) -> bool:
    """Whether the commands have ended well, so that `folder` holds what they have made, as it was
    then."""
    return (folder / SUMS).is_file() and next(altered(folder), None) is None


def keep_programs(make: MakeSpec, before: Container[str], tree: Path, folder: Path) -> None:
    """Copy from `tree` into `folder` the executable of `make`, and every other program that was not
    there `before`.
    """
    made, asked = folder / _MADE, _asked(make)
    remove_folder(made)
    made.mkdir()
    first = collect(tree, made, [glob.escape(asked)], _MOST_BYTES)
    others = sorted(name for name in _executables(tree) if name not in before and name != asked)
    more = collect(tree, made, map(glob.escape, others), _MOST_BYTES)
    for name in more.kept:
        if not _is_program(made / name):
            (made / name).unlink()
    replace_text(folder / _LEFT_OUT, json.dumps({**more.left_out, **first.left_out}))
    kept = sorted(path.relative_to(folder).as_posix() for path in made.rglob("*") if path.is_file())
    write_sums(folder, [_LEFT_OUT, *kept])


def kept_program(folder: Path, make: MakeSpec) -> Path | str:
    """The executable of `make`, or why `folder` holds none."""
    program = folder / _MADE / _asked(make)
    if program.is_file():
        return program
    left_out: dict[str, str] = json.loads((folder / _LEFT_OUT).read_text())
    return left_out.get(_asked(make)) or f"the commands make no such file{_similar(folder, make)}"


def _asked(make: MakeSpec) -> str:
    return (Path(make["folder"]) / make["executable"]).as_posix()


def _executables(tree: Path) -> Iterator[str]:
    # A link has the rights of a program, too: collect says why it is none.
    for folder, _, names in os.walk(tree):
        for path in (Path(folder) / name for name in names):
            if path.lstat().st_mode & stat.S_IXUSR:
                yield path.relative_to(tree).as_posix()


def _is_program(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(17)
    return head.startswith(_ELF) and head[-1] in _KINDS


def _similar(folder: Path, make: MakeSpec) -> str:
    """What the commands make instead, the most similar names first."""
    root = folder / _MADE / make["folder"]
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    near = get_close_matches(make["executable"], names, _LISTED, 0.0)
    more = f" and {len(names) - len(near)} more" if len(names) > len(near) else ""
    return f"; they make {', '.join(near)}{more}" if near else ""
