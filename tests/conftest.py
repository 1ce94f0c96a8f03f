"""What every test finds, whatever it does to HOME: Apptainer, if only weft's own place has it."""

import os
from typing import Any

import pytest
from hypothesis import settings
from weft.images import ImageError, find_runtime

from tests.long.tier import LongTier, add_option

#: How long an example takes says more about the machine than about weft.
settings.register_profile("weft", deadline=None)
settings.load_profile("weft")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of the long tier."""
    add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Put the Apptainer of `envs/install_apptainer` behind everything else on the PATH."""
    config.pluginmanager.register(LongTier(config.getoption("--long")))
    try:
        folder = str(find_runtime().parent)
    except ImageError:
        return
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if folder not in folders:
        os.environ["PATH"] = os.pathsep.join([*folders, folder])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for Slurm, builds or processes."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Whole files, and some whole folders, to one process."""
    from tests.shares import Shares  # without xdist there is no such module to import from

    return Shares(config, log)
