"""MPI, Slurm and the interconnect."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from weft.doctor.finding import Finding
from weft.doctor.probe import answer, read, version, which

WRAPPERS = ("mpicc", "mpicc.mpich", "mpicc.openmpi")
INFINIBAND = Path("/sys/class/infiniband")


def network() -> Iterator[Finding]:
    """What measures, what schedules, and what carries the messages."""
    yield from _mpis()
    yield from _slurm()
    yield _modules()
    yield _rdma()


def _mpis() -> Iterator[Finding]:
    flavours = {wrapper: _flavour(path) for wrapper in WRAPPERS if (path := which(wrapper))}
    for flavour in ("MPICH", "Open MPI"):
        found = [wrapper for wrapper, name in flavours.items() if name.startswith(flavour)]
        yield Finding(
            flavour,
            bool(found),
            ", ".join(f"{which(wrapper)} ({flavours[wrapper]})" for wrapper in found) or "none",
            f"nothing is measured natively with {flavour}",
            "load your site's module and name its mpicc in the machine file, or measure in mode "
            "hybrid: the image hardware holds MPICH and Open MPI",
        )


def _flavour(wrapper: str) -> str:
    text = answer([wrapper, "--showme:version"])
    if text and "Open MPI" in text:
        found = re.search(r"Open MPI \S+", text)
        return found[0] if found else "Open MPI"
    command = answer([wrapper, "-show"]) or ""
    number = version(wrapper, "-v") or ""
    return f"MPICH {number}".strip() if "mpi" in command.lower() else "unknown"


def _slurm() -> Iterator[Finding]:
    without = "no `--profile slurm`: everything runs on this machine"
    nodes = answer(["sinfo", "--noheader", "--format=%P %D"])
    yield Finding(
        "Slurm",
        nodes is not None,
        f"{version('sinfo', '--version') or 'of unknown version'}, "
        f"partitions: {'; '.join(nodes.splitlines())}"
        if nodes is not None
        else ("sinfo gets no answer" if which("sinfo") else "none"),
        without,
        "run `snakemake doctor` on a login node of your cluster",
    )
    if nodes is None:
        return
    kinds = re.findall(r"\b(pmix\S*|pmi2)\b", answer(["srun", "--mpi=list"]) or "")
    yield Finding(
        "srun and MPI",
        bool(kinds),
        ", ".join(dict.fromkeys(kinds)) or "neither pmix nor pmi2",
        "srun cannot start MPI programs over several nodes",
        "set `launcher: mpiexec` in the machine file, or ask for Slurm's PMIx plugin",
    )
    yield _job_status()
    job = os.environ.get("SLURM_JOB_ID")
    yield Finding("allocation", True, f"inside job {job}" if job else "not inside a job")


def _job_status() -> Finding:
    accounting = answer(["sacct", "--noheader", "--allocations", "--format=JobID"]) is not None
    age = re.search(r"MinJobAge\s*=\s*(\d+)", answer(["scontrol", "show", "config"]) or "")
    seconds = int(age[1]) if age else 0
    return Finding(
        "job status",
        accounting or seconds >= 120,
        f"squeue keeps ended jobs for {seconds} s; sacct {'answers' if accounting else 'does not'}",
        "Snakemake may miss the end of a job",
        "ask the administrator for MinJobAge of 300 s or a working slurmdbd",
    )


def _modules() -> Finding:
    command = os.environ.get("LMOD_CMD") or os.environ.get("MODULESHOME")
    return Finding(
        "environment modules",
        bool(command),
        command or "none",
        "`modules:` in a machine file has no effect here",
        "not needed unless your MPI comes as a module",
    )


def _rdma() -> Finding:
    ports = sorted(INFINIBAND.glob("*/ports/*"))
    shown = ", ".join(f"{port.parts[-3]} port {port.name}: {read(port / 'rate')}" for port in ports)
    return Finding(
        "RDMA devices",
        bool(ports),
        shown or "none",
        "measurements here go over shared memory or TCP",
        "measure on nodes that have them",
    )
