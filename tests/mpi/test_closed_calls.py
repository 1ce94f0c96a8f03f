"""Every call that mpi.h declares is refused while MPI is closed, but for those of the standard."""

import os
import re
import subprocess

import pytest
from weft.engines.hardware.site import read_site
from weft.machine import MachineFile

from tests.mpi.test_conformance import that_does
from tests.patience import PATIENCE_S
from tests.programs.simulator import NETWORK, OPTIONS, ROOT, run_shard, simulated

pytestmark = pytest.mark.slow

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARED = re.compile(r"^(?:int|double|MPI_Aint) (MPI_\w+)\(([^;]*)\);", re.MULTILINE)
#: Table 9 of MPI 4.1, and what has no effect beside its arguments.
AT_ANY_TIME = {
    *("MPI_Initialized", "MPI_Finalized", "MPI_Get_version", "MPI_Get_library_version"),
    *("MPI_Errhandler_free", "MPI_Error_class", "MPI_Error_string", "MPI_Add_error_class"),
    *("MPI_Add_error_code", "MPI_Add_error_string", "MPI_Status_c2f", "MPI_Status_f2c"),
}
OF_A_KIND = ("MPI_Info_", "MPI_T_")
#: They open MPI; MPI_Abort ends the program.
OTHERS = {"MPI_Init", "MPI_Init_thread", "MPI_Session_init", "MPI_Abort"}
#: A call that the message names in place of one that is the same.
INNER = {"MPI_Irsend": "MPI_Isend", "MPI_Rsend": "MPI_Send"}
HANDLES = {
    **{"MPI_Comm": "MPI_COMM_WORLD", "MPI_Datatype": "MPI_INT", "MPI_Op": "MPI_SUM"},
    **{"MPI_Group": "MPI_GROUP_EMPTY", "MPI_Errhandler": "MPI_ERRORS_RETURN"},
}
BEFORE, AFTER = "it is called before MPI_Init", "it is called after MPI_Finalize"


def parameters(text: str) -> list[str]:
    """Parameters of a declaration, without those that it names by dots."""
    parts, depth = [""], 0
    for letter in re.sub(r"\s+", " ", text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip() not in ("void", "...")]


def argument(parameter: str) -> str:
    """What a call that works may be given: memory of zeros, an object of MPI, 0."""
    of_type = parameter.removeprefix("const ").split(" ")[0]
    if "_function" in parameter:
        return "0"
    return "(void *)room" if "*" in parameter or "[" in parameter else HANDLES.get(of_type, "0")


def declared() -> dict[str, str]:
    """Each call with arguments, by its name."""
    calls = {}
    for header in sorted((ROOT / "programs" / "include").glob("*.h")):
        for name, text in DECLARED.findall(COMMENT.sub("", header.read_text())):
            calls[name] = f"{name}({', '.join(map(argument, parameters(text)))})"
    return calls


def closed() -> dict[str, str]:
    """Those that are refused."""
    calls = declared()
    allowed = {name for name in calls if name in AT_ANY_TIME or name.startswith(OF_A_KIND)}
    assert calls.keys() >= AT_ANY_TIME
    return {name: calls[name] for name in calls if name not in allowed | OTHERS}


#: The first argument is the number of the call; the second one says when it is made.
PROGRAM = """#include <mpi.h>
#include <stdlib.h>
static long room[4096];
int main(int argc, char **argv) {{
    if (argc > 2) {{ MPI_Init(&argc, &argv); MPI_Finalize(); }}
    switch (atoi(argv[1])) {{
    {}
    }}
    return 0;
}}
"""


def test_every_call_is_refused_before_init_and_after_finalize(tmp_path):
    calls = closed()
    assert len(calls) > 300
    cases = [f"case {i}: {call}; break;" for i, call in enumerate(calls.values())]
    source = tmp_path / "closed.c"
    source.write_text(PROGRAM.format("\n    ".join(cases)))
    points = []
    for number, name in enumerate(calls):
        for when, arguments in ((BEFORE, []), (AFTER, ["late"])):
            workload = {"kind": "program", "program": "closed", "source": str(source), "ranks": 1}
            workload |= {"message_bytes": None, "input": None}
            workload["arguments"] = [str(number), *arguments]
            point = {"point_id": f"{name}: {when}", "digest": f"{number} {when}", "seed": 1}
            point |= {"engine": "rdma", "network": NETWORK, "options": OPTIONS}
            point |= {"topology": {"kind": "crossbar", "nodes": 1}, "workload": workload}
            points.append(point)
    lines, _ = run_shard(tmp_path, "rdma", points)
    wrong = []
    for line in lines:
        name, _, when = line["point_id"].partition(": ")
        if f"rank 0: {INNER.get(name, name)}: {when}" not in (line["error"] or ""):
            wrong.append((line["point_id"], line["status"], line["error"]))
    assert len(lines) == len(points)
    assert not wrong


