"""What a profile of Snakemake means for programs of strangers."""

from __future__ import annotations

import yaml

from weft.files.layout import CLONE


def images_of(profile: str | None) -> list[str]:
    """What is missing where a profile runs simulators in images: no sandbox goes around those."""
    path = CLONE / "profiles" / (profile or "default") / "config.yaml"
    settings = yaml.safe_load(path.read_text()) if path.is_file() else {}
    named = settings.get("sdm") or settings.get("software-deployment-method") or ""
    return (
        [f"sandbox: the profile {profile} runs simulators in images"]
        if "apptainer" in named
        else []
    )
