"""The command lines that documents print, in console blocks and in inline code."""

import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: A word that stands for something of the user's.
NAMES = re.compile(r"<\w[\w ]*>")
PROMPT = re.compile(r"(?:\w*)\$ (.*)")
HEREDOC = re.compile(r"<<'?(\w+)'?$")
#: Inline code is a command if it begins with one of these and goes on; most inline code is none.
INLINE = re.compile(
    r"(?:\.venv/bin/|envs/)?(apptainer|apt|bash|cargo|chmod|duckdb|eval|fuser|git|kill|make|module"
    r"|mpiexec|mpirun|pip|python3?|sbatch|scontrol|scp|snakemake|srun|ssh|tar|umask|weft"
    r"|weft-\w+)(?: .+)$"
)


@dataclass(frozen=True, slots=True)
class Command:
    """One command as a reader would type it; `text` has the lines that it reads, too."""

    document: str
    text: str

    @property
    def words(self) -> list[str]:
        """Its words without comments and without what the shell redirects."""
        line = self.text.split("\n", 1)[0] if HEREDOC.search(self._first) else self.text
        words = shlex.split(line, comments=True)
        while words and re.match(r"[A-Z_]+=", words[0]):  # what the command has in its environment
            words.pop(0)
        cut = next((i for i, word in enumerate(words) if re.match(r"<<|>|\|", word)), len(words))
        return words[:cut]

    @property
    def program(self) -> str:
        """Its program, without the folder of the environment."""
        return self.words[0].removeprefix(".venv/bin/")

    @property
    def _first(self) -> str:
        return self.text.split("\n", 1)[0]

    def __str__(self) -> str:
        return f"{self.document}: {self._first}"


def documents() -> list[Path]:
    """Every document that a reader may copy commands from."""
    named = [ROOT / name / "README.md" for name in ("hardware", "programs", "reports", "results")]
    found = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")]
    found += sorted((ROOT / "docs").glob("*.md"))
    return [*found, *named]


def commands(text: str, document: str = "") -> Iterator[Command]:
    """All commands of a document; those joined by `&&` one by one."""
    blocks = re.findall(r"^ *```(console|sh)\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
    typed = [line for kind, block in blocks for line in _typed(_prompted(kind, block))]
    inline = [span for span in spans if INLINE.match(NAMES.sub("x", span))]
    for line in [*typed, *inline]:
        parts = [line] if "\n" in line else line.split(" && ")
        for part in parts:
            yield Command(document, NAMES.sub("x", part))


def all_commands() -> list[Command]:
    """The commands of all documents, each as often as it is printed."""
    return [each for path in documents() for each in commands(path.read_text(), path.name)]


def blocks(language: str) -> list[tuple[str, str]]:
    """The documents' blocks in a language, each after the name of its document."""
    block = rf"^( *)```{language}\n(.*?)^ *```"
    return [
        (path.name, textwrap.dedent(found[2]))
        for path in documents()
        for found in re.finditer(block, path.read_text(), re.MULTILINE | re.DOTALL)
    ]


def _prompted(kind: str, block: str) -> list[str]:
    """The lines of a block; in one of a script every line is a command."""
    mark = "$ " if kind == "sh" else ""
    return [f"{mark}{line.strip()}" if mark else line for line in block.splitlines()]


def _typed(lines: list[str]) -> Iterator[str]:
    """What follows a prompt, with its continued lines and the text that it reads."""
    rest = list(lines)
    while rest:
        found = PROMPT.match(rest.pop(0).strip())
        if not found:
            continue
        typed = [found[1]]
        if end := HEREDOC.search(typed[0]):
            while rest and typed[-1] != end[1]:
                typed.append(rest.pop(0))
        while rest and rest[0].startswith("> "):
            typed.append(rest.pop(0).removeprefix("> "))
        yield "\n".join(typed)
