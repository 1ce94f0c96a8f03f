"""For every test that runs something in an image: `from tests.containers_support import …`.

Images are named by their contents, so that tests share those in this checkout's folder
`containers/images` with each other and with the user. Missing parts of the machine skip a test with
the reason, and fail it where CI=true; a build that fails is a failure everywhere.
"""

import os
import pwd
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from weft.images import ImageError, find_runtime, image_file
from weft.images.build import ensure_image

from tests.missing import missing

ROOT = Path(__file__).parents[1]


def need_runtime() -> Path:
    """Apptainer; without one the test is skipped, in CI it fails."""
    try:
        return find_runtime()
    except ImageError as error:
        missing(str(error))


def need_builder() -> None:
    """What building takes; without it the test is skipped, in CI it fails."""
    if need_runtime().name != "apptainer":
        missing("building images needs apptainer")
    for tool in ("debootstrap", "mksquashfs", "newuidmap", "fakeroot"):
        if not shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            missing(f"building images needs {tool}")
    user = pwd.getpwuid(os.geteuid()).pw_name
    if user != "root" and f"{user}:" not in Path("/etc/subuid").read_text():
        missing(f"building images needs a line for {user} in /etc/subuid")


def built_image(name: str) -> Path:
    """The image `name` of this checkout, built when it is missing (minutes, the first time)."""
    need_runtime()
    if not image_file(name, ROOT).exists():
        need_builder()
    return ensure_image(name, ROOT)


def without_fuse(command: Sequence[str], work: Path) -> list[str]:
    """`command` where /dev/fuse is a file that only root can open, and no device; needs root.

    `work` is a folder for that file.
    """
    nothing = work / "no-fuse"
    nothing.touch(mode=0)
    script = f'mount --bind {shlex.quote(str(nothing))} /dev/fuse; exec "$@"'
    return ["unshare", "--mount", "sh", "-ec", script, "sh", *command]


def use_toolchain(project: Path) -> None:
    """Put the shipped toolchain into a project, as a parent that is there."""
    toolchain = built_image("toolchain")
    for name in ("containers/toolchain.def", "containers/install_shell", "envs/toolchain.apt.lock"):
        shutil.copy(ROOT / name, project / name)
    (project / "containers/images" / toolchain.name).symlink_to(toolchain)