#: What the standard allows at any time, with arguments that work.
ALLOWED = """MPI_Info info, copy; char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Errhandler handler = MPI_ERRORS_RETURN; int one, other;
    MPI_Initialized(&one); MPI_Finalized(&one); MPI_Get_version(&one, &other);
    MPI_Get_library_version(text, &one); MPI_Info_create(&info); MPI_Info_set(info, "a", "b");
    MPI_Info_get(info, "a", 1, text, &one); MPI_Info_get_valuelen(info, "a", &one, &other);
    MPI_Info_get_nkeys(info, &one); MPI_Info_get_nthkey(info, 0, text); MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "a"); MPI_Info_free(&info); MPI_Info_free(&copy);
    MPI_Error_class(MPI_ERR_ARG, &one); MPI_Error_string(MPI_ERR_ARG, text, &one);
    (void)handler, (void)other;"""
#: MPICH 5.0 refuses the first four, and crashes in the others after MPI_Finalize.
OF_WEFT = """MPI_Errhandler_free(&handler); MPI_Add_error_class(&one);
    MPI_Add_error_code(one, &other); MPI_Add_error_string(other, "text");
    MPI_T_init_thread(0, &one); MPI_T_cvar_get_num(&one); MPI_T_finalize();"""


def at_any_time(calls: str) -> str:
    """They are made before MPI_Init and after MPI_Finalize."""
    return f"static void allowed(void) {{ {calls} }}\n"


FIRST = "__attribute__((constructor)) static void first(void) { allowed(); }\n"
#: Sessions open MPI without MPI_Init, and MPI_Finalize does not close it for them.
SESSIONS = """MPI_Session session; MPI_Group group; MPI_Comm comm; MPI_Datatype pair; int one;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Finalize();
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_size(group, &one);
    MPI_Comm_create_from_group(group, "", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Type_contiguous(2, MPI_INT, &pair); MPI_Type_commit(&pair); MPI_Type_size(pair, &one);
    MPI_Barrier(comm); MPI_Wtime(); MPI_Type_free(&pair); MPI_Comm_free(&comm);
    MPI_Group_free(&group); MPI_Session_finalize(&session); return one != 8;"""


def test_what_the_standard_allows_works_at_any_time(tmp_path):
    before = at_any_time(f"{ALLOWED} {OF_WEFT}") + FIRST
    simulated(tmp_path, that_does("MPI_Finalize(); allowed(); return 0;", tmp_path, before), 2)


def test_an_open_session_keeps_mpi_open(tmp_path):
    simulated(tmp_path, that_does(SESSIONS, tmp_path), 2)
    late = SESSIONS.replace("return one", "MPI_Type_size(MPI_INT, &one); return one")
    with pytest.raises(AssertionError, match=f"MPI_Type_size: {AFTER}"):
        simulated(tmp_path, that_does(late, tmp_path), 2)


#: Some of those that MPICH refuses, too.
SAMPLE = [
    *("MPI_Wtime", "MPI_Wtick", "MPI_Aint_add", "MPI_Get_address", "MPI_Type_size", "MPI_Pcontrol"),
    *("MPI_Group_size", "MPI_Comm_get_name", "MPI_Dims_create", "MPI_Get_processor_name"),
    *("MPI_Comm_create_errhandler", "MPI_Comm_create_keyval", "MPI_Op_create", "MPI_Alloc_mem"),
    *("MPI_Query_thread", "MPI_Buffer_attach", "MPI_Test_cancelled", "MPI_Status_set_elements"),
]


def test_mpich_refuses_and_allows_the_same(tmp_path):
    site, calls = read_site(MachineFile()), declared()
    cases = [f"case {i}: {calls[name]}; break;" for i, name in enumerate(SAMPLE)]
    cases.append(f"default: {ALLOWED}")
    source, program = tmp_path / "closed.c", tmp_path / "program"
    source.write_text(PROGRAM.format("\n    ".join(cases)))
    compiler = [site.mpicc, "-w", "-o", program, source]
    subprocess.run(compiler, check=True, timeout=PATIENCE_S)
    for late in ([], ["late"]):
        for number, name in enumerate([*SAMPLE, "allowed"]):
            command = [program, str(number), *late]
            ran = subprocess.run(
                command, capture_output=True, text=True, timeout=PATIENCE_S, env=dict(os.environ)
            )
            assert (ran.returncode == 0) == (name == "allowed"), name
            said = "before initializing or after finalizing" in ran.stderr + ran.stdout
            assert said == (name != "allowed"), name
