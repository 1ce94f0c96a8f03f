"""What names a point: everything that decides its answer. Of a file that is its name and its
content, and not its folder, so that files which move are not computed again."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from weft.plan.model import PARTS, short_digest

if TYPE_CHECKING:
    from weft.plan.spec import BuildSpec

Part = TypeVar("Part", bound=Mapping[str, object])

#: Files of a network, for which one digest stands.
_OF_GRAPHS = ("file", "routes")


def point_id(spec: Mapping[str, object]) -> str:
    """The name of the point that asks for `spec`."""
    return short_digest(without_folders(spec))


def without_folders(spec: Mapping[str, object]) -> dict[str, object]:
    """A spec whose parts name files without their folders."""
    return {
        key: by_content(cast("Mapping[str, object]", value)) if key in PARTS else value
        for key, value in spec.items()
    }


def by_content(part: Part) -> Part:
    """A part of a spec with files named without their folders; itself where it names none.

    The digest of each file stands beside its name.
    """
    found: dict[str, object] = {
        key: posixpath.basename(value)
        for key, value in part.items()
        if isinstance(value, str) and "/" in value and _has_digest(part, key)
    }
    if jobs := part.get("jobs"):
        found["jobs"] = [by_content(job) for job in cast("list[dict[str, object]]", jobs)]
    if build := part.get("build"):
        found["build"] = _below_common(cast("BuildSpec", build))
    return cast("Part", {**part, **found}) if found else part


def _has_digest(part: Mapping[str, object], key: str) -> bool:
    return f"{key}_sha256" in part or (key in _OF_GRAPHS and "sha256" in part)


def _below_common(build: BuildSpec) -> BuildSpec:
    """The build with all paths from the innermost folder that holds them, which has no name."""
    make, made = build.get("make"), build.get("executable")
    folders = [posixpath.dirname(path) for path, _ in build["files"]]
    if make or made:
        folders = [make["folder"] if make else ""]
    common = posixpath.commonpath([*folders, *build["include"]])

    def below(path: str) -> str:
        return posixpath.relpath(path, common or ".")

    named: BuildSpec = {
        **build,
        "root": "",
        "sources": [below(path) for path in build["sources"]],
        "include": [below(path) for path in build["include"]],
        "files": sorted([below(path), digest] for path, digest in build["files"]),
    }
    if make:
        named["make"] = {**make, "folder": ""}
    if made:
        named["executable"] = ["", made[1]]
    if data := build.get("data"):
        # The program sees the names, and not where the files lie.
        named["data"] = [[name, "", digest] for name, _, digest in data]
    return named
