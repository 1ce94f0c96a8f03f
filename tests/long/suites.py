"""The suites of the long tier, and what each covers: patterns of Git from the project's folder."""


def crates(*names: str) -> tuple[str, ...]:
    """The code of crates, what it depends on, and how it is compiled."""
    sources = (f"simulators/{name}/{part}" for name in names for part in ("src", "build.rs"))
    return (*sources, "simulators/*Cargo.toml", "simulators/Cargo.lock")


def package(*names: str) -> tuple[str, ...]:
    """Layers of the package."""
    return tuple(f"workflow/weft/{name}" for name in names)


#: What several crates simulate with.
NETWORKS = crates("fabric", "workload", "engine", "ranks", "programs", "mpi", "packet")
#: Where a job runs and what becomes of it. What points are asked for, and how pages show answers,
#: is the same on one machine, where the other tests run.
JOBS = (
    *crates("engine", "ranks"),
    *("simulators/*/src/main.rs", "hardware", "programs/include", "programs/lib"),
    *("programs/pingpong.c", "programs/alltoall.c"),
    *("Snakefile", "workflow/rules", "workflow/scripts", "workflow/snakemake_*"),
    *package("files", "machine", "plan", "images", "scheduler", "engines", "database", "prepare"),
    ":(exclude)workflow/weft/engines/booksim",
    *("configs/machine", "configs/engine", "envs/requirements.txt"),
    *("tests/cluster/cluster", "tests/cluster/configuration.sh", "tests/cluster/conftest.py"),
)

SUITES: dict[str, tuple[str, ...]] = {
    "booksim2": (*NETWORKS, "simulators/packet/tests"),
    "cluster": (
        *JOBS,
        *("profiles", "containers", "envs/*.apt.lock", "envs/install_apptainer"),
        *("tests/cluster", ":(exclude)tests/cluster/*grid_engine*"),
        *("tests/containers_support.py", "tests/hardware/conftest.py"),
    ),
    # Its packages are not on every machine that has Slurm's, so it is recorded apart.
    "grid_engine": (*JOBS, "profiles/cluster", "tests/cluster/*grid_engine*"),
    # How images are built: whether two builds are the same does not depend on what an image holds.
    "image_builds": (
        *("containers", ":(exclude)containers/images.lock", "envs/*.apt.lock"),
        *("simulators/*Cargo.toml", "simulators/Cargo.lock", "simulators/*/build.rs"),
        *package("images", "files"),
        *("tests/images/test_same_builds.py", "tests/images/conftest.py"),
        "tests/containers_support.py",
    ),
    "network_survey": (*NETWORKS, *crates("rdma"), "simulators/rdma/tests"),
    "topology_recipe": (
        *("simulators", "docs/extending.md", "docs/topologies.md", "configs/topology"),
        *("workflow/weft/config", "workflow/weft/plan"),
        *("tests/long/test_topology_recipe.py", "tests/long/new_topology"),
    ),
}
