"""Command lines in the documents mean what they seem to mean."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from snakemake.cli import get_argument_parser, parse_config
from weft.command.commands import main
from weft.prepare.request.override_texts import split_texts
from weft.prepare.request.request import KEYS

from tests.documents import ROOT, Command, all_commands, commands

RULES = ("all", "papers", "plan", "containers", "lock_images", "lock_packages", "doctor")
TARGET = re.compile(r"(reports|archives|results|containers/images|tuning)/\S+")

#: The Makefile that is in every archive.
INSIDE = ROOT / "workflow" / "weft" / "archive" / "inside" / "Makefile"

#: Programs of others whose commands no test runs, and why.
NOT_RUN = {
    "./install": "is in a release",
    "apptainer": "needs an image that a reader builds",
    "apt": "needs root and the network",
    "bash": "a part of a benchmark's text",
    "cd": "the shell's own",
    "chmod": "changes a shared folder of a site",
    "duckdb": "is not in the environment, and the page says so",
    "fuser": "looks for processes of a site",
    "git": "needs the network",
    "kill": "ends a process",
    "mkdir": "makes a folder of a site",
    "mpiexec": "stands for a line that weft writes",
    "mpirun": "stands for a line that weft writes",
    "module": "exists at a site only",
    "pg_dump": "needs the database of a site",
    "pg_restore": "needs the database of a site",
    "sqlite3": "needs the database of a site",
    "rm": "removes results",
    "scontrol": "needs a cluster",
    "scp": "needs another machine",
    "srun": "needs a cluster",
    "tar": "packs what a service has kept",
    "umask": "the shell's own",
    "unzip": "takes apart an archive that a reader makes",
    "weft-x": "stands for an engine of the reader's",
}
NOTHING: list[str] = []


def snakemake(command: Command) -> list[str]:
    """What Snakemake would understand otherwise than a reader."""
    words = command.words[1:]
    try:
        found = get_argument_parser().parse_args(words)
    except SystemExit:
        return ["Snakemake refuses it"]
    wrong = [f"{word}: no target" for word in found.targets if not _is_target(word)]
    config = found.config or []
    wrong += [f"{word}: is no key=value" for word in config if "=" not in word]
    if not wrong:
        read = parse_config(config)
        wrong += [f"{key}: unknown key of --config" for key in read if key not in KEYS]
        texts = split_texts(read.get("overrides"))
        wrong += [f"{text}: is no override" for text in texts if "=" not in text]
    meant = [word for word in words if _is_target(word)]
    return wrong + [f"{word}: taken for a value" for word in meant if word not in found.targets]


def _is_target(word: str) -> bool:
    return word in RULES or TARGET.fullmatch(word) is not None


def weft(command: Command) -> list[str]:
    """What is wrong with subcommand, options and arguments."""
    words = ["list" if word == "…" else word for word in command.words[1:]]
    try:
        if words == ["--version"]:
            return NOTHING if any(words[0] in each.opts for each in main.params) else words
        with main.make_context("weft", words, resilient_parsing=False) as context:
            name, found, rest = main.resolve_command(
                context, [*context._protected_args, *context.args]
            )
            assert found is not None
            found.make_context(name, rest, parent=context).close()
    except click.UsageError as error:
        return [error.message]
    return NOTHING


def make(command: Command) -> list[str]:
    """What `make` says about targets that it does not know."""
    found = _run("make", "-n", *command.words[1:])
    # Targets that a reader has in an unpacked archive.
    return found and _run("make", "-n", "-C", "envs", "-f", str(INSIDE), *command.words[1:])


def python(command: Command) -> list[str]:
    """Modules and files that do not exist; text for `-c` and `-` that is no Python."""
    option, *rest = command.words[1:]
    if option == "-m":
        if rest[0] == "weft.service.manage":
            return manage(rest[1])
        return [] if find_spec(rest[0]) else [f"{rest[0]}: no such module"]
    if option in ("-", "-c"):
        text = rest[0] if rest else "\n".join(command.text.splitlines()[1:-1])
        compile(text, str(command), "exec")
        return NOTHING
    return [] if (ROOT / option).is_file() else [f"{option}: no such file"]


def manage(name: str) -> list[str]:
    """A command of the server that does not exist; its packages are not in every environment."""
    folder = ROOT / "workflow/weft/service/pages/management/commands"
    of_django = name in ("createsuperuser", "migrate")
    return [] if of_django or (folder / f"{name}.py").is_file() else [f"{name}: no such command"]


def worker(command: Command) -> list[str]:
    """Options of the worker that it does not have."""
    words = [each for each in command.words[1:] if each.startswith("-")]
    told = subprocess.run(
        [sys.executable, "-m", "weft.service.worker.main", "--help"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return [f"{word}: no option of weft-worker" for word in words if f"{word} " not in told]


def engine(command: Command) -> list[str]:
    """A simulator is on the PATH of the environment, and describes itself."""
    program = Path(sys.executable).with_name(command.program)
    if not program.exists():
        return [f"{command.program}: `make build` does not link it"]
    if command.words[1:] == ["describe"]:
        json.loads(subprocess.run([program, "describe"], capture_output=True, check=True).stdout)
    return NOTHING


def cargo(command: Command) -> list[str]:
    """Tests of packages that do not exist."""
    words = command.words
    package, test = words[words.index("-p") + 1], words[words.index("--test") + 1]
    folder = ROOT / "simulators" / package / "tests"
    found = (folder / f"{test}.rs").is_file() or (folder / test / "main.rs").is_file()
    return [] if found else [f"{package}: no test {test}"]


def shell(command: Command) -> list[str]:
    """What the shell says with the environment on its PATH."""
    return _run("bash", "-ec", command.text)


def script(command: Command) -> list[str]:
    """A script of the project that is not there, or that nobody may execute."""
    name = command.words[1] if command.program == "sbatch" else command.words[0]
    if name == "--parsable":  # an option that the text is about
        return NOTHING
    return [] if os.access(ROOT / name, os.X_OK) else [f"{name}: cannot be executed"]


def copied(command: Command) -> list[str]:
    """A file of the project that is to be copied and is not there."""
    name = command.words[1]
    return [] if (ROOT / name).is_file() else [f"{name}: there is no such file"]


def _run(*words: str) -> list[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        words, cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    return [] if done.returncode == 0 else [done.stderr.strip()]


CHECKS: dict[str, Callable[[Command], list[str]]] = {
    **{"snakemake": snakemake, "weft": weft, "make": make, "cargo": cargo},
    **{"python": python, "python3": python, "eval": shell, "source": shell},
    **{"weft-worker": worker, "cp": copied},
    **{"sbatch": script, "envs/install_apptainer": script},
    **{f"weft-{name}": engine for name in ("flow", "packet", "rdma", "anet", "model")},
}


def mistakes(command: Command) -> list[str]:
    """What a reader who types this would stumble over."""
    if command.program in NOT_RUN:
        return NOTHING
    check = CHECKS.get(command.program)
    return check(command) if check else [f"{command.program}: no test knows this program"]


def only(text: str) -> Command:
    (command,) = commands(f"```console\n$ {text}\n```\n")
    return command


PRINTED = list({command.text: command for command in all_commands()}.values())


@pytest.mark.parametrize("command", PRINTED, ids=str)
def test_a_documented_command_is_understood(command):
    assert mistakes(command) == []


def test_there_are_documented_commands():
    assert len(PRINTED) > 60


def test_every_program_that_is_not_run_is_printed():
    assert set(NOT_RUN) <= {command.program for command in PRINTED}


@pytest.mark.parametrize(
    "text",
    [
        "snakemake --profile slurm --config partial=true reports/x.html",
        "snakemake --sdm apptainer reports/x.html",
        "snakemake reports/x.html --no-such-option",
        "snakemake reports/x.html --config parttial=true",
        "snakemake reports/x.html --config 'overrides=[topology]'",
        "snakemake quickstart",
        "make no-such-target",
        "weft lst",
        "weft answers",
        "weft answers x --cvs x.csv",
        "python -m weft.no_such_module",
        "python benchmarks/no_such_file.py",
        "cargo test -p packet --test no_such_test",
        "sbatch profiles/slurm/no_such_script",
        "python -m weft.service.manage swep",
        "TOKEN=x weft-worker --server y --foldr z",
        "frobnicate results",
    ],
)
def test_a_command_that_fails_is_found(text):
    assert mistakes(only(text))


def test_commands_are_found_in_blocks_and_in_prose():
    text = (
        "Run `snakemake\nplan` or\n\n```console\n"
        "site$ snakemake doctor  # look\n$ cd x && make env\n"
        "it prints this\n$ python - <<'END'\nprint(1)\nEND\n$ python -c 'print(\n> 1)'\n```\n"
        "```sh\nA=1 weft list\n```\n"
    )
    assert [command.text for command in commands(text)] == [
        "snakemake doctor  # look",
        "cd x",
        "make env",
        "python - <<'END'\nprint(1)\nEND",
        "python -c 'print(\n1)'",
        "A=1 weft list",
        "snakemake plan",
    ]


@pytest.mark.parametrize(
    "command",
    [
        each
        for each in PRINTED
        if each.words[1:2] == ["-m"] and each.words[2].startswith(("weft.config", "weft.report"))
    ],
    ids=str,
)
def test_a_documented_generator_writes_what_the_project_has(command, tmp_path):
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    (tmp_path / "docs").mkdir()
    done = subprocess.run(
        ["bash", "-ec", command.text.replace("python", sys.executable, 1)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "workflow")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for path in [*(tmp_path / "docs").iterdir(), *(tmp_path / "configs/schema").iterdir()]:
        assert path.read_text() == (ROOT / path.relative_to(tmp_path)).read_text()
