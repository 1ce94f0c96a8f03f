"""The suites of the long tier, and what each covers: patterns of Git from the project's folder."""

SIMULATORS = ("simulators", ":(exclude)simulators/*/tests")

SUITES: dict[str, tuple[str, ...]] = {
    # A cluster runs everything, but looks at no page.
    "cluster": (
        *SIMULATORS,
        *("Snakefile", "workflow", ":(exclude)workflow/weft/report", "profiles", "configs"),
        *("containers", "envs", "hardware", "programs"),
        *("tests/cluster", "tests/containers_support.py", "tests/hardware/conftest.py"),
    ),
    "network_survey": ("simulators/*.rs", "simulators/*.toml", "simulators/Cargo.lock"),
}
