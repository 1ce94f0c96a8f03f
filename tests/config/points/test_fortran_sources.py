"""Sources of Fortran: modules are compiled before what uses them, and included files count."""

import pytest
from weft.config.points.fortran import in_order, included


def test_a_module_comes_before_what_uses_it():
    texts = {
        "a.f90": b"program a\n  USE, non_intrinsic :: grid, only: n\n  use :: solver\nend\n",
        "b.f90": b"module solver\n  use grid\ncontains\n  module procedure x\nend module solver\n",
        "c.f90": b"Module Grid\n  use mpi\n  integer :: n\nend module\n",
        "d.f90": b"submodule (solver) parts\nend submodule\n",
    }
    assert in_order(sorted(texts), texts) == ["c.f90", "b.f90", "a.f90", "d.f90"]
    assert in_order(["d.f90", "a.f90", "b.f90", "c.f90"], texts)[:3] == ["c.f90", "b.f90", "d.f90"]


def test_modules_that_use_each_other_are_left_to_the_compiler():
    texts = {"a.f90": b"module a\nuse b\nend\n", "b.f90": b"module b\nuse a\nend\n"}
    assert in_order(["a.f90", "b.f90"], texts) == ["b.f90", "a.f90"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        (b"      include 'mpif.h'\n", ["mpif.h"]),
        (b'  INCLUDE "common/sizes.inc" ! sizes\n', ["common/sizes.inc"]),
        (b"  call include('x')\n", []),
        (b"! include 'x'\n", []),
    ],
)
def test_lines_that_include_are_found(line, names):
    assert [name for _, name in included(line)] == names
