"""Which sources of a simulator changed since a version of which results are on the disk.

Results name the commit of weft that computed them. The sources of that commit count only if they
give the version of the results: a changed tree may have computed them.
"""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from weft.engines.base import EngineError
from weft.engines.provenance import git_words
from weft.engines.source_version import Sources, read_sources

#: What sources of simulators lie in, by paths from the clone.
FOLDERS = ("simulators", "programs")
#: So many commits are looked at, the newest first: each takes a moment.
MOST_COMMITS = 3
_DIRTY = "-dirty"


def changed_sources(
    crate: str, clone: Path, version: str, commits: Iterable[str]
) -> tuple[str, ...]:
    """The sources of `crate` that differ from those of `version`, by paths from the `clone`.

    `commits` may have them. Empty if none of them has, or nothing differs.
    """
    workspace = clone / FOLDERS[0]
    names = dict.fromkeys(each.removesuffix(_DIRTY) for each in commits)
    for commit in [*names][:MOST_COMMITS]:
        then = _sources_of(crate, clone, commit)
        if then is not None and then.version == version:
            now = read_sources(crate, workspace).counted
            different = (
                name for name in {**now, **then.counted} if now.get(name) != then.counted.get(name)
            )
            found = ((workspace / name).resolve() for name in different)
            return tuple(sorted(each.relative_to(clone.resolve()).as_posix() for each in found))
    return ()


@cache
def _sources_of(crate: str, clone: Path, commit: str) -> Sources | None:
    """The sources of a crate as a commit has them; None where git does not know."""
    words = ("git", *git_words(clone), "archive", "--format=tar", "--end-of-options", commit)
    try:
        packed = subprocess.run([*words, *FOLDERS], capture_output=True, check=True).stdout
        with TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
            return read_sources(crate, Path(folder) / FOLDERS[0])
    except (OSError, subprocess.CalledProcessError, tarfile.TarError, EngineError):
        return None
