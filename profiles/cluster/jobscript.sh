#!/bin/sh
# properties = {properties}
# What a job leaves behind, for the script `status`: many batch systems forget how a job ended.
number=${{SLURM_JOB_ID:-${{PBS_JOBID:-${{LSB_JOBID:-${{JOB_ID:-unknown}}}}}}}}
ends=.snakemake/cluster_ends
trap 'mkdir -p "$ends"; echo failed >"$ends/${{number%%.*}}"; exit 1' TERM XCPU USR2
if (
{exec_job}
); then end=success; else end=failed; fi
mkdir -p "$ends"
echo "$end" >"$ends/${{number%%.*}}"
[ "$end" = success ]
