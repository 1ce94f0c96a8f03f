"""What a profile may set: the Slurm executor's own keys, and when jobs are asked about."""

from dataclasses import dataclass, field

import snakemake_executor_plugin_slurm as slurm
from snakemake_interface_common.exceptions import WorkflowError


@dataclass
class ExecutorSettings(slurm.ExecutorSettings):  # type: ignore[misc]
    """Settings of `weft-slurm`, on the command line as `--weft-slurm-…`."""

    init_seconds_before_status_checks: int = field(
        default=10, metadata={"help": "Seconds between two status checks while jobs end."}
    )
    most_seconds_between_status_checks: int = field(
        default=60, metadata={"help": "Seconds between two status checks while no job ends."}
    )
    silence_seconds: int = field(
        default=600,
        metadata={"help": "Seconds without an answer from Slurm after which the run says so."},
    )
    status_command: str = field(
        default="squeue", metadata={"help": "Not used: weft asks squeue first, then sacct."}
    )

    def __post_init__(self) -> None:
        """Raise WorkflowError for what this executor does not do."""
        super().__post_init__()
        if self.array_jobs:
            raise WorkflowError(
                "weft-slurm submits one job per shard: remove weft-slurm-array-jobs"
            )
