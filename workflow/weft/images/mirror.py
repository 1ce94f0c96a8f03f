"""Where this machine gets its Debian packages."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from weft.images.errors import ImageError

VARIABLE = "WEFT_DEBIAN_MIRROR"


def debian_mirror() -> str:
    """The URL of a Debian mirror: the user's, else that of this machine's apt, else Debian's own.

    Raises ImageError when debootstrap is missing, which knows the last one and is needed anyway.
    """
    return os.environ.get(VARIABLE) or _mirror_of_apt() or _mirror_of_debootstrap()


def _mirror_of_apt() -> str | None:
    """The mirror with packages of Debian's own release; not its updates or other vendors'."""
    if not shutil.which("apt-get"):
        return None
    wanted = ["Created-By: Packages", "Origin: Debian", "Label: Debian", "Component: main"]
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("http")]
    return found[0].rstrip("/") if found else None


def _mirror_of_debootstrap() -> str:
    program = shutil.which("debootstrap", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if not program:
        raise ImageError(
            "needs debootstrap to make a Debian, found none: install your system's package "
            f"'debootstrap' ({platform.system()}), or build the images on another machine and "
            "copy containers/images/ here"
        )
    default = re.search(r'^DEF_MIRROR="([^"]+)"', Path(program).read_text(), re.M)
    if not default:
        raise ImageError(f"{program} names no mirror of Debian: set {VARIABLE} to the URL of one")
    return default[1]
