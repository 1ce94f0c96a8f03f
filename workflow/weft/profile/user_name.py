"""A name for the user of this process, which Snakemake prints and cannot do without."""

from __future__ import annotations

import os
from getpass import getuser


def name_the_user() -> None:
    """Use the number where the machine has no name for it: in a container that was started with
    another `--user`, or while a directory service is away."""
    try:
        getuser()
    except (KeyError, OSError):
        os.environ["USER"] = str(os.getuid())
