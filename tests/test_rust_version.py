"""What simulators/Cargo.toml promises of the compiler: Debian's builds the images."""

import re
import tomllib
from pathlib import Path

SIMULATORS = Path(__file__).parents[1] / "simulators"
#: `if let … && …`, stable since Rust 1.88: a newer compiler accepts it whatever the manifest says.
LET_CHAIN = re.compile(r"\b(?:if|while) let [^{};|]*&&|&&\s*let\b")


def without_brackets(text: str) -> str:
    """Within round brackets `&&` is an ordinary operator."""
    while (less := re.sub(r"\([^()]*\)", "", text)) != text:
        text = less
    return text


def test_no_source_needs_a_newer_compiler_than_declared() -> None:
    manifest = tomllib.loads((SIMULATORS / "Cargo.toml").read_text())
    assert manifest["workspace"]["package"]["rust-version"] < "1.88"
    sources = [
        path for folder in ("src", "tests") for path in SIMULATORS.glob(f"*/{folder}/**/*.rs")
    ]
    chained = [path for path in sources if LET_CHAIN.search(without_brackets(path.read_text()))]
    assert [str(path.relative_to(SIMULATORS)) for path in chained] == []
