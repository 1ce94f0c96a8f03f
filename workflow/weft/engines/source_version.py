"""The version of a simulator of this project: a digest of the tokens of what it is built from.

A changed comment recomputes nothing; a changed number in code does.

`simulators/source_version` puts the same text into the executable, so that plans need no
executable, and a run refuses one that was built from other sources.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from weft.engines.base import EngineError
from weft.files import JsonObject
from weft.files.tokens import content

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

DIGITS = 12
LOCKED = "Cargo.lock"
_PACKAGE = "[[package]]\n"


@dataclass(frozen=True, slots=True)
class Sources:
    """What counts of the sources of a crate, by paths from the workspace, and their version."""

    version: str
    counted: Mapping[str, bytes]


def source_version(crate: str, workspace: Path) -> str:
    """`<Cargo version>+<digest>` of `crate` in the Cargo workspace `workspace`.

    Raises EngineError when a source of the crate cannot be read.
    """
    return read_sources(crate, workspace).version


def read_sources(crate: str, workspace: Path) -> Sources:
    """The sources of `crate` in the Cargo workspace `workspace`.

    Raises EngineError when one cannot be read.
    """
    try:
        manifest = _manifest(workspace / "Cargo.toml")["workspace"]
        crates = _with_dependencies(crate, workspace, manifest.get("dependencies", {}))
        counted = _counted(workspace, crates)
        version = _manifest(workspace / crate / "Cargo.toml")["package"]["version"]
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        raise EngineError(f"cannot read the sources of {crate} in {workspace}: {error}") from error
    if isinstance(version, Mapping):
        version = manifest["package"]["version"]
    return Sources(f"{version}+{_digest(counted)}", counted)


def _manifest(path: Path) -> JsonObject:
    return tomllib.loads(path.read_text())


def _with_dependencies(crate: str, workspace: Path, shared: Mapping[str, object]) -> set[str]:
    """`crate` and the crates of the workspace that it needs, also through others."""
    found: set[str] = set()
    waiting = [crate]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            needs = _manifest(workspace / name / "Cargo.toml").get("dependencies", {})
            waiting += _local(needs, workspace / name, shared, workspace)
    return found


def _local(
    needs: Mapping[str, object], folder: Path, shared: Mapping[str, object], workspace: Path
) -> Iterator[str]:
    for name, wanted in needs.items():
        base, settings = folder, wanted
        if isinstance(wanted, Mapping) and wanted.get("workspace"):
            base, settings = workspace, shared[name]
        if isinstance(settings, Mapping) and "path" in settings:
            path = (base / settings["path"]).resolve()
            yield path.relative_to(workspace.resolve()).as_posix()


def _digest(counted: Mapping[str, bytes]) -> str:
    digest = sha256()
    for name, text in counted.items():
        _add(digest, name, text)
    return digest.hexdigest()[:DIGITS]


def _counted(workspace: Path, crates: Iterable[str]) -> dict[str, bytes]:
    """What counts of every file, by its path from the workspace, in the order of the digest."""
    crates = list(crates)
    names = sorted(name for crate in crates for name in _sources(workspace, crate))
    found = {name: content(name, (workspace / name).read_bytes()) for name in names}
    locked = (workspace / LOCKED).read_text()
    return {**found, LOCKED: _reached(locked, crates).encode()}


def _add(digest: Hash, name: str, counted: bytes) -> None:
    digest.update(f"{name} {len(counted)}\n".encode() + counted)


def _sources(workspace: Path, crate: str) -> Iterator[str]:
    yield f"{crate}/Cargo.toml"
    # A build script may write code.
    if (workspace / crate / "build.rs").is_file():
        yield f"{crate}/build.rs"
    yield from _files(workspace, f"{crate}/src")
    metadata = _manifest(workspace / crate / "Cargo.toml")["package"].get("metadata", {})
    for folder in metadata.get("source_version", {}).get("folders", ()):
        yield from _files(workspace, folder)


def _files(workspace: Path, folder: str) -> Iterator[str]:
    """All files below `folder`, as paths from the workspace."""
    top = workspace / folder
    if not top.is_dir():
        raise FileNotFoundError(f"no folder {top}")
    for path in top.rglob("*"):
        name = path.relative_to(top)
        # What an editor hides does not count.
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            yield f"{folder}/{name.as_posix()}"


def _reached(locked: str, crates: Iterable[str]) -> str:
    """The sorted entries of `Cargo.lock` that the crates reach; one of others changes nothing."""
    entries: dict[str, list[str]] = {}
    for entry in map(str.strip, locked.split(_PACKAGE)[1:]):
        entries.setdefault(_first(r'^name = "([^"]+)"', entry), []).append(entry)
    kept: dict[str, list[str]] = {}
    waiting = list(crates)
    while waiting:
        name = waiting.pop()
        if name not in kept:
            kept[name] = entries.get(name, [])
            for entry in kept[name]:
                waiting += re.findall(r'^ "([^" ]+)', entry, re.MULTILINE)
    return "\n".join(sorted(entry for mine in kept.values() for entry in mine))


def _first(pattern: str, text: str) -> str:
    match = re.match(pattern, text)
    return match[1] if match else ""
