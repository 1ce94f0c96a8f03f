"""Command lines in the documents mean what they seem to mean."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from snakemake.cli import get_argument_parser, parse_config
from weft.prepare.override_texts import split_texts
from weft.prepare.request import KEYS

ROOT = Path(__file__).parents[1]
RULES = ("all", "papers", "plan", "containers", "lock_images", "lock_packages", "doctor")
#: Where a document stands for something of the user's.
NAMES = re.compile(r"<\w+>")
TARGET = re.compile(r"(reports|results|containers/images)/\S+")


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands(text: str) -> Iterator[str]:
    """Command lines in console blocks and in inline code, those over two lines, too."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
    for line in [*lines, *spans]:
        found = re.match(r"(?:\w*\$ )?(?:\.venv/bin/)?(snakemake(?: .*)?)$", line)
        if found:
            yield NAMES.sub("x", found[1])


def mistakes(command: str) -> list[str]:
    """What Snakemake would understand otherwise than a reader."""
    words = shlex.split(command, comments=True)[1:]
    try:
        found = get_argument_parser().parse_args(words)
    except SystemExit:
        return ["Snakemake refuses it"]
    told = [f"{word}: no target" for word in found.targets if not _is_target(word)]
    config = found.config or []
    told += [f"{word}: is no key=value" for word in config if "=" not in word]
    if not told:
        read = parse_config(config)
        told += [f"{key}: unknown key of --config" for key in read if key not in KEYS]
        texts = split_texts(read.get("overrides"))
        told += [f"{text}: is no override" for text in texts if "=" not in text]
    meant = [word for word in words if _is_target(word)]
    return told + [f"{word}: taken for a value" for word in meant if word not in found.targets]


def _is_target(word: str) -> bool:
    return word in RULES or TARGET.fullmatch(word) is not None


CASES = [
    pytest.param(command, id=f"{document.name}: {command}")
    for document in documents()
    for command in commands(document.read_text())
]


@pytest.mark.parametrize("command", CASES)
def test_a_documented_command_is_understood(command):
    assert mistakes(command) == []


def test_there_are_documented_commands():
    assert len(CASES) > 20


@pytest.mark.parametrize(
    "command",
    [
        "snakemake --profile slurm --config partial=true reports/x.html",
        "snakemake --sdm apptainer reports/x.html",
        "snakemake reports/x.html --no-such-option",
        "snakemake reports/x.html --config parttial=true",
        "snakemake reports/x.html --config 'overrides=[topology]'",
        "snakemake quickstart",
    ],
)
def test_a_command_that_fails_is_found(command):
    assert mistakes(command)


def test_commands_are_found_in_blocks_and_in_prose():
    text = (
        "Run `snakemake\nplan` or\n\n```console\nsite$ snakemake doctor  # look\n$ make env\n```\n"
    )
    assert list(commands(text)) == ["snakemake doctor  # look", "snakemake plan"]
