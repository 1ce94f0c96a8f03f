"""A file name where weft takes the name of a program: the message has the form for files."""

import pytest

HEAD = "engines: [rdma]\ntopology: {nodes: 8}\nworkload:\n  kind: program\n  program: "


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("x.c", "got 'x.c'; write x, or {name: x, sources: [x.c]}"),
        ("own/x 2.cpp", "got 'own/x 2.cpp'; write {name: x_2, sources: [own/x 2.cpp]}"),
        ("[a.c, b.c]", "a name, or a section; write {name: a, sources: [a.c, b.c]}"),
        # Several programs, and what is no source.
        ("[barrier, pingpong]", "several values stand below sweep, as workload.program"),
        ("x.txt", "got 'x.txt'"),
    ],
)
def test_a_file_is_no_name_of_a_program(tree, written, message):
    tree.write("workload/uniform.yaml", "kind: program\n")
    tree.refuses(f"{HEAD}{written}\n", "workload.program", message)
    assert ("sources" in tree.error().message) == ("sources" in message)
