"""Names of profiles, before Snakemake looks for them: its own message names none that is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from weft.profile.command_line import NO_PROFILE, CommandLine
from weft.profile.config_files import FindProfile

PROFILES = Path("profiles")
#: The profile that Snakemake reads with every command.
_ALWAYS = "default"
_CONFIG = "config.yaml"


def check_profiles(command: CommandLine, find_profile: FindProfile) -> None:
    """End the program with one line for a profile that is not there.

    Called before Snakemake starts. Plain `snakemake` ends with a message of its own before it asks
    anything of weft.
    """
    for name in command.profiles:
        if find_profile(name) is None:
            raise SystemExit(f"weft: {command.profile_source}{name}: {_unknown(name)}")


def check_workflow_profile(name: str | None) -> None:
    """Raises ValueError for a profile of the workflow that is not there: Snakemake goes on
    without one, also without that of weft."""
    if name is None or name == NO_PROFILE:
        return
    if not (Path(name).exists() or (PROFILES / name).exists()):
        raise ValueError(f"--workflow-profile {name}: {_unknown(name)}")


def _unknown(name: str) -> str:
    from weft.config.language.errors import unknown

    here = sorted(_folders(PROFILES))
    # A profile of the project goes by its path, unless a link gives it a name.
    paths = {each: each if Path(each).exists() else str(PROFILES / each) for each in here}
    own = sorted(_folders(_personal()))
    also = paths | {str(PROFILES / each): path for each, path in paths.items()}
    found = unknown("profile", name, [*paths.values(), *own], also)
    return f"{found}, or the path of a folder with a {_CONFIG}"


def _folders(folder: Path) -> Iterator[str]:
    for file in folder.glob(f"*/{_CONFIG}"):
        if file.parent.name != _ALWAYS:
            yield file.parent.name


def _personal() -> Path:
    from platformdirs import user_config_path

    return user_config_path("snakemake", "snakemake")
