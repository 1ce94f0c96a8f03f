"""What every test finds, whatever it does to HOME: Apptainer, if only weft's own place has it."""

import faulthandler
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from weft.images import ImageError, find_runtime

from tests.long.tier import LongTier, add_option
from tests.missing import add_summary

#: Where standard error goes when no test catches it.
TERMINAL = pytest.StashKey[int]()

#: How long an example takes says more about the machine than about weft.
settings.register_profile("weft", deadline=None)
settings.load_profile("weft")


#: Whatever waits without an end, its test is ended, named and failed, and the others go on. Three
#: times the patience of any wait; some suites of the long tier build images and run clusters.
MOST_S = float(os.environ.get("WEFT_MOST_S_OF_A_TEST", "1800"))
MOST_LONG_S = 7200.0
LONG = ("cluster", "grid_engine", "image_builds", "network_survey")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of the long tier."""
    add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Put the Apptainer of `envs/install_apptainer` behind everything else on the PATH."""
    given = getattr(config, "workerinput", {})
    config.pluginmanager.register(LongTier(config.getoption("--long"), given))
    # What a test prints is caught; what is written here is seen.
    config.stash[TERMINAL] = os.dup(2)
    try:
        folder = str(find_runtime().parent)
    except ImageError:
        return
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if folder not in folders:
        os.environ["PATH"] = os.pathsep.join([*folders, folder])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: where one of them came last, other processes would wait."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End this process if a test, with its fixtures, does not: xdist starts another one."""
    suite = item.get_closest_marker("long")
    limit_s = MOST_LONG_S if suite and suite.args[0] in LONG else MOST_S
    terminal = item.config.stash[TERMINAL]
    faulthandler.dump_traceback_later(limit_s, exit=True, file=terminal)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """What a test sets in the environment ends with it: another one in the same process would find
    a simulator of its choice."""
    before = dict(os.environ)
    try:
        return (yield)
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was skipped, and what installs what it needs."""
    add_summary(terminalreporter)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for Slurm, builds or processes."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Whole files, and some whole folders, to one process."""
    from tests.shares import Shares  # without xdist there is no such module to import from

    return Shares(config, log)
