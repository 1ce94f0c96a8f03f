#!/bin/sh
# properties = {properties}
# Stores how the job ended, for the script `status`: many batch systems forget it.
number=${{SLURM_JOB_ID:-${{PBS_JOBID:-${{LSB_JOBID:-${{JOB_ID:-unknown}}}}}}}}
ends=.snakemake/cluster_ends
trap 'mkdir -p "$ends"; echo failed >"$ends/${{number%%.*}}"; exit 1' TERM XCPU USR2
if (
{exec_job}
); then end=success; else end=failed; fi
mkdir -p "$ends"
echo "$end" >"$ends/${{number%%.*}}"
[ "$end" = success ]
