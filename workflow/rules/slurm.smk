"""No rule, but what the Slurm executor needs before it starts."""

import snakemake_executor_plugin_slurm

from weft.prepare.slurm_executor import correct

correct(snakemake_executor_plugin_slurm)
