"""MPI libraries read the tables: the algorithm that a table names is the one that runs.

Functions of the library are wrapped, and say that they were called: those of Open MPI by the
dynamic linker, those of MPICH, which hides them in its shared library, where its static one is
linked.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from weft.tuning import mpich, openmpi
from weft.tuning.switch_points import Bucket, Step

from tests.missing import missing
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.long("library_files")]
SOURCE = Path(__file__).with_name("collectives.c")
ARGUMENTS = [f"void *a{n}" for n in range(12)]
PASSED = ", ".join(f"a{n}" for n in range(12))
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
}  # fmt: skip


def table(few: str, small: str, large: str) -> list[Bucket]:
    """Up to three ranks always `few`; more ranks `small` up to 1,024 bytes, and `large` above."""
    return [
        Bucket(2, 3, (Step(None, few),)),
        Bucket(4, None, (Step(1024, small), Step(None, large))),
    ]


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        missing(f"{name} is not installed")
    return found


def run(command: Sequence[object], more: Mapping[str, str] = {}) -> str:
    environment = {**os.environ, **ENVIRONMENT, **more}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE_S, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def used(text: str, ranks: int) -> set[str]:
    """The functions that every rank has called."""
    lines = re.findall(r"^used (\w+)$", text, re.MULTILINE)
    return {name for name in lines if lines.count(name) >= ranks}


OF_OPENMPI = {
    ("allgather", "bruck"): "allgather_intra_bruck",
    ("allgather", "recursive_doubling"): "allgather_intra_recursivedoubling",
    ("allgather", "ring"): "allgather_intra_ring",
    ("allgather", "neighbor_exchange"): "allgather_intra_neighborexchange",
    ("allreduce", "linear"): "allreduce_intra_basic_linear",
    ("allreduce", "reduce_bcast"): "allreduce_intra_nonoverlapping",
    ("allreduce", "recursive_doubling"): "allreduce_intra_recursivedoubling",
    ("allreduce", "ring"): "allreduce_intra_ring",
    ("allreduce", "rabenseifner"): "allreduce_intra_redscat_allgather",
    ("alltoall", "linear"): "alltoall_intra_basic_linear",
    ("alltoall", "ring"): "alltoall_intra_pairwise",
    ("alltoall", "bruck"): "alltoall_intra_bruck",
    ("bcast", "linear"): "bcast_intra_basic_linear",
    ("bcast", "chain"): "bcast_intra_chain",
    ("bcast", "split_binary"): "bcast_intra_split_bintree",
    ("bcast", "binary"): "bcast_intra_bintree",
    ("bcast", "binomial"): "bcast_intra_binomial",
    ("bcast", "knomial"): "bcast_intra_knomial",
    ("bcast", "scatter_allgather"): "bcast_intra_scatter_allgather",
    ("bcast", "scatter_ring_allgather"): "bcast_intra_scatter_allgather_ring",
    ("reduce", "linear"): "reduce_intra_basic_linear",
    ("reduce", "chain"): "reduce_intra_chain",
    ("reduce", "binary"): "reduce_intra_binary",
    ("reduce", "binomial"): "reduce_intra_binomial",
    ("reduce", "in_order_binary"): "reduce_intra_in_order_binary",
    ("reduce", "rabenseifner"): "reduce_intra_redscat_gather",
}
#: Each algorithm of Open MPI at least once: for few ranks, small and large messages.
IN_OPENMPI = [
    ("allgather", ("bruck", "recursive_doubling", "ring")),
    ("allgather", ("ring", "neighbor_exchange", "bruck")),
    ("allreduce", ("linear", "reduce_bcast", "recursive_doubling")),
    ("allreduce", ("recursive_doubling", "ring", "rabenseifner")),
    ("alltoall", ("linear", "ring", "bruck")),
    ("bcast", ("linear", "chain", "split_binary")),
    ("bcast", ("binary", "binomial", "knomial")),
    ("bcast", ("binomial", "scatter_allgather", "scatter_ring_allgather")),
    ("reduce", ("linear", "chain", "binary")),
    ("reduce", ("binomial", "in_order_binary", "rabenseifner")),
]
#: Ranks, bytes, and which of the three a table of `table` names there.
PLACES = [(3, 8, 0), (3, 4096, 0), (4, 1024, 1), (4, 1032, 2), (5, 8, 1)]


@pytest.fixture(scope="module")
def openmpi_program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("openmpi")
    run([tool("mpicc.openmpi"), SOURCE, "-o", folder / "program"])
    names = [f"ompi_coll_base_{name}" for name in OF_OPENMPI.values()]
    source = ["#define _GNU_SOURCE", "#include <dlfcn.h>", "#include <stdio.h>"]
    source.append(f"typedef int (*function)({', '.join(ARGUMENTS)});")
    source += [
        f"int {name}({', '.join(ARGUMENTS)}) {{\n"
        f'    fprintf(stderr, "used {name}\\n");\n'
        f'    return ((function)dlsym(RTLD_NEXT, "{name}"))({PASSED});\n}}'
        for name in names
    ]
    (folder / "wrapped.c").write_text("\n".join(source) + "\n")
    run(["gcc", "-shared", "-fPIC", folder / "wrapped.c", "-o", folder / "wrapped.so", "-ldl"])
    return folder / "program", folder / "wrapped.so"


@pytest.mark.parametrize(("collective", "choices"), IN_OPENMPI)
def test_open_mpi_takes_the_algorithm_of_the_table(
    collective: str,
    choices: tuple[str, str, str],
    openmpi_program: tuple[Path, Path],
    tmp_path: Path,
) -> None:
    program, wrapped = openmpi_program
    rules = tmp_path / "x.openmpi.rules"
    rules.write_text(openmpi.dynamic_rules({collective: table(*choices)}))
    for ranks, size, which in PLACES:
        command = [
            *(tool("mpiexec.openmpi"), "-x", f"LD_PRELOAD={wrapped}", "-n", ranks),
            *("--mca", "coll_tuned_use_dynamic_rules", 1),
            *("--mca", "coll_tuned_dynamic_rules_filename", rules, program, collective, size),
        ]
        name = OF_OPENMPI[collective, choices[which]]
        assert f"ompi_coll_base_{name}" in used(run(command), ranks), (ranks, size)


def test_messages_to_each_rank_are_those_of_the_table(
    openmpi_program: tuple[Path, Path], tmp_path: Path
) -> None:
    """Open MPI's own count of messages and bytes, without any function of ours."""
    program, _ = openmpi_program
    sent = {}
    for choice in ("linear", "chain"):
        rules = tmp_path / f"{choice}.rules"
        rules.write_text(openmpi.dynamic_rules({"bcast": table(choice, choice, choice)}))
        run([
            *(tool("mpiexec.openmpi"), "-n", 4),
            *("--mca", "coll_tuned_use_dynamic_rules", 1),
            *("--mca", "coll_tuned_dynamic_rules_filename", rules),
            *("--mca", "pml_monitoring_enable", 2, "--mca", "pml_monitoring_enable_output", 3),
            *("--mca", "pml_monitoring_filename", tmp_path / choice, program, "bcast", 65536),
        ])  # fmt: skip
        sent[choice] = {
            (int(source), int(target))
            for path in tmp_path.glob(f"{choice}.*.prof")
            for source, target, size in re.findall(
                r"^[EI]\t(\d+)\t(\d+)\t(\d+) bytes", path.read_text(), re.MULTILINE
            )
            if int(size) >= 65536
        }
    assert sent["linear"] == {(0, 1), (0, 2), (0, 3)}
    # coll_tuned_bcast_algorithm_chain_fanout is 4: with four ranks, each chain has one rank.
    assert sent["chain"] <= {(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)}


