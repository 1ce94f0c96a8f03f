"""The long tier: suites whose last results are tracked; they run when what they cover changes.

A test belongs to a suite by `pytest.mark.long("suite")`. With `--long=stale` a file of tests that
passed for this code is skipped, and the results of the others are recorded; `--long=brief` skips
these, too, where all of them take long. `--long=all` runs and records every suite. A file of which
only some tests ran is not recorded. Without the option long tests are like others, and the record
stays as it is.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import pytest

from tests.long.digest import ROOT
from tests.long.stale import (
    HOW,
    RECORD,
    Digests,
    Record,
    all_digests,
    minutes,
    read_record,
    stale_files,
    too_long,
)

#: How a report says to which suite its test belongs, also from another process.
PROPERTY = "long suite"
#: How many of its tests pytest found in the file, before `-k`, `-m` or `--deselect` took any away.
FOUND = "long tests found"
#: Under what a process that runs tests beside others gets what it need not compute again.
DIGESTS = "digests of suites"


def file_of(test: str) -> str:
    """The file of a test."""
    return test.partition("::")[0]


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
    """What the tests of a file gave in this run."""

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

    def entry(self, digest: str, processors: float) -> dict[str, Any]:
        """The file's entry of the record; each test had so many processors, at most one."""
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
        #: Of the code that each file covers; `given` is what the process that prints has sent.
        self.digests: Digests = given.get(DIGESTS) or (all_digests() if mode else {})
        #: Files of suites that do not run, and why.
        self.left_out = dict(self.reasons()) if mode in ("brief", "stale") else {}
        #: By suite and file.
        self.seen: dict[tuple[str, str], Seen] = {}
        #: Those of which all tests ran.
        self.whole: set[tuple[str, str]] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send the digests to a process of xdist: computing them takes seconds."""
        node.workerinput[DIGESTS] = self.digests

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skip the files that need not run."""
        marked = [(item, mark.args[0]) for item in items for mark in item.iter_markers("long")]
        found = Counter((suite, file_of(item.nodeid)) for item, suite in marked)
        for item, suite in marked:
            key = (suite, file_of(item.nodeid))
            item.user_properties += [(PROPERTY, suite), (FOUND, found[key])]
            if key in self.left_out:
                item.add_marker(pytest.mark.skip(reason=f"{suite}: {self.left_out[key]}"))

    def reasons(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Each file of a suite that need not run, and why."""
        stale = stale_files(self.record, self.digests)
        left = self.mode == "brief" and too_long(minutes(self.record, self.digests))
        for suite, files in self.digests.items():
            for file in files:
                if file not in stale.get(suite, ()):
                    date = self.record[suite][file]["date"]
                    yield (suite, file), f"recorded on {date} for this code"
                elif left:
                    yield (suite, file), f"not recorded for this code; `{HOW}` runs it"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the tests of the suites that run."""
        if suite := dict(report.user_properties).get(PROPERTY):
            key = (str(suite), file_of(report.nodeid))
            self.seen.setdefault(key, Seen()).add(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Record the files that ran as a whole."""
        if self.mode is None or hasattr(session.config, "workerinput"):
            return
        # Of a file that is named with a test, pytest does not find the other tests.
        named = {file_of(argument) for argument in session.config.args if "::" in argument}
        processors = processors_of_a_test(session.config.getoption("numprocesses", None) or 1)
        self.whole = {
            (suite, file)
            for (suite, file), seen in self.seen.items()
            if file not in named and len(seen.tests) == seen.found
        }
        ran: Record = {}
        for suite, file in self.whole:
            seen, digest = self.seen[suite, file], self.digests[suite][file]
            if digest and not seen.outcomes["skipped"]:
                ran.setdefault(suite, {})[file] = seen.entry(digest, processors)
        if ran:
            self.write(ran)

    def write(self, ran: Record) -> None:
        """Add to the record; another session may have added to it meanwhile."""
        known = read_record()
        record = {
            suite: {file: entry for file, entry in entries.items() if file in files}
            for suite, files in self.digests.items()
            if (entries := known.get(suite, {}) | ran.get(suite, {}))
        }
        RECORD.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what ran, and what was left out why."""
        for suite in sorted({suite for suite, _ in self.seen} if self.mode else ()):
            outcomes = Counter(self.outcome(*key) for key in self.seen if key[0] == suite)
            for outcome, files in sorted(outcomes.items()):
                part = "" if len(outcomes) == 1 else f"{files} of {outcomes.total()} files: "
                terminalreporter.write_line(f"long tier: {suite}: {part}{outcome}")
        stale = minutes(self.record, self.digests)
        if self.mode == "brief" and (sentence := too_long(stale)):
            terminalreporter.write_line(f"long tier: {sentence}")

    def outcome(self, suite: str, file: str) -> str:
        """What became of a file of a suite, in a line."""
        seen = self.seen[suite, file]
        if reason := self.left_out.get((suite, file)):
            return reason
        if (suite, file) not in self.whole:
            return "not all tests ran, not recorded"
        if count := seen.outcomes["skipped"]:
            return f"{count} tests skipped, not recorded"
        if self.digests[suite][file] is None:
            return "ran; nothing is recorded outside a Git checkout"
        if count := seen.outcomes["failed"]:
            return f"{count} tests failed"
        return f"passed; commit {RECORD.relative_to(ROOT)}"
