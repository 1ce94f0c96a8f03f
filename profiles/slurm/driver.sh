#!/bin/bash
# Snakemake as a job of its own, where nothing may run for long on the login node. From the project's
# folder: sbatch profiles/slurm/driver.sh reports/quickstart.html
# Options on the command line (--account, --partition, --time …) go before the script's name. Without
# --time it may run for as long as the partition gives by itself: a time written down here would be too
# long for some partitions, and wait for ever. A driver that is ended loses nothing: submit it again.
#SBATCH --job-name=weft
#SBATCH --ntasks=1 --cpus-per-task=2 --mem=2G
#SBATCH --output=results/driver-%j.log
set -euo pipefail

# Slurm runs a copy of this file; the folder is the one where sbatch was called.
cd "${SLURM_SUBMIT_DIR:-.}"
[ ! -f .venv/bin/activate ] || . .venv/bin/activate
exec snakemake --profile slurm "$@"
