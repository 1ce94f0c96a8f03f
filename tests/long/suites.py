"""The suites of the long tier, and what each covers: patterns of Git from the project's folder."""


def crates(*names: str) -> tuple[str, ...]:
    """The code of crates, what it depends on, and how it is compiled."""
    sources = (f"simulators/{name}/{part}" for name in names for part in ("src", "build.rs"))
    return (*sources, "simulators/*Cargo.toml", "simulators/Cargo.lock")


def package(*names: str) -> tuple[str, ...]:
    """Layers of the package."""
    return tuple(f"workflow/weft/{name}" for name in names)


def modules(layer: str, *names: str) -> tuple[str, ...]:
    """Modules of a layer of the package."""
    return tuple(f"workflow/weft/{layer}/{name}.py" for name in names)


#: Where a job runs and what becomes of it. What points are asked for, what rows are collected, and
#: how pages show answers is the same on one machine, where the other tests run.
JOBS = (
    *crates("engine", "ranks"),
    *("simulators/*/src/main.rs", "hardware", "programs/include", "programs/lib"),
    *("programs/pingpong.c", "programs/alltoall.c"),
    *("Snakefile", "workflow/rules", "workflow/scripts", "workflow/snakemake_*"),
    *package("machine", "images", "scheduler", "engines", "idle", "interrupt.py"),
    *(f":(exclude)workflow/weft/engines/{name}" for name in ("booksim", "simgrid", "smpi")),
    *modules("files", "lock", "put", "replace", "seal"),
    *modules("plan", "keep", "outcome", "outcomes", "pack"),
    *modules("database", "jobs", "failures"),
    *package("prepare/main.py"),
    *modules("prepare/jobs", "job_needs", "resources", "shard_images", "shortage"),
    *modules("prepare/plans", "attempts", "history", "planning"),
    *modules("prepare/state", "integrity"),
    *modules("prepare/rules", "schedule"),
    *("configs/machine", "configs/engine", "envs/requirements.txt"),
    *("tests/cluster/cluster", "tests/cluster/configuration.sh", "tests/cluster/conftest.py"),
    "tests/parent.py",
)

#: How a run is planned, and how its jobs start, end and are collected. What an experiment may say,
#: what an adapter of an engine does and what a page shows is tested by itself, with every change.
RUNS = (
    *("Snakefile", "workflow/rules", "workflow/scripts", "workflow/snakemake_*"),
    *package("profile", "prepare", "plan", "database", "tables", "progress", "files", "machine"),
    *package("scheduler", "engines", "idle", "images", "launch.py", "interrupt.py"),
    *modules("command", "checksums", "verify", "run"),
    *(f":(exclude)workflow/weft/engines/{name}" for name in ("booksim", "simgrid", "smpi")),
    *("profiles", "configs/config.yaml", "configs/engine", "configs/machine"),
    *("envs/requirements.txt", "simulators/engine/src", "simulators/*/src/main.rs"),
    *("tests/workflow", "tests/people.py", "tests/patience.py"),
)

#: What somebody sees of a run who starts it as a process. How it comes about is tested with `RUNS`.
STARTED = (
    *("Snakefile", "workflow/rules", "workflow/scripts"),
    *package("progress", "launch.py", "interrupt.py"),
    *modules("plan", "outcome", "plan", "model", "stored"),
    *modules("engines", "journal", "order", "shards"),
    *package("files/layout"),
    *modules("files", "lock", "put", "replace", "seal"),
    *("tests/workflow/conftest.py", "tests/patience.py"),
)

#: Every simulator.
SIMULATORS = (
    *("simulators/*/src/*", "simulators/*build.rs", "simulators/*Cargo.toml"),
    "simulators/Cargo.lock",
)

#: What compiles a program, and what runs it: every simulator, and an MPI.
PROGRAMS = (
    *SIMULATORS,
    *("hardware", "programs", "configs/engine", "configs/experiment/stencil"),
    *package("engines", "machine", "traces", "tables"),
    *modules("config/points", "places", "program_build"),
    *modules("config/model", "network", "program_files"),
    *modules("command", "compilers"),
    *("tests/programs", "tests/hardware", "tests/mpi", "tests/traces"),
)

