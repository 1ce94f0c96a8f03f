"""The machine on which weft runs, as its file says."""

from weft.machine.file import MachineFile, is_srun
from weft.machine.identity import MachineIdentity, cpu_model

__all__ = ["MachineFile", "MachineIdentity", "cpu_model", "is_srun"]
