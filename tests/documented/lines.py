"""What a reader types of the documents, each line once, and what must have run before."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tests.documented import others
from tests.documents import Command, all_commands, blocks

#: Targets that take seconds. Of others everything runs but their jobs.
SHORT = re.compile(
    r"plan|--lint|doctor|archives/quickstart\.zip|reports/(index|quickstart|probe)\.html"
    r"|reports/permutations(@[\w.=-]+)?\.html|reports/compare/\S+"
)
#: What a reader writes in the place of a name that stands for others.
STANDS_FOR = {
    "reports/x.html": "reports/permutations.html",
    "tuning/x.yaml": "tuning/local.yaml",
    "x": "POINT",
    "solver": "probe",
    "FILE": "all.csv",
}
#: A point that was computed.
A_POINT = "import weft; print(weft.answers('quickstart').table['point_id'][0])"
#: What the shell puts in the place of a word that no quotes may keep from it.
OF_SHELL = {
    "POINT": f'"$(python -c "{A_POINT}")"',
    "CLONE": '"$PWD"',
    "MINE": '"$HOME/mine"',
    "OWN": '"$HOME/interconnects"',
}
#: What a command needs that no clone has, and which tests run it.
ELSEWHERE = {
    "weft applications": "tests/programs/test_applications.py",
    "weft compare": "tests/archive/test_compare.py: needs the archive of another release",
    "weft trace": "tests/traces",
    "booksim_path": "tests/engines/booksim",
    "--sdm": "tests/images, tests/workflow/test_profiles.py",
    "snakemake lock_": "tests/images: asks Debian's mirror",
    "snakemake containers": "tests/images: .ci/run builds them",
    "--profile": "tests/cluster, tests/workflow/test_profiles.py: needs a scheduler",
}


class Clone(StrEnum):
    """What has run in a clone. Each has a file of tests, so that processes share them out."""

    NEW = "nothing but what is quick"
    QUICKSTART = "the quickstart"
    PERMUTATIONS = "the experiment of the README"


@dataclass(frozen=True, slots=True)
class Line:
    """A line for the shell, the command that a document prints for it, and where it is typed."""

    text: str
    printed: Command
    clone: Clone

    @property
    def is_plain_dry_run(self) -> bool:
        """Whether it asks for one file, and for nothing but what would make that."""
        return bool(re.fullmatch(r"snakemake \S+\.\w+ -n", self.text))

    def __str__(self) -> str:
        return str(self.printed)


#: Lines that need no experiment by name, but are about what has run.
ABOUT_RESULTS = re.compile(
    r"quickstart|build run|duckdb|reports/index|snakemake plan|weft (status|list|calibrations)"
)


#: What the experiment of the README is called, and what it varies.
OF_README = re.compile(r"permutations|topology\.k\b")
#: Documents whose queries are about an experiment that has run; others ask about longer ones.
FOUND = ("README.md", "hardware.md")


def clone_of(text: str) -> Clone:
    """Where a line is typed."""
    if OF_README.search(text):
        return Clone.PERMUTATIONS
    return Clone.QUICKSTART if ABOUT_RESULTS.search(text) else Clone.NEW


def of_snakemake_or_weft(command: Command) -> str:
    """The command as a reader types it here."""
    folder = "MINE" if "new" in command.words else "OWN"
    stands_for = {**STANDS_FOR, "DIR": "CLONE" if "--project" in command.words else folder}
    words = [stands_for.get(word, word) for word in command.words]
    words[0] = command.program
    if words[-1] == "…":
        words[-1] = "list"
    words = ["quickstart" if word == "…" else word for word in words]
    if words[:1] == ["snakemake"] and not any(map(SHORT.fullmatch, words[1:])):
        words += [] if "-n" in words else ["-n"]
    # The shell expands what stands for the reader's home, too.
    text = " ".join(OF_SHELL.get(word) or shlex.quote(word) for word in words)
    return re.sub(r"'?(search_path=~[^ ']*)'?", r"\1", text)


def of_another_program(command: Command) -> str | None:
    """What a reader types of another program; None if `others.ELSEWHERE` says why nobody does."""
    if command.text.startswith(others.AS_PRINTED):
        return command.text
    found = [key for key in others.TYPED if command.text.startswith(key)]
    return others.TYPED[max(found, key=len)] if found else None


OWN = ("snakemake", "weft")
COMMANDS = {each.text: each for each in all_commands() if each.program in OWN}
OTHERS = {each.text: each for each in all_commands() if each.program not in OWN}


def all_lines() -> Iterator[Line]:
    """Every line, in the order of the documents."""
    for command in COMMANDS.values():
        if not any(word in command.text for word in ELSEWHERE):
            text = of_snakemake_or_weft(command)
            yield Line(text, command, clone_of(text))
    for command in OTHERS.values():
        if typed := of_another_program(command):
            yield Line(typed, command, clone_of(typed))


def lines(clone: Clone) -> list[Line]:
    """What is typed in a clone. Documents that print the same command have it typed once."""
    found = {line.text: line for line in reversed(list(all_lines())) if line.clone is clone}
    return list(reversed(found.values()))


def queries(clone: Clone) -> list[tuple[str, str]]:
    """The queries of the documents that ask what a clone has."""
    of_readme = clone is Clone.PERMUTATIONS
    return [each for each in blocks("sql") if bool(OF_README.search(each[1])) == of_readme]