#: A server, its workers, and people at browsers; of the package what these import, and the words of
#: a log that they read. What a worker starts as a process is tested with `RUNS` and with archives;
#: that it works for the service, from a submission to an archive, is tested with every change.
SERVICE = (
    *package("service", "confine", "progress", "interrupt.py"),
    # Like Snakemake's command a process that a worker starts.
    ":(exclude)workflow/weft/service/worker/planning.py",
    *modules("report/pages", "__init__", "job"),
    *modules("prepare/state", "killed_run"),
    *modules("scheduler", "ask"),
    *modules("engines", "journal", "order", "shards"),
    *modules("plan", "costs", "model", "outcome", "plan", "points", "spec", "stored"),
    *modules("files", "lock", "put", "replace", "seal", "layout/__init__"),
    *("configs/service", "envs/requirements.txt", "envs/service.txt"),
    *("tests/service", "tests/chromium.py", "tests/parent.py", "tests/patience.py"),
    "tests/workflow/conftest.py",
)

#: What people at browsers do has a suite of its own.
WITHOUT_BROWSER = (
    *(f":(exclude)tests/service/test_{name}.py" for name in ("*in_browser", "keyboard")),
    *(f":(exclude)tests/service/{name}.py" for name in ("walk", "screen")),
    ":(exclude)tests/chromium.py",
)

