"""What all alternatives share in their names is said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from answer_samples import LINE, one_engine, sentences, stored

pytestmark = pytest.mark.slow
TIMES = one_engine(("mesh", 4, 2e-6), ("torus", 4, 1e-6), ("mesh", 8, 6e-6), ("torus", 8, 2e-6))


def answer_of(folder: Path, mesh: str, torus: str) -> str:
    variants = [[mesh, {"topology.kind": "mesh"}], [torus, {"topology.kind": "torus"}]]
    asked = {"kind": "best", "of": "makespan_s", "among": "variant", "over": "topology.k"}
    built = stored(folder, TIMES, [{"line": LINE}], variants=variants, answer=[asked])
    (text,) = sentences(built)
    return text


def test_endings_that_all_names_share_stand_before_the_sentence(tmp_path: Path) -> None:
    assert answer_of(tmp_path, "bitmap, mpich, 8 members", "split, mpich, 8 members") == (
        "For mpich, 8 members: split has the lowest completion time at both values of k, ahead of"
        " bitmap by ×2.00 to ×3.00."
    )


def test_names_that_differ_in_their_last_part_stay_whole(tmp_path: Path) -> None:
    text = answer_of(tmp_path, "bitmap, 8 members", "bitmap, 64 members")
    assert text.startswith("bitmap, 64 members has the lowest completion time")
