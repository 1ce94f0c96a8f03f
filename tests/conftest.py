"""What every test finds, whatever it does to HOME: Apptainer, if only weft's own place has it."""

import os

from weft.images import ImageError, find_runtime


def pytest_configure() -> None:
    """Put the Apptainer of `envs/install_apptainer` behind everything else on the PATH."""
    try:
        folder = str(find_runtime().parent)
    except ImageError:
        return
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if folder not in folders:
        os.environ["PATH"] = os.pathsep.join([*folders, folder])
