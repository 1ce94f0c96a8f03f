"""What a file of tests covers, as a digest of contents: a file or module may be renamed."""

import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from weft.files.tokens import content

ROOT = Path(__file__).parents[2]
#: Statements of Python: what is imported from a module, or modules.
IMPORT = re.compile(
    r"^([ \t]*)(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]*))",
    re.MULTILINE,
)
#: The folders from which modules are imported.
PATHS = ("workflow/", "")


def covered_files(covers: Iterable[str], root: Path = ROOT) -> set[str] | None:
    """The files that Git's patterns name, also new ones; None outside a checkout."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    listed = subprocess.run([*command, *covers], cwd=root, capture_output=True, text=True)
    return set(listed.stdout.split("\0")) - {""} if listed.returncode == 0 else None


def code_digests(
    covers: Iterable[str], tests: Iterable[str], root: Path = ROOT
) -> dict[str, str | None]:
    """For each file of tests the SHA-256 of what it tests and of itself; None outside a checkout.

    That are the contents of the files that Git's patterns name, but of files of tests only its own
    and those from which it imports: another test changes nothing of this one. Of sources the tokens
    count: a comment changes nothing that a suite measures. Names of files do not count, and an
    imported module counts by its content, if the patterns name it too.
    """
    tests = [*tests]
    files = covered_files((*covers, *tests), root)
    if files is None:
        return dict.fromkeys(tests)
    named = {
        name: _source(path.suffix, path.read_bytes())
        for name in files
        if (path := root / name).is_file()
    }
    modules = {_module(name): each for name, each in named.items() if name.endswith(".py")}
    of_tests = {_module(name) for name in named if _is_of_tests(name)}
    code = [each.line(modules) for name, each in named.items() if not _is_of_tests(name)]

    def digest(test: str) -> str:
        found = {_module(test)}
        while (
            further := {each for name in found for each in modules[name].names() & of_tests} - found
        ):
            found |= further
        lines = sorted([*code, *(modules[name].line(modules) for name in found)])
        return sha256("\n".join(lines).encode()).hexdigest()

    return {test: digest(test) for test in tests}


def _is_of_tests(name: str) -> bool:
    return name.startswith("tests/") and Path(name).match("test_*.py")


class Source:
    """A file's content, apart from it what it imports: the order of that follows the names."""

    def __init__(self, suffix: str, data: bytes) -> None:
        self.imports: list[tuple[str, str]] = []
        if suffix == ".py":
            text = IMPORT.sub(self._take, data.decode(errors="surrogateescape"))
            data = text.encode(errors="surrogateescape")
        self.sha256 = sha256(content(f"file{suffix}", data)).hexdigest()

    def _take(self, found: re.Match[str]) -> str:
        space, module, names, modules = found.groups()
        if module:
            self.imports.append((module, ",".join(re.findall(r"[\w*]+", names))))
        else:
            self.imports += [(each, "") for each in re.findall(r"[\w.]+", modules)]
        return f"{space}pass"

    def names(self) -> set[str]:
        """What it imports, whether these are modules or names of one."""
        return {
            imported
            for module, names in self.imports
            for imported in (module, *(f"{module}.{name}" for name in names.split(",")))
        }

    def line(self, modules: Mapping[str, "Source"]) -> str:
        """What counts of the file in a suite that covers these modules."""
        imported = (
            f"{modules[module].sha256 if module in modules else module}:{names}"
            for module, names in self.imports
        )
        return " ".join([self.sha256, *sorted(imported)])


#: Suites have many files in common.
_source = cache(Source)


def _module(name: str) -> str:
    """What the file is called where it is imported."""
    inner = next(name.removeprefix(path) for path in PATHS if name.startswith(path))
    return inner.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
