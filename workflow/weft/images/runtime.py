"""The program that runs images, and the command that runs something in one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from weft.images.errors import ImageError

PROGRAMS = ("apptainer", "singularity")


def installed_prefix() -> Path:
    """Where `envs/install_apptainer` installs, when nothing else is said."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "weft" / "apptainer"


def find_runtime() -> Path:
    """Apptainer or Singularity: from the PATH, else as `envs/install_apptainer` installed it.

    Raises ImageError with what to do when there is none.
    """
    for folder in (None, str(installed_prefix() / "bin")):
        for program in PROGRAMS:
            if found := shutil.which(program, path=folder):
                return Path(found)
    raise ImageError(
        "needs apptainer or singularity, found none on the PATH: load your site's module, "
        "or run envs/install_apptainer (Debian, Ubuntu)"
    )


def exec_command(
    image: Path,
    *,
    binds: Sequence[Path | str] = (),
    environment: Mapping[str, str] = {},
    start: Path | None = None,
) -> list[str]:
    """The words to put before a program to run it in `image`, in the current folder or in `start`.

    The host's environment is kept, since launchers pass MPI programs their rank by it.
    `binds` are folders, or texts as `--bind` takes them; `environment` adds variables.
    Raises ImageError when this machine has no program that runs images.
    """
    folder = str(Path.cwd())
    command = [str(find_runtime()), "--quiet", "exec"]
    if os.geteuid() == 0:
        command.append("--userns")  # a root without CAP_SYS_RESOURCE can do no other
    for bind in (folder, *map(str, binds)):
        command += ["--bind", bind]
    for name, value in environment.items():
        command += ["--env", _quoted(f"{name}={value}")]
    return [*command, "--pwd", str(start or folder), str(image)]


def _quoted(setting: str) -> str:
    """As `--env` wants it, which splits its argument at commas that are not quoted."""
    if not set(setting) & set(',"'):
        return setting
    return '"' + setting.replace('"', '""') + '"'
