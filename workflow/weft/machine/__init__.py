"""The machine on which weft runs, as its file says."""

from weft.machine.file import MachineFile, is_srun

__all__ = ["MachineFile", "is_srun"]
