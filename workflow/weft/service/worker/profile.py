"""What profiles of Snakemake mean for tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml

from weft.config.language.errors import unknown
from weft.files.layout import CLONE


def settings_of(profiles: Sequence[str]) -> Mapping[str, object]:
    """What they say together; a later one takes precedence, key by key."""
    found: dict[str, object] = {}
    for profile in profiles or ["default"]:
        path = CLONE / "profiles" / profile / "config.yaml"
        if path.is_file():
            found |= yaml.safe_load(path.read_text()) or {}
    return found


def check_profiles(profiles: Sequence[str]) -> None:
    """End the program with one line for a profile that is not there: every task would fail."""
    known = sorted(file.parent.name for file in (CLONE / "profiles").glob("*/config.yaml"))
    for each in profiles:
        if each not in known:
            raise SystemExit(f"weft-worker: --profile {each}: {unknown('profile', each, known)}")


def images_of(profiles: Sequence[str]) -> list[str]:
    """What is missing where simulators run in images: no sandbox goes around those."""
    settings = settings_of(profiles)
    named = settings.get("sdm") or settings.get("software-deployment-method") or ""
    if "apptainer" not in str(named):
        return []
    return [f"sandbox: the profile {' '.join(profiles)} runs simulators in images"]


def submits_to_slurm(profiles: Sequence[str]) -> bool:
    """Whether shards are jobs of Slurm."""
    return settings_of(profiles).get("executor") == "weft-slurm"
