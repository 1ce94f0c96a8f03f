"""`python -m weft.service.worker.planning TARGET [PROFILE...]`: plans a task in the working folder.

The plan and its shard files are on the disk afterwards; nothing runs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import yaml

from weft.prepare import prepare
from weft.profile.command_line import CommandLine


def main(target: str, *profiles: str) -> None:
    """Plan what `target` needs, on the machine of the profiles."""
    config = {key: value for each in profiles for key, value in _config(each).items()}
    prepare(config, CommandLine(targets=(target,)))


def _config(profile: str) -> Mapping[str, object]:
    """What the profile's own file says to the Snakefile."""
    path = Path("profiles") / profile / "weft.yaml"
    return dict(yaml.safe_load(path.read_text())) if path.is_file() else {}


if __name__ == "__main__":
    main(*sys.argv[1:])
