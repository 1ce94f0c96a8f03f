"""Whatever words the runners get, they read them or name the one that is wrong."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weft.config.model.engine import declared_engines

ROOT = Path(__file__).parents[2]
FLAGS = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
NAMES = ("--output", "--sizes", "--repetitions", "--min-repetitions", "--warmup", "--budget",
         "--deadline", "--algorithm", "--one-sided", "--program", "--")  # fmt: skip
VALUES = ("out", "8", "8,64", "0", "-1", "1.5", "nan", "2147483648", "9" * 40, ",", "8,", "", "a=b")
READ = re.compile(r"(\d+) (\d+) (\d+) ([\d.e+]+)((?:,\d+)*) (\d+)")
REFUSED = ("usage: ", "option '", "'")
WORD = st.sampled_from(NAMES) | st.sampled_from(VALUES) | st.text("-=,{}ab19 é%", max_size=12)


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program of the runners' own reader, in which a stray access ends it."""
    program = tmp_path_factory.mktemp("options") / "parsed_options"
    sources = [ROOT / "hardware/options.c", Path(__file__).with_name("parsed_options.c")]
    command = ["cc", "-std=c11", *FLAGS, f"-I{ROOT / 'hardware'}", *map(str, sources)]
    subprocess.run([*command, "-o", str(program)], check=True)
    return program


def parsed(parser: Path, lines: list[list[str]]) -> list[str]:
    """What it prints for each line of words."""
    text = "".join("".join(f"\x1f{word}" for word in words) + "\n" for words in lines)
    done = subprocess.run([parser], input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(errors="replace").splitlines()


@pytest.mark.slow
@settings(max_examples=60)
@given(lines=st.lists(st.lists(WORD, max_size=8), min_size=1, max_size=40))
def test_any_words_are_options_or_one_message(parser: Path, lines: list[list[str]]) -> None:
    printed = parsed(parser, [*lines, *(["--output", "x", *words] for words in lines)])
    assert len(printed) == 2 * len(lines)
    for line in printed:
        if found := READ.fullmatch(line):
            repetitions, least = int(found[1]), int(found[2])
            assert 1 <= least <= repetitions
        else:
            assert line.startswith(REFUSED)


@pytest.mark.slow
def test_what_a_time_limit_does_to_the_fewest_repetitions_is_said() -> None:
    """Each size has an equal part of the time limit, whatever `min_repetitions` asks for."""
    said = (
        declared_engines(ROOT / "configs")["hardware"]
        .model.model_fields["min_repetitions"]
        .description
    )
    assert "`timeout`" in said
    assert "at least one" in said


def test_a_wrong_value_is_named(parser: Path) -> None:
    lines = [
        ["--output", "x", "--sizes", "8,64k"],
        ["--output", "x", "--warmup", "-1"],
        ["--output", "x", "--repetitions", "3", "--sizes", "8,64", "a", "{message_bytes}"],
    ]
    assert parsed(parser, lines) == [
        "'64k' is not a message size from 0 to 2147483647 bytes",
        "option '--warmup' is unknown or its value is wrong",
        "3 3 20 1,8,64 3",
    ]