def leaves(tree: mpich.Tree) -> set[str]:
    found = set()
    for key, below in tree.items():
        found |= leaves(below) or {key.removeprefix("algorithm=")}
    return found


MPICH_LIBRARY = Path("/usr/lib/x86_64-linux-gnu/libmpich.a")
#: What the names of MPICH's functions are for the algorithms of the table.
IN_MPICH = [
    ("allgather", ("bruck", "recursive_doubling", "ring")),
    ("allreduce", ("rabenseifner", "recursive_doubling", "rabenseifner")),
    ("alltoall", ("bruck", "scattered", "pairwise")),
    ("bcast", ("scatter_ring_allgather", "scatter_allgather", "binomial")),
    ("reduce", ("rabenseifner", "binomial", "rabenseifner")),
]


def shared_mpich() -> bytes:
    path = MPICH_LIBRARY.with_suffix(".so")
    if not path.is_file():
        missing(f"{path} is not installed")
    return path.read_bytes()


@pytest.fixture(scope="module")
def mpich_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mpich")
    if not MPICH_LIBRARY.is_file():
        missing(f"{MPICH_LIBRARY} is not installed")
    trees = [tree for choices in mpich.ALGORITHMS.values() for tree in choices.values()]
    names = sorted(set().union(*map(leaves, trees)))
    source = ["#include <stdio.h>"]
    source += [
        f"int __real_{name}({', '.join(ARGUMENTS)});\n"
        f"int __wrap_{name}({', '.join(ARGUMENTS)}) {{\n"
        f'    fprintf(stderr, "used {name}\\n");\n'
        f"    return __real_{name}({PASSED});\n}}"
        for name in names
    ]
    (folder / "wrapped.c").write_text("\n".join(source) + "\n")
    objects = [folder / "program.o", folder / "wrapped.o"]
    for path, out in zip((SOURCE, folder / "wrapped.c"), objects, strict=True):
        run([tool("mpicc.mpich"), "-c", path, "-o", out])
    wraps = [f"-Wl,--wrap={name}" for name in names]
    libraries = ["-lhwloc", "-lucp", "-lucs", "-lpthread", "-lm"]
    run(["gcc", *objects, *wraps, MPICH_LIBRARY, *libraries, "-o", folder / "program"])
    return folder / "program"


