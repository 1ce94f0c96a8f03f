"""Versions follow tokens, which Rust and Python find alike; comments and white space are none."""

import random
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from weft.files.tokens import content

ROOT = Path(__file__).parents[2]
SIMULATORS = ROOT / "simulators"
#: What decides where a token ends; random texts are made of these.
PIECES = (
    *"\"'\\/*#{}();,=-+<>.:!&|_ \t\n\r\f",
    "//", "/*", "*/", '"""', "'''", 'r#"', '"#', "b'", 'br"', "c\"", "'a", "'x'", "'\\n'", "\\\n",
    "r", "br", "#define ", "ab1", "1e-9", "0x1f", "é", "→", "\u00a0", "\u2028",
)  # fmt: skip


def random_texts(count):
    draw = random.Random(15)
    for number in range(count):
        ending = ("rs", "c", "h", "toml", "txt")[number % 5]
        pieces = draw.choices(PIECES, k=draw.randrange(1, 40))
        yield f"{number}.{ending}", "".join(pieces).encode()
    yield "no_text.rs", b"fn \xff // not UTF-8"


def sources():
    named = [*SIMULATORS.glob("*/Cargo.toml"), *(ROOT / "programs").rglob("*.[ch]")]
    named += [path for crate in SIMULATORS.glob("*/src") for path in crate.rglob("*.rs")]
    for number, path in enumerate(sorted(named)):
        yield f"{number}_{path.name}", path.read_bytes()


@pytest.mark.slow
def test_rust_and_python_find_the_same_tokens(tmp_path):
    texts = dict([*random_texts(3000), *sources()])
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    run = ["cargo", "run", "--quiet", "--locked", "--package", "source_version"]
    run += ["--example", "contents", "--", str(tmp_path)]
    printed = subprocess.run(run, cwd=SIMULATORS, check=True, capture_output=True, text=True).stdout
    found = dict(line.rsplit(" ", 1) for line in printed.splitlines())
    assert found.keys() == texts.keys()
    unlike = [name for name in texts if found[name] != digest(name, texts[name])]
    assert not unlike, [texts[name] for name in unlike[:3]]


def digest(name, text):
    return sha256(content(name, text)).hexdigest()


SAME = {
    "a.rs": [
        "fn f<'a>(x: &'a str) -> char { '\\'' }",
        "/// Doc.\nfn f<'a>(x: &'a str) // to /* nothing\n  -> char { /* a /* b */ */ '\\'' }\n",
    ],
    "b.rs": ['let s = r#"// "no" comment"#;', 'let s =\n    r#"// "no" comment"#; // one'],
    "c.c": ['#define A 1\nint a = A;', "/* A. */\n#define  A\t1 /* B. */\n\nint a\n= A; // C."],
    "p.py": [
        'def f(x):\n    return x + 1\n',
        '"""Of f."""\n\n\ndef f(x):\n    """More."""\n    return (\n        x + 1  # one\n    )\n',
    ],
    "v.cpp": ['auto a = "//";', '// A.\nauto a = "//"; /* B. */'],
    "d.toml": ['a = "#"\nb = 1\n', '# A.\n\na="#" # B.\n\nb = 1\n'],
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_comments_and_space_do_not_count(name):
    first, second = SAME[name]
    assert content(name, first.encode()) == content(name, second.encode())


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("a.rs", "let a = 1;", "let a = 2;"),
        ("a.rs", "a - -b", "a--b"),
        ("a.rs", 'f("a // b")', 'f("a // c")'),
        ("a.rs", 'f(" a")', 'f("a")'),
        ("a.rs", "let c = '\"'; // x", "let c = '\"'; g() // x"),
        ("a.rs", "f::<'a>(1) // '", "f::<'b>(1) // '"),
        ("a.c", "#define A 1\nint a;", "#define A 1 int a;"),
        ("a.c", "#define A(x) x", "#define A (x) x"),
        ("a.c", "'/*' 1", "'/*' 2"),
        ("a.toml", "a = 1\nb = 2", "a = 1\nb = 3"),
        ("a.py", "def f(): return 1", "def f(): return 2"),
        ("a.py", "if a:\n    b()\n    c()", "if a:\n    b()\nc()"),
        ("a.py", "if a:", "if a :"),
        ("a.cpp", "int a = 1'000;", "int a = 1'001;"),
        ("a.txt", "a b", "a  b"),
    ],
)
def test_code_counts(name, one, other):
    assert content(name, one.encode()) != content(name, other.encode())
