"""Which command lines only look (dry runs, lists): they lock nothing and replace no file of a
run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Snakemake's names of the arguments that ask for a dry run, a list, a drawing or a check.
LOOKING = (
    "dryrun", "lint", "unlock", "list_rules", "list_target_rules", "list_changes",
    "list_input_changes", "list_params_changes", "list_untracked", "summary", "detailed_summary",
    "dag", "rulegraph", "filegraph", "d3dag", "report",
)  # fmt: skip

#: Arguments by Snakemake's names, of Snakemake's own kinds.
Asked = Mapping[str, Any]


def looks_only(asked: Asked) -> bool:
    """Whether parsed arguments (name -> value) ask to look, or for `plan` and nothing else."""
    if set(asked.get("targets", ())) == {"plan"}:
        return True
    # An argument without a value may be given with an empty list.
    return any(asked.get(name) not in (None, False) for name in LOOKING)
