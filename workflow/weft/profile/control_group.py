"""The limit of memory of the control group, below which the kernel kills a run without a word."""

from __future__ import annotations

from pathlib import Path

#: The main process alone: at 200 MB the kernel killed it before its first job.
NEEDED_BYTES = 350_000_000
_GROUPS = Path("/proc/self/cgroup")
_MOUNT = Path("/sys/fs/cgroup")
#: By the controller in `/proc/self/cgroup`, which the second version leaves empty.
_FILES = {"memory": ("memory", "memory.limit_in_bytes"), "": ("", "memory.max")}


def memory_limit_bytes(groups: Path = _GROUPS, mount: Path = _MOUNT) -> int | None:
    """The smallest limit of the groups that this process is in; None where there is none."""
    found: list[int] = []
    try:
        lines = groups.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        controllers, path = line.split(":", 2)[1:]
        for controller in controllers.split(","):
            folder, name = _FILES.get(controller, ("", ""))
            inner = Path(path.strip("/"))
            # In a container the group may be the mount itself.
            for each in (inner, *inner.parents) if name else ():
                found += _limit(mount / folder / each / name)
    return min(found, default=None)


def _limit(file: Path) -> list[int]:
    try:
        return [int(file.read_text())]
    except (OSError, ValueError):
        return []


def check_control_group() -> None:
    """End the process with one message where the kernel would kill it without one."""
    limit = memory_limit_bytes()
    if limit is not None and limit < NEEDED_BYTES:
        raise SystemExit(
            f"weft: a limit of {limit / 1e6:,.0f} MB is set for the memory of all processes here "
            f"together (a control group), and weft needs {NEEDED_BYTES / 1e6:,.0f} MB at least: "
            "raise it (docker run --memory, systemd's MemoryMax, the job's memory); nothing was run"
        )