SUITES: dict[str, tuple[str, ...]] = {
    "archives": (
        *STARTED,
        *package("archive", "report/pages"),
        *modules("prepare/request", "archive_parts", "archive_source"),
        *modules("plan", "identity", "variant", "spec"),
        *("envs/requirements.txt", "tests/archive"),
    ),
    # Patterns and lists only: no program runs.
    "booksim2": (
        *crates("fabric", "workload", "engine", "packet"),
        *(f"simulators/packet/tests/integration/{name}" for name in ("booksim2", "common")),
    ),
    # What papers claim, the short forms that judge it, and what computes their answers.
    "claims": (
        *(*SIMULATORS, "programs/*.c", "programs/include", "programs/lib"),
        *("configs/paper", "configs/topology", "configs/network", "configs/workload"),
        *(f"configs/experiment/{name}_*" for name in ("anet", "mfs", "multicast", "nsim_ace")),
        "configs/experiment/opennsim_*",
        *modules("analysis", "bounds", "claims", "detected", "pulses", "wrong_answers"),
        *modules("database", "narrow", "reading", "views"),
        *("tests/analysis/test_paper_evidence.py", "tests/patience.py"),
    ),
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
        *package("images"),
        *modules("files", "lock", "replace"),
        *("tests/images/test_same_builds.py", "tests/images/conftest.py"),
        "tests/containers_support.py",
    ),
    # Recipes that add to the simulators: a topology, a table, an engine.
    "crate_recipes": (
        *crates("fabric", "workload", "engine", "flow", "packet", "catalogue"),
        *("simulators/fabric/tests", "simulators/packet/tests/integration/deadlock.rs"),
        *("simulators/packet/tests/integration/draining.rs", "simulators/rdma/src/wiring.rs"),
        *("docs/extending.md", "docs/topologies.md", "configs/topology", "workflow/weft/tables"),
        *("workflow/weft/config/model", "workflow/weft/config/generate"),
        *("tests/long/test_crate_recipes.py", "tests/long/new_*"),
    ),
    # A collection that is killed, and any changes of results.
    "database": (*package("database", "plan", "tables", "files", "scheduler"), "tests/database"),
    # What a reader types; what it computes and shows is tested elsewhere.
    "documents": (
        *("docs", "*.md", ":(exclude)CHANGELOG.md", "Makefile", "profiles"),
        *("Snakefile", "workflow/rules", "workflow/scripts"),
        *package("command", "profile", "prepare", "read", "archive", "launch.py"),
        *("tests/documented", "tests/documents.py"),
    ),
    # Graphs that weft exports, in its own simulators, and with the tables of another's tools.
    "exported_graphs": (
        *SIMULATORS,
        *package("config/graphs", "engines", "plan"),
        *modules("config/model", "catalogue", "topology", "topology_base", "topology_from_file"),
        *("configs/catalogue.json", "configs/topology", "tests/opensm"),
        "tests/engines/test_exported_graphs.py",
    ),
    # What planning refuses, and what simulators make of the rest; topologies are tried each time.
    "extreme_numbers": (
        *SIMULATORS,
        *package("config", "engines", "plan"),
        *("configs/catalogue.json", "configs/network", "configs/topology", "configs/workload"),
        *("tests/engines/test_extreme_*.py", "tests/config/conftest.py"),
    ),
    "figure_recipe": (
        *package("report", "config/model", "config/generate"),
        *("docs/extending.md", "pyproject.toml", "envs/checks.txt"),
        *("tests/report/*_samples.py", "tests/report/test_recipes.py"),
    ),
    # How an image is made and starts; its programs are tested without one.
    "images": (
        *("containers", ":(exclude)containers/images.lock", "envs/*.apt.lock"),
        *("Snakefile", "workflow/rules"),
        *(":(glob)workflow/weft/engines/*.py", *package("machine", "images", "doctor")),
        *modules("files", "lock", "put", "replace"),
        *modules("prepare/jobs", "shard_images", "job_needs"),
        *("tests/images", "tests/doctor", "tests/containers_support.py", "tests/people.py"),
        *(f"tests/engines/test_{name}.py" for name in ("in_image", "own_image")),
        *("tests/workflow/*_without_fuse.py", "docs/containers.md"),
    ),
    # Tables that libraries of MPI read; which algorithm is best is not asked here.
    "library_files": (*package("tuning"), "tests/tuning", "tests/containers_support.py"),
    "make_serve": (*SERVICE, *WITHOUT_BROWSER, *STARTED, "Makefile"),
    "network_survey": (
        *crates("fabric", "workload", "engine", "packet", "rdma"),
        *(f"simulators/rdma/tests/integration/{name}" for name in ("flit_level", "network_*")),
    ),
    # A page as a browser draws it. Its rows are made up; what it says is tested without a browser.
    "pages": (
        *package("report"),
        *("envs/requirements.txt", "tests/browser", "tests/chromium.py", "tests/report/*.py"),
    ),
    "programs": PROGRAMS,
    # What a site gets, and how it installs that; what runs then is tested elsewhere.
    "release": (
        *package("__init__.py", "release"),
        *modules("archive", "wheels"),
        *modules("images", "__init__", "check", "digest", "record", "sidecar"),
        *modules("files", "duplicate", "sums"),
        *modules("engines", "native", "provenance"),
        *("Makefile", "pyproject.toml", "envs/requirements.txt", "envs/build.txt"),
        *("envs/*.py", "envs/check_tools"),
        *("tests/release", "tests/missing.py", "tests/patience.py", "tests/people.py"),
    ),
    "runs": (
        *(*RUNS, *package("command")),
        *("docs/engines.md", "tests/engines/test_own_engine.py"),
    ),
    "service": (*SERVICE, *WITHOUT_BROWSER),
    "service_in_browser": SERVICE,
    # Its jobs are those of a cluster.
    "service_on_slurm": (
        *(*SERVICE, *WITHOUT_BROWSER),
        *("tests/cluster/cluster", "tests/cluster/configuration.sh", "tests/cluster/conftest.py"),
    ),
    # How far the simulators agree with SimGrid and SMPI; that both start is tested each time.
    "simgrid": (
        *(*SIMULATORS, "programs", "hardware", "configs/engine", *package("engines", "machine")),
        *("workflow/weft/config/graphs", *modules("config/model", "engine")),
        *("tests/engines/simgrid", "tests/engines/smpi"),
    ),
    # How a build names its executable: what else the sources say does not matter.
    "source_versions": (
        *("simulators/*build.rs", "simulators/*Cargo.toml", "simulators/Cargo.lock"),
        *("simulators/source_version", "simulators/engine/src", "simulators/*/src/main.rs"),
        *(":(glob)workflow/weft/engines/*.py", *package("machine"), *modules("files", "tokens")),
        "tests/engines/test_source_version.py",
    ),
}
