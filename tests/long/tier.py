"""The long tier: suites whose last results are tracked; they run when what they cover changes.

A test belongs to a suite by `pytest.mark.long("suite")`. With `--long=stale` a suite that passed
for this code is skipped, and the results of the others are recorded; `--long=brief` skips these,
too, where they take long. `--long=all` runs and records every suite. A suite of which only some
tests ran is not recorded. Without the option long tests are like others, and the record stays as it
is.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tests.long.digest import ROOT, code_digest
from tests.long.stale import HOW, RECORD, minutes, read_record, too_long
from tests.long.suites import SUITES

#: How a report says to which suite its test belongs, also from another process.
PROPERTY = "long suite"
#: How many tests of the suite pytest found, before `-k`, `-m` or `--deselect` took any away.
FOUND = "long tests found"
#: Under what a process that runs tests beside others gets what it need not compute again.
DIGESTS = "digests of suites"


def marked_files(suite: str, root: Path = ROOT) -> set[str]:
    """The files with tests of a suite, also those that this run does not look at."""
    mark = f'mark.long("{suite}")'
    files = (root / "tests").rglob("test_*.py")
    return {path.relative_to(root).as_posix() for path in files if mark in path.read_text()}


def processors_of_a_test(processes: int) -> float:
    """What a test of so many at a time has of this machine's processors, at most one.

    A sum of durations grows with the number of processes; what the suite takes does not.
    """
    return min(1.0, len(os.sched_getaffinity(0)) / processes)


def add_option(parser: pytest.Parser) -> None:
    """`--long`, for `make test` and `make test-long`."""
    parser.addoption(
        "--long",
        choices=["brief", "stale", "all"],
        help="run and record suites of the long tier: those not recorded for this code, these only "
        "if they take not long, or all",
    )


@dataclass
class Seen:
    """What the tests of a suite gave in this run."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    numbers: dict[str, Any] = field(default_factory=dict)
    tests: set[str] = field(default_factory=set)
    found: int = 0

    def add(self, report: pytest.TestReport) -> None:
        """Take in one phase of a test; a test counts once, by its worst phase."""
        self.seconds += report.duration
        self.tests.add(report.nodeid)
        if report.when == "call" or not report.passed:
            self.outcomes[report.outcome] += 1
        own = dict(report.user_properties)
        del own[PROPERTY]
        self.found = own.pop(FOUND)
        self.numbers |= {f"{report.nodeid} {name}": value for name, value in own.items()}

    def is_whole(self, suite: str) -> bool:
        """Whether all tests of the suite ran."""
        files = {test.partition("::")[0] for test in self.tests}
        return len(self.tests) == self.found and files >= marked_files(suite)

    def entry(self, digest: str, processors: float) -> dict[str, Any]:
        """The suite's entry of the record; each test had so many processors, at most one."""
        return {
            "code_sha256": digest,
            "date": datetime.now(UTC).date().isoformat(),
            "passed": self.outcomes["passed"],
            "failed": self.outcomes["failed"],
            "seconds": round(self.seconds * processors),
            "numbers": dict(sorted(self.numbers.items())),
        }


class LongTier:
    """Skips what is recorded, and records what ran; both in the process that prints."""

    def __init__(self, mode: str | None, given: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.mode = mode
        self.record = read_record()
        covered = SUITES if mode else {}
        #: Of the code that each suite covers; `given` is what the process that prints has sent.
        self.digests: dict[str, str | None] = given.get(DIGESTS) or {
            name: code_digest(covers) for name, covers in covered.items()
        }
        #: Suites that do not run, and why.
        self.left_out = dict(self.reasons()) if mode in ("brief", "stale") else {}
        self.seen: dict[str, Seen] = {}
        #: Suites of which all tests ran.
        self.whole: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send the digests to a process of xdist: computing them takes seconds."""
        node.workerinput[DIGESTS] = self.digests

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skip the suites that need not run."""
        marked = [(item, mark.args[0]) for item in items for mark in item.iter_markers("long")]
        found = Counter(suite for _, suite in marked)
        for item, suite in marked:
            item.user_properties += [(PROPERTY, suite), (FOUND, found[suite])]
            if suite in self.left_out:
                item.add_marker(pytest.mark.skip(reason=f"{suite}: {self.left_out[suite]}"))

    def reasons(self) -> Iterator[tuple[str, str]]:
        """Each suite that need not run, and why."""
        stale = minutes(self.record, self.digests)
        for suite in self.digests:
            if suite not in stale:
                yield suite, f"recorded on {self.record[suite]['date']} for this code"
            elif self.mode == "brief" and too_long(stale):
                yield suite, f"not recorded for this code; `{HOW}` runs it"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the tests of the suites that run."""
        if suite := dict(report.user_properties).get(PROPERTY):
            self.seen.setdefault(str(suite), Seen()).add(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Record the suites that ran as a whole."""
        if self.mode is None or hasattr(session.config, "workerinput"):
            return
        # Of a file that is named with a test, pytest does not find the other tests.
        if not any("::" in argument for argument in session.config.args):
            self.whole = {suite for suite, seen in self.seen.items() if seen.is_whole(suite)}
        processors = processors_of_a_test(session.config.getoption("numprocesses", None) or 1)
        ran = {
            suite: seen.entry(digest, processors)
            for suite, seen in self.seen.items()
            if suite in self.whole
            and not seen.outcomes["skipped"]
            and (digest := self.digests[suite])
        }
        if ran:  # Another session may have recorded its suites meanwhile.
            text = json.dumps({**read_record(), **ran}, indent=2, sort_keys=True)
            RECORD.write_text(text + "\n")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what ran, and what was left out why."""
        for suite, seen in sorted(self.seen.items() if self.mode else ()):
            terminalreporter.write_line(f"long tier: {suite}: {self.outcome(suite, seen)}")
        stale = minutes(self.record, self.digests)
        if self.mode == "brief" and (sentence := too_long(stale)):
            terminalreporter.write_line(f"long tier: {sentence}")

    def outcome(self, suite: str, seen: Seen) -> str:
        """What became of a suite, in a line."""
        if suite in self.left_out:
            return self.left_out[suite]
        if suite not in self.whole:
            return "not all of its tests ran, not recorded"
        if count := seen.outcomes["skipped"]:
            return f"{count} tests skipped, not recorded"
        if self.digests[suite] is None:
            return "ran; nothing is recorded outside a Git checkout"
        if count := seen.outcomes["failed"]:
            return f"{count} tests failed"
        return f"passed; commit {RECORD.relative_to(ROOT)}"
