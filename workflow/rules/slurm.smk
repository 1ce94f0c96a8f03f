"""No rule, but what the Slurm executor needs before anything runs."""

import os
import sys

import snakemake_executor_plugin_slurm

from weft.prepare.slurm_executor import command_of_task, correct

if command := command_of_task(sys.argv, os.environ):
    os.execvp("sh", ["sh", "-c", command])
correct(snakemake_executor_plugin_slurm)
