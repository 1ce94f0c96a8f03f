"""Snakemake executor `weft-slurm`: the Slurm executor, with a status check of its own.

It submits and cancels as `snakemake-executor-plugin-slurm` does, one job per shard. Only how it
learns what became of its jobs differs: no outage of the controller loses a job or ends the run.
"""

from snakemake_executor_plugin_slurm import common_settings

from snakemake_executor_plugin_weft_slurm.executor import Executor
from snakemake_executor_plugin_weft_slurm.settings import ExecutorSettings

__all__ = ["Executor", "ExecutorSettings", "common_settings"]
