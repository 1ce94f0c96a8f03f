"""The command that makes a page again."""

from __future__ import annotations

import json
import re
import shlex

from weft.files.layout import page_name
from weft.plan.variant import Changes, base_name, read_changes
from weft.report.data.source import Study

_MACHINE = "machine="
#: The profile for each batch system.
PROFILES = {"slurm": "slurm", "other": "profiles/cluster"}
#: What YAML reads as one text inside `[…]`.
_PLAIN = re.compile(r"[\w.+~/-]+=[\w.+~/-]*")


def rerun_command(study: Study) -> str:
    """What to type to get the page of `study` again.

    The target comes first, because `--config` and `--sdm` take every word behind them.
    """
    plan = study.plan
    profile = PROFILES.get(plan.machine.batch_system)
    machine = next((o for o in reversed(plan.overrides) if o.startswith(_MACHINE)), None)
    if profile and plan.machine.name:
        # Written down, since the profile would put a machine of its own in its place.
        machine = f"{_MACHINE}{plan.machine.name}"
    words = ["snakemake", page_name(base_name(plan.experiment))]
    if profile:
        words += ["--profile", profile]
    elif _simulated_in_images(study):
        words += ["--sdm", "apptainer"]
    config = [machine] if machine else []
    folder = plan.report.search_path
    config += [f"search_path={folder}"] if folder else []
    changes = read_changes(study.plan_path.parent) or Changes(plan.overrides)
    config += [f"run={changes.run}"] if changes.run else []
    config += ["effort=quick"] if changes.quick else []
    overrides = [text for text in changes.overrides if not text.startswith(_MACHINE)]
    if overrides:
        config.append(f"overrides=[{','.join(map(_yaml, overrides))}]")
    return shlex.join([*words, *(["--config", *config] if config else [])])


def _yaml(override: str) -> str:
    return override if _PLAIN.fullmatch(override) else json.dumps(override, ensure_ascii=False)


def _simulated_in_images(study: Study) -> bool:
    return bool(
        study.query(
            "SELECT 1 FROM final_runs JOIN axes USING (point_id) WHERE axes.engine <> 'hardware'"
            " AND coalesce(environment->>'image', image_sha256) IS NOT NULL LIMIT 1"
        )
    )
