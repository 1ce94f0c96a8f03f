"""A memory limit of a control group is read before the kernel kills for it, in both versions."""

from pathlib import Path

import pytest
from weft.profile import control_group


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        pytest.param(
            "4:memory:/job/step\n1:cpu:/job\n",
            {
                "memory/job/step/memory.limit_in_bytes": "9223372036854771712\n",
                "memory/job/memory.limit_in_bytes": "200000000\n",
            },
            200_000_000,
            id="that of a group around it, in version 1",
        ),
        pytest.param(
            "0::/user.slice\n",
            {"user.slice/memory.max": "max\n", "memory.max": "300000000\n"},
            300_000_000,
            id="that of a container, in version 2",
        ),
        pytest.param("0::/\n", {}, None, id="none"),
    ],
)
def test_the_smallest_limit_is_found(
    tmp_path: Path, groups: str, limits: dict[str, str], expected: int | None
) -> None:
    (tmp_path / "cgroup").write_text(groups)
    for name, text in limits.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert control_group.memory_limit_bytes(tmp_path / "cgroup", tmp_path) == expected


def test_too_low_a_limit_ends_the_command_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_group, "memory_limit_bytes", lambda: 200_000_000)
    with pytest.raises(SystemExit, match=r"a limit of 200 MB .* nothing was run"):
        control_group.check_control_group()
