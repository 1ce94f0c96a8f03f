#!/bin/bash
# Runs Snakemake as a job, for sites that allow no long processes on the login node. From the project's
# folder: sbatch profiles/slurm/driver.sh reports/quickstart.html
# Options on the command line (--account, --partition, --time …) go before the script's name. Without
# --time the partition's default applies: a fixed time here would be too long for some partitions, and the
# job would wait for ever. If the driver ends early, nothing is lost: submit it again.
# The log is in the folder where sbatch was called: Slurm makes no folder, and without one it says nothing.
#SBATCH --job-name=weft
#SBATCH --ntasks=1 --cpus-per-task=2 --mem=2G
#SBATCH --output=weft-%j.log
set -euo pipefail

# Slurm runs a copy of this file; the folder is the one where sbatch was called.
cd "${SLURM_SUBMIT_DIR:-.}"
if [ ! -f Snakefile ]; then
    echo "weft: $PWD has no Snakefile: call sbatch in the project's folder" >&2
    exit 1
fi
[ ! -f .venv/bin/activate ] || . .venv/bin/activate
exec snakemake --profile slurm "$@"
