"""What YAML reads in another way than people do is named with its line, and with what to write."""

import pytest
from weft.config.language.errors import ConfigError
from weft.config.language.yaml_files import as_written, read_raw


def mistake(text: str) -> str:
    found = as_written(text, "x.yaml")
    assert isinstance(found, ConfigError), found
    return str(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nk: 1:30\n", "x.yaml:2:4: 1:30 is 90 in YAML: write the number, or"),
        ("k: 010\n", "x.yaml:1:4: 010 is 8 in YAML: write the number, or put"),
        ("a: {b: [1, -017]}\n", "x.yaml:1:12: -017 is -15 in YAML"),
        ("a: 1\non: 2\n", "x.yaml:2:1: YAML reads the key on as true or false: put quotes"),
        ("a: {No: 2}\n", "x.yaml:1:5: YAML reads the key No as true or false: put quotes"),
        ("~: 2\n", "x.yaml:1:1: YAML reads the key ~ as nothing: put"),
        ("a: 1\n2: 2\n", "x.yaml:2:1: YAML reads the key 2 as a number: put quotes"),
        (f"a: {'9' * 5000}\n", "x.yaml:1:4: a number of 5000 digits is too large"),
        ("a: 1\nb: ${a\n", "x.yaml:2:4: '${a' is not a link to a key; write it like"),
        ("42\n", "x.yaml:1:1: expected keys with values at the top of the file"),
        ("hello\n", "x.yaml:1:1: expected keys with values at the top of the file"),
        ("a:\n\tb: 1\n", "x.yaml:2:1: there is a tab; indent with spaces"),
        ("a: 1\nb: \0\n", "x.yaml:2:4: there is a control character"),
        ("a: 1\nb: !!bool maybe\n", "x.yaml:2:4: there is a tag, !!bool: write the value without"),
        ("a: !!int ''\n", "x.yaml:1:4: there is a tag, !!int"),
        ("a: !!int 4x\n", "x.yaml:1:4: there is a tag, !!int"),
        ("a: !!timestamp soon\n", "x.yaml:1:4: there is a tag, !!timestamp"),
        ("a: !!map [1]\n", "x.yaml:1:4: there is a tag, !!map"),
        ("a: [!!set {x, y}]\n", "x.yaml:1:5: there is a tag, !!set"),
        ("a: !!python/object:os.system {}\n", "x.yaml:1:4: there is a tag, !!python/object:os.sys"),
        ("a: !torus {k: 4}\n", "x.yaml:1:4: there is a tag, !torus"),
        (
            "a:\n\u00a0\u00a0b: 1\n",
            "x.yaml:2:1: the key 'b' has a character that is not seen (U+00A0)",
        ),
        (
            "a: {b\u200b: 1}\n",
            "x.yaml:1:5: the key 'b\u200b' has a character that is not seen (U+200B)",
        ),
        (
            "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n",
            "x.yaml:2:1: there is a mark of a merge conflict; keep one of the two versions",
        ),
    ],
)
def test_it_is_a_mistake_with_its_place(text: str, message: str) -> None:
    assert mistake(text).startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        "k: 0\n",
        "k: -0\n",
        "k: 0.10\n",
        "k: '010'\n",
        "k: '1:30'\n",
        "k: 0x10\n",
        "a: {'on': 1}\n",
        "k: !!str 4\n",
        "k: ! 4\n",
        "k: \u00a0x\n",
        "k\u00a0m: 1\n",
        "k: |\n  <<<<<<< x\n",
    ],
)
def test_what_reads_as_it_is_written_is_none(text: str) -> None:
    assert isinstance(as_written(text, "x.yaml"), dict)


def test_bytes_of_another_encoding_are_named_with_their_place(tmp_path) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes("a: 1\ntitle: Größe\n".encode("latin-1"))
    assert str(read_raw(file, "x.yaml")) == (
        "x.yaml:2:10: the byte 0xf6 is not UTF-8: save the file as UTF-8"
    )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_its_mark_is_named(tmp_path, encoding: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes("title: A title\n".encode(encoding))
    assert str(read_raw(file, "x.yaml")) == (
        "x.yaml:1:1: is UTF-16, not UTF-8: save the file as UTF-8"
    )
