"""Every command, query and piece of Python that the documents print runs in a reader's clone."""

import re
import shlex

import duckdb
import pytest

from tests.documented import others
from tests.documented.conftest import Reader
from tests.documents import ROOT, Command, all_commands, blocks

pytestmark = [pytest.mark.slow, pytest.mark.long("documents")]

#: Targets that take seconds. Of others everything runs but their jobs.
SHORT = re.compile(
    r"plan|--lint|doctor|archives/quickstart\.zip|reports/(index|quickstart|probe)\.html"
    r"|reports/permutations(@[\w.=-]+)?\.html|reports/compare/\S+"
)
#: What a reader writes in the place of a name that stands for others.
STANDS_FOR = {
    "reports/x.html": "reports/permutations.html",
    "tuning/x.yaml": "tuning/local.yaml",
    "x": "quickstart",
    "solver": "probe",
    "FILE": "all.csv",
}
#: What a command needs that no clone has, and which tests run it.
ELSEWHERE = {
    "weft applications": "tests/programs/test_applications.py",
    "weft trace": "tests/traces",
    "booksim_path": "tests/engines/booksim",
    "--sdm": "tests/images, tests/workflow/test_profiles.py",
    "snakemake lock_": "tests/images: asks Debian's mirror",
    "snakemake containers": "tests/images: .ci/run builds them",
    "--profile": "tests/cluster, tests/workflow/test_profiles.py: needs a scheduler",
}

COMMANDS = {
    command.text: command for command in all_commands() if command.program in ("snakemake", "weft")
}
HERE = [each for each in COMMANDS.values() if not any(word in each.text for word in ELSEWHERE)]


def line(command: Command, reader: Reader) -> str:
    """The command as a reader types it here."""
    folder = reader.home / ("mine" if "new" in command.words else "interconnects")
    project = "--project" in command.words
    own = {"DIR": str(reader.clone if project else folder), "POINT": reader.point()}
    words = [STANDS_FOR.get(word) or own.get(word) or word for word in command.words]
    words[0] = command.program
    if words[-1] == "…":
        words[-1] = "list"
    words = ["quickstart" if word == "…" else word for word in words]
    if words[:1] == ["snakemake"] and not any(map(SHORT.fullmatch, words[1:])):
        words.append("-n")
    # The shell expands what stands for the reader's home.
    return re.sub(r"'?(search_path=~[^ ']*)'?", r"\1", shlex.join(words))


@pytest.mark.parametrize("command", HERE, ids=str)
def test_a_documented_command_runs(command: Command, reader: Reader) -> None:
    done = reader.types(line(command, reader))
    assert done.returncode == 0, done.stdout + done.stderr


def typed(command: Command) -> str | None:
    """What a reader types of another program; None if `ELSEWHERE` says why nobody does here."""
    if command.text.startswith(others.AS_PRINTED):
        return command.text
    found = [key for key in others.TYPED if command.text.startswith(key)]
    return others.TYPED[max(found, key=len)] if found else None


OTHERS = {
    command.text: command
    for command in all_commands()
    if command.program not in ("snakemake", "weft")
}


@pytest.mark.parametrize("command", [each for each in OTHERS.values() if typed(each)], ids=str)
def test_a_command_of_another_program_runs(command: Command, reader: Reader) -> None:
    done = reader.types(str(typed(command)))
    assert done.returncode == 0, done.stdout + done.stderr


def test_of_every_other_command_it_is_known_who_types_it() -> None:
    left = [text for text, each in OTHERS.items() if not typed(each)]
    assert [text for text in left if not text.startswith(tuple(others.ELSEWHERE))] == []
    known = (*others.AS_PRINTED, *others.TYPED, *others.ELSEWHERE)
    assert [key for key in known if not any(text.startswith(key) for text in OTHERS)] == []


def test_tests_that_run_a_command_elsewhere_exist() -> None:
    said = [*ELSEWHERE.values(), *others.ELSEWHERE.values(), *others.PYTHON.values()]
    named = [name for text in said for name in re.findall(r"tests/[\w./]*\w", text)]
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert len(named) > 20


@pytest.mark.parametrize("query", blocks("sql"), ids=str)
def test_a_query_runs_on_what_the_reader_has(query: tuple[str, str], reader: Reader) -> None:
    document, text = query
    with duckdb.connect(str(reader.clone / "results/weft.duckdb"), read_only=True) as database:
        found = database.execute(text).fetchall()
    # Others ask about experiments that take longer.
    assert found or document not in ("README.md", "hardware.md")


@pytest.mark.parametrize(
    "code", [each for each in blocks("python") if each[0] not in others.PYTHON], ids=str
)
def test_a_piece_of_python_runs(code: tuple[str, str], reader: Reader) -> None:
    text = code[1].replace('Path("DIR")', f"Path({str(reader.home / 'interconnects')!r})")
    (reader.clone / "block.py").write_text(f"from pathlib import Path\nimport weft\n{text}")
    done = reader.types("python block.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("0 ") or code[0] != "confinement.md"


def test_what_runs_elsewhere_is_documented() -> None:
    assert all(any(word in text for text in COMMANDS) for word in ELSEWHERE)
    assert len(HERE) > 40
