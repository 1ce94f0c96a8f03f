"""`python -m weft.service.worker.planning TARGET [PROFILE]`: plans a task in the working folder.

The plan and its shard files are on the disk afterwards; nothing runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from weft.prepare import prepare


def main(target: str, profile: str = "") -> None:
    """Plan what `target` needs, on the machine of the profile."""
    prepare(_config(profile), [target], main_process=True, asked={"targets": {target}})


def _config(profile: str) -> dict[str, object]:
    """What the profile's own file says to the Snakefile."""
    path = Path("profiles") / profile / "weft.yaml"
    return dict(yaml.safe_load(path.read_text())) if profile and path.is_file() else {}


if __name__ == "__main__":
    main(*sys.argv[1:])
