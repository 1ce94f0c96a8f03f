"""A process among a server's tables that runs one piece of code after the other.

Loading Django takes a second of processor time, and a test asks several things.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from tests.patience import PATIENCE_S

#: Answers each line, code as JSON, with what the code prints and what it raises.
_LOOP = """
import contextlib, io, json, sys, traceback
import django
django.setup()
from django.db import connections
answers = sys.stdout
for line in sys.stdin:
    said, raised = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(said):
            exec(json.loads(line), {})
    except BaseException:
        raised = traceback.format_exc()
    connections.close_all()
    print(json.dumps([said.getvalue(), raised]), file=answers, flush=True)
"""


class Shell:
    """Ends with its standard input, so also with the process of the test."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        self.environment = dict(environment)
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _LOOP],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                text=True,
            )
        self._log = log

    def run(self, code: str) -> str:
        """What the code prints."""
        asked, answers = self._pipes
        with suppress(BrokenPipeError):
            asked.write(json.dumps(code) + "\n")
            asked.flush()
        answer = answers.readline()
        assert answer, self._log.read_text()
        said, raised = json.loads(answer)
        assert not raised, raised
        return str(said).strip()

    def end(self) -> None:
        for pipe in self._pipes:
            pipe.close()
        self._process.wait(timeout=PATIENCE_S)

    @property
    def _pipes(self) -> tuple[IO[str], IO[str]]:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        return asked, answers
