"""Collects what a command of strangers has left: from a list of names, regular files alone.

A command may leave a link in place of an output, and replace a folder while it is read. So every
part of a path is opened by itself, and no link is followed.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from weft.files import remove_folder

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: A named pipe must not stop the one that opens it.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class CollectedFiles:
    """What was copied, and what was left out, with the reason."""

    kept: tuple[str, ...]
    left_out: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    size_bytes: int


def collect(
    left: Path, to: Path, allowed: Iterable[str], most_bytes: int, most_files: int = 10_000
) -> CollectedFiles:
    """Copy files of `left` whose names match a pattern of `allowed` into the folder `to`.

    A pattern holds one name or `*` for each part of a path. Above `most_bytes` the largest files go
    first, of equal ones the last by name.
    """
    patterns = [PurePosixPath(pattern).parts for pattern in allowed]
    left_out: dict[str, str] = {}
    found: list[_Found] = []
    top = os.open(left, _FOLDER)
    try:
        _look(top, (), patterns, found, left_out, most_files)
        total_bytes = sum(each.size_bytes for each in found)
        for each in sorted(found, key=lambda each: (each.size_bytes, each.name), reverse=True):
            if total_bytes <= most_bytes:
                break
            total_bytes -= each.size_bytes
            found.remove(each)
            left_out[each.name] = f"{each.size_bytes} B, above the limit of {most_bytes} B for all"
        kept = [each.name for each in found if _copied(top, each, to, left_out)]
    finally:
        os.close(top)
    return CollectedFiles(tuple(sorted(kept)), left_out)


def sweep(
    folder: Path, allowed: Iterable[str], largest: Iterable[str], most_bytes: int
) -> dict[str, str]:
    """Remove what does not belong into `folder`; returns what went, with the reason.

    Only regular files with an allowed name and no other one stay. While those that match `largest`
    have more than `most_bytes` together, the largest goes. Nothing may run in the folder any more.
    """
    left_out: dict[str, str] = {}
    found: list[_Found] = []
    allowed, largest = [*allowed], [*largest]
    top = os.open(folder, _FOLDER)
    try:
        for name in sorted(os.listdir(top)):  # noqa: PTH208 (a descriptor)
            known = os.stat(name, dir_fd=top, follow_symlinks=False)
            fits = any(fnmatchcase(name, pattern) for pattern in allowed)
            if reason := _refused(known) or ("" if fits else "it is not an output"):
                left_out[ascii(name)[1:-1]] = reason
                _remove(folder, top, name, known)
            elif any(fnmatchcase(name, pattern) for pattern in largest):
                found.append(_Found(name, known.st_size))
        total_bytes = sum(each.size_bytes for each in found)
        for each in sorted(found, key=lambda each: (each.size_bytes, each.name), reverse=True):
            if total_bytes <= most_bytes:
                break
            total_bytes -= each.size_bytes
            os.unlink(each.name, dir_fd=top)
            left_out[each.name] = f"{each.size_bytes} B, above the limit of {most_bytes} B for all"
    finally:
        os.close(top)
    return left_out


def _remove(folder: Path, top: int, name: str, known: os.stat_result) -> None:
    if stat.S_ISDIR(known.st_mode):
        # It follows no link.
        remove_folder(folder / name)
    else:
        os.unlink(name, dir_fd=top)


def _look(
    folder: int,
    above: tuple[str, ...],
    patterns: list[tuple[str, ...]],
    found: list[_Found],
    left_out: dict[str, str],
    most_files: int,
) -> None:
    depth = len(above)
    for name in sorted(os.listdir(folder)):
        parts = (*above, name)
        fitting = [p for p in patterns if len(p) > depth and fnmatchcase(name, p[depth])]
        path = "/".join(parts)
        if not fitting:
            continue
        if len(found) + len(left_out) >= most_files:
            left_out["…"] = f"more than {most_files} files"
            return
        try:
            name.encode()
        except UnicodeEncodeError:
            left_out[ascii(path)] = "its name is not UTF-8"
            continue
        known = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISDIR(known.st_mode):
            inner = [p for p in fitting if len(p) > depth + 1]
            if inner:
                below = os.open(name, _FOLDER, dir_fd=folder)
                try:
                    _look(below, parts, inner, found, left_out, most_files)
                finally:
                    os.close(below)
        elif any(len(p) == depth + 1 for p in fitting):
            if reason := _refused(known):
                left_out[path] = reason
            else:
                found.append(_Found(path, known.st_size))


def _refused(known: os.stat_result) -> str:
    """Why a file is no output; empty if it is one."""
    if stat.S_ISLNK(known.st_mode):
        return "it is a symbolic link"
    if not stat.S_ISREG(known.st_mode):
        return "it is not a regular file"
    return "it has another name, by a hard link" if known.st_nlink != 1 else ""


def _copied(top: int, each: _Found, to: Path, left_out: dict[str, str]) -> bool:
    """Copy a file through its open descriptor, if it is still what was found."""
    *folders, name = each.name.split("/")
    try:
        opened = [os.dup(top)]
        try:
            for folder in folders:
                opened.append(os.open(folder, _FOLDER, dir_fd=opened[-1]))
            descriptor = os.open(name, _FILE, dir_fd=opened[-1])
        finally:
            for folder_descriptor in opened:
                os.close(folder_descriptor)
        with os.fdopen(descriptor, "rb") as source:
            known = os.fstat(descriptor)
            reason = _refused(known)
            if reason or known.st_size != each.size_bytes:
                left_out[each.name] = reason or "it changed while it was collected"
                return False
            target = to / each.name
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as copy:
                shutil.copyfileobj(source, copy)
    except OSError as error:
        left_out[each.name] = error.strerror or str(error)
        return False
    return True
