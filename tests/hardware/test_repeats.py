"""Repeats of a point are measured after those of the others, so that a drift affects all alike."""

from weft.engines.hardware.repeats import repeats_in_turn


def point(program: str, seed: int) -> dict[str, object]:
    name = f"{program}-{seed}"
    return {
        "point_id": name,
        "digest": name,
        "seed": seed,
        "workload": {"program": program, "ranks": 2},
    }


def test_every_point_is_measured_once_before_any_is_repeated() -> None:
    points = [point(program, seed) for program in ("pingpong", "bcast") for seed in (7, 8, 9)]
    found = [each["point_id"] for each in repeats_in_turn(points)]
    assert found == [f"{p}-{s}" for s in (7, 8, 9) for p in ("pingpong", "bcast")]


def test_points_without_repeats_keep_their_order() -> None:
    points = [point(program, 7) for program in ("pingpong", "bcast", "alltoall")]
    assert repeats_in_turn(points) == points
