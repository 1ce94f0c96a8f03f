"""Programs of several files: what is part of a point, and what is refused."""

import json
import os
from pathlib import Path

import pytest
from weft.config import load_experiments
from weft.plan import expand

HEAD = "engines: [rdma]\ntopology: {nodes: 8}\nworkload:\n  kind: program\n  program:\n"
PROGRAM = (
    HEAD + "    sources: [app/main.c, app/grid.c]\n    include: [app/include]\n"
    "    defines: {N: 4, DEBUG: null}\n    flags: [-O3, -lblas]\n"
)
FILES = {
    "app/main.c": '#include <stdio.h>\n#include "grid.h"\n#include <mpi.h>\n',
    "app/grid.c": '#include "own.h"\n',
    "app/own.h": "int own;\n",
    "app/include/grid.h": '# include "below/deep.h"\n',
    "app/include/below/deep.h": "int deep;\n",
    "app/include/unused.h": "int unused;\n",
    "app/cpp.cpp": "int cpp;\n",
}


@pytest.fixture(autouse=True)
def files(tree):
    """The files of a program, and what the shipped group of workloads has removed."""
    for name, text in FILES.items():
        path = tree.configs / "experiment" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tree.write("workload/uniform.yaml", "kind: program\n")


def spec(tree, body):
    tree.experiment(body)
    (point,) = expand(tree.load())
    return point.spec["workload"]


def test_a_point_has_everything_that_the_compiler_may_see(tree):
    found = spec(tree, PROGRAM)
    build = found["build"]
    assert found["program"] == "main"
    assert found["source"] == "configs/experiment/app/main.c"
    seen = {path.removeprefix("configs/experiment/") for path, _ in build["files"]}
    assert seen == {*FILES} - {"app/include/unused.h", "app/cpp.cpp"}
    assert build["root"] == "."
    assert build["include"] == ["configs/experiment/app/include"]
    assert build["defines"] == ["DEBUG", "N=4"]
    assert build["flags"] == ["-O3", "-lblas"]
    assert build["language"] == "c"


@pytest.mark.parametrize(
    ("name", "counts"), [("app/include/below/deep.h", True), ("app/include/unused.h", False)]
)
def test_a_header_counts_if_a_file_includes_it(tree, name, counts):
    tree.experiment(PROGRAM)
    (before,) = expand(tree.load())
    (tree.configs / "experiment" / name).write_text("int other;\n")
    (after,) = expand(tree.load())
    assert (before.point_id != after.point_id) == counts


def test_a_name_that_a_macro_holds_may_mean_every_header(tree):
    (tree.configs / "experiment/app/grid.c").write_text("#include WHICH\n")
    paths = [path for path, _ in spec(tree, PROGRAM)["build"]["files"]]
    assert "configs/experiment/app/include/unused.h" in paths


def test_cpp_and_c_make_one_program_of_cpp(tree):
    found = spec(tree, HEAD + "    name: waves\n    sources: [app/cpp.cpp, app/grid.c]\n")
    assert found["build"]["language"] == "c++"
    assert found["program"] == "waves"


def test_files_outside_of_the_project_count_from_the_experiment(tree, tmp_path_factory):
    mine: Path = tmp_path_factory.mktemp("mine")
    (mine / "experiment").mkdir()
    (mine / "experiment" / "x.c").write_text('#include "../x.h"\n')
    (mine / "x.h").write_text("int x;\n")
    body = (
        "title: Mine\nquestion: Q?\nengines: [rdma]\n"
        "defaults: [override /workload: pingpong, override /network: opennsim_table3]\n"
        "workload: {program: {sources: [x.c]}, message_size: null}\n"
    )
    (mine / "experiment" / "own.yaml").write_text(body)
    (found,) = load_experiments(tree.configs, ["own"], search_path=[mine])
    (text,) = expand(found).shared("workload")
    build = json.loads(text)["build"]
    assert build["root"] == os.path.relpath(mine.resolve(), tree.root.resolve())
    assert [path for path, _ in build["files"]] == ["experiment/x.c", "x.h"]


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        ("sources: [app/mane.c]", "sources[0]", ["there is no file app/mane.c", "'app/main.c'?"]),
        ("sources: [/etc/x.c]", "sources[0]", ["'/etc/x.c' leads out of the project"]),
        ("sources: [../../../x.c]", "sources[0]", ["leads out of"]),
        ("sources: [app/main.txt]", "sources[0]", ["says no language", ".c, .cc, .cpp"]),
        ("sources: []", "sources", ["at least 1"]),
        ("sources: [app/grid.c, app/grid.c]", "", ["sources names app/grid.c twice"]),
        ("include: [app/inc]", "include[0]", ["no folder app/inc", "did you mean 'app/include'?"]),
        ("flags: [-fplugin=x.so]", "flags[0]", ["'-fplugin=x.so' is not allowed", "allowed: -O…"]),
        ("flags: [-B/opt]", "flags[0]", ["'-B/opt' is not allowed"]),
        ("flags: [-specs=x]", "flags[0]", ["is not allowed"]),
        ("flags: [-wrapper]", "flags[0]", ["is not allowed"]),
        ("flags: ['@file']", "flags[0]", ["is not allowed"]),
        ("flags: ['-Wl,-rpath=/opt']", "flags[0]", ["is not allowed"]),
        ("flags: [-include/etc/passwd]", "flags[0]", ["is not allowed"]),
        ("flags: ['-l:/opt/x.so']", "flags[0]", ["is not allowed"]),
        ("flags: [-O3, -I/usr]", "flags[1]", ["list the folder under include"]),
        ("flags: [-DN=4]", "flags[0]", ["write it under defines"]),
        ("flags: [-march=native]", "flags[0]", ["name the processor"]),
        ("flags: [-fopemp]", "flags[0]", ["did you mean '-fopenmp'?"]),
        ("defines: {N: true}", "defines.N", ["write 1 or 0"]),
        ("defines: {2N: 1}", "", ["'2N' is not the name of a macro"]),
        ("defines: {MGEN_X: 1}", "", ["belong to weft"]),
        ("language: c++", "", ["no source is C++", ".cpp"]),
        ("language: fortran", "", ["no source is Fortran", ".f90"]),
        ("sources: [app/cpp.cpp, app/solve.f90]", "", ["no program of both C++ and Fortran"]),
        ("languagee: c", "languagee", ["did you mean 'language'?"]),
    ],
)
def test_what_is_wrong_is_named_with_its_key(tree, body, key, words):
    sources = "" if body.startswith("sources") else "    sources: [app/grid.c]\n"
    tree.experiment(f"{HEAD}{sources}    {body}\n")
    error = tree.error()
    assert error.key == f"workload.program{'.' if key else ''}{key}"
    assert error.mark is not None
    for each in words:
        assert each in error.message


def test_c_that_is_cpp_is_named(tree):
    tree.experiment(f"{HEAD}    sources: [app/cpp.cpp]\n    language: c\n")
    assert tree.error().message == "language is c, but app/cpp.cpp is C++; write c++"


def test_an_absolute_include_is_refused_with_its_line(tree):
    (tree.configs / "experiment/app/grid.c").write_text('int a;\n#include "/etc/passwd"\n')
    tree.experiment(PROGRAM)
    assert "configs/experiment/app/grid.c line 2 includes /etc/passwd" in tree.error().message


def test_formulas_answer_no_program_of_several_files(tree):
    tree.experiment(PROGRAM.replace("[rdma]", "[model]"))
    assert "model answers programs of weft by their names" in tree.error().message