def function_of(collective: str, choice: str, ranks: int, size: int) -> str:
    """The leaf of the tree of `choice` for so many ranks and bytes of doubles."""
    tree = mpich.ALGORITHMS[collective][choice]
    power = 1 << (ranks.bit_length() - 1)
    branches = {
        "comm_size=pow2": ranks == power, "comm_size=any": ranks != power,
        "is_op_built_in=yes": True, "is_op_built_in=no": False,
        "count<pow2": size // 8 < power, "count=any": size // 8 >= power,
    }  # fmt: skip
    while len(tree) > 1 or next(iter(tree)).startswith(("comm", "count", "is_op")):
        tree = next(below for key, below in tree.items() if branches[key])
    return next(iter(tree)).removeprefix("algorithm=")


@pytest.mark.parametrize(("collective", "choices"), IN_MPICH)
def test_mpich_takes_the_algorithm_of_the_table(
    collective: str, choices: tuple[str, str, str], mpich_program: Path, tmp_path: Path
) -> None:
    base = mpich.built_in(shared_mpich())
    assert base is not None
    file = tmp_path / "x.mpich.json"
    file.write_text(json.dumps(mpich.tuning_file(base, {collective: table(*choices)})))
    chosen = {
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(file),
        # Otherwise the device may choose before the table does.
        "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
    }
    for ranks, size, which in PLACES:
        text = run([tool("mpiexec.mpich"), "-n", ranks, mpich_program, collective, size], chosen)
        wanted = function_of(collective, choices[which], ranks, size)
        assert wanted in used(text, ranks), (ranks, size)


def test_mpich_without_the_other_collectives_would_fail(
    mpich_program: Path, tmp_path: Path
) -> None:
    """Why the file holds the whole of the built-in table."""
    base = mpich.built_in(shared_mpich())
    assert base is not None
    whole = mpich.tuning_file(base, {"bcast": table("binomial", "binomial", "binomial")})
    assert set(whole) == set(base)
    file = tmp_path / "bcast_alone.json"
    file.write_text(json.dumps({key: whole[key] for key in whole if key == "collective=bcast"}))
    done = subprocess.run(
        [tool("mpiexec.mpich"), "-n", "2", mpich_program, "bcast", "8"],
        capture_output=True, text=True, timeout=PATIENCE_S,
        env={**os.environ, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(file),
             "MPIR_CVAR_DEVICE_COLLECTIVES": "none"},
    )  # fmt: skip
    assert done.returncode != 0
    assert "Assertion failed" in done.stderr


def test_both_libraries_have_only_some_of_the_algorithms() -> None:
    """What docs/tuning.md says of each library."""
    only = {
        collective: (set(openmpi.ALGORITHMS[collective]) - set(known),
                     set(known) - set(openmpi.ALGORITHMS[collective]))
        for collective, known in mpich.ALGORITHMS.items()
    }  # fmt: skip
    assert only == {
        "allgather": ({"neighbor_exchange"}, set()),
        "allreduce": ({"linear", "reduce_bcast", "ring"}, set()),
        "alltoall": ({"linear", "ring"}, {"pairwise", "scattered"}),
        "bcast": ({"binary", "chain", "knomial", "linear", "split_binary"}, set()),
        "reduce": ({"binary", "chain", "in_order_binary", "linear"}, set()),
    }
