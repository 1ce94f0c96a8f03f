"""The long tier: suites whose last results are tracked; they run when what they cover changes.

A test belongs to a suite by `pytest.mark.long("suite")`. With `--long=stale` a suite that passed
for this code is skipped, and the results of the others are recorded; `--long=all` runs and records
every suite. A suite of which only some tests ran is not recorded. Without the option long tests are
like others, and the record stays as it is.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from weft.files.tokens import content

from tests.long.suites import SUITES

ROOT = Path(__file__).parents[2]
RECORD = Path(__file__).with_name("record.json")
#: How a report says to which suite its test belongs, also from another process.
PROPERTY = "long suite"
#: How many tests of the suite pytest found, before `-k`, `-m` or `--deselect` took any away.
FOUND = "long tests found"
#: Under what a process that runs tests beside others gets what it need not compute again.
DIGESTS = "digests of suites"


def covered_files(covers: tuple[str, ...], root: Path = ROOT) -> set[str] | None:
    """The files that Git's patterns name, also new ones; None outside a checkout."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    listed = subprocess.run([*command, *covers], cwd=root, capture_output=True, text=True)
    return set(listed.stdout.split("\0")) - {""} if listed.returncode == 0 else None


def code_digest(covers: tuple[str, ...], root: Path = ROOT) -> str | None:
    """SHA-256 of the files that Git's patterns name; None outside a checkout.

    Of sources the tokens count: a comment changes nothing that a suite measures.
    """
    files = covered_files(covers, root)
    if files is None:
        return None
    digest = sha256()
    for name in sorted(files):
        if (root / name).is_file():
            counted = content(name, (root / name).read_bytes())
            digest.update(f"{name} {len(counted)}\n".encode() + counted)
    return digest.hexdigest()


def read_record(path: Path = RECORD) -> dict[str, Any]:
    """What is known about each suite; nothing where there is no record."""
    return dict(json.loads(path.read_text())) if path.exists() else {}


def marked_files(suite: str, root: Path = ROOT) -> set[str]:
    """The files with tests of a suite, also those that this run does not look at."""
    mark = f'mark.long("{suite}")'
    files = (root / "tests").rglob("test_*.py")
    return {path.relative_to(root).as_posix() for path in files if mark in path.read_text()}


def is_fresh(entry: dict[str, Any] | None, digest: str | None) -> bool:
    """Whether all tests passed for exactly this code."""
    return entry is not None and entry["code_sha256"] == digest and entry["failed"] == 0


def add_option(parser: pytest.Parser) -> None:
    """`--long`, for `make test` and `make test-long`."""
    parser.addoption(
        "--long",
        choices=["stale", "all"],
        help="run and record suites of the long tier: those not recorded for this code, or all",
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

    def entry(self, digest: str) -> dict[str, Any]:
        """The suite's entry of the record."""
        return {
            "code_sha256": digest,
            "date": datetime.now(UTC).date().isoformat(),
            "passed": self.outcomes["passed"],
            "failed": self.outcomes["failed"],
            "seconds": round(self.seconds),
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
        self.seen: dict[str, Seen] = {}
        #: Suites of which all tests ran.
        self.whole: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send the digests to a process of xdist: computing them takes seconds."""
        node.workerinput[DIGESTS] = self.digests

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skip the suites that passed for this code."""
        marked = [(item, mark.args[0]) for item in items for mark in item.iter_markers("long")]
        found = Counter(suite for _, suite in marked)
        for item, suite in marked:
            item.user_properties += [(PROPERTY, suite), (FOUND, found[suite])]
            if self.mode == "stale" and is_fresh(self.record.get(suite), self.digests[suite]):
                item.add_marker(pytest.mark.skip(reason=self.reason(suite)))

    def reason(self, suite: str) -> str:
        """The sentence about a suite that need not run."""
        return f"{suite}: recorded on {self.record[suite]['date']} for this code"

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
        ran = {
            suite: seen.entry(digest)
            for suite, seen in self.seen.items()
            if suite in self.whole
            and not seen.outcomes["skipped"]
            and (digest := self.digests[suite])
        }
        if ran:
            text = json.dumps({**self.record, **ran}, indent=2, sort_keys=True)
            RECORD.write_text(text + "\n")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what ran, and what was left out why."""
        for suite, seen in sorted(self.seen.items() if self.mode else ()):
            terminalreporter.write_line(f"long tier: {self.outcome(suite, seen)}")

    def outcome(self, suite: str, seen: Seen) -> str:
        """What became of a suite, in a line."""
        if self.mode == "stale" and is_fresh(self.record.get(suite), self.digests[suite]):
            return self.reason(suite)
        if suite not in self.whole:
            return f"{suite}: not all of its tests ran, not recorded"
        if count := seen.outcomes["skipped"]:
            return f"{suite}: {count} tests skipped, not recorded"
        if self.digests[suite] is None:
            return f"{suite}: ran; nothing is recorded outside a Git checkout"
        if count := seen.outcomes["failed"]:
            return f"{suite}: {count} tests failed"
        return f"{suite}: passed; commit {RECORD.relative_to(ROOT)}"
