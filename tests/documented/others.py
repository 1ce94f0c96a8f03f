"""Commands of other programs than Snakemake and weft: what a reader types, and what nobody does."""

#: By command, what a reader types in the clone. `make` takes environment and simulators as they
#: are, because others work with them.
TYPED = {
    "make doctor": "make --old-file=env doctor",
    "make run": "make --old-file=build run",
    "make schema": "make --old-file=env schema",
    "make fmt": "make --old-file=.venv/checks.stamp fmt",
    "make rebuild": "unzip -q archives/quickstart.zip -d rebuilt"
    ' && make -C rebuilt rebuild BIN="$PWD/.venv/bin/python"',
    "source .venv/bin/activate": "source .venv/bin/activate && weft --version",
    "unzip": "unzip -q archives/quickstart.zip -d quickstart && cd quickstart && test -f Makefile",
    "weft-x run": "weft-flow run --shard in.json --out dir --threads 1"
    " && grep done dir/journal.jsonl",
    "weft-x describe": "weft-flow describe",
    "weft-flow describe": "weft-flow describe",
    "weft-flow routes": "weft-flow routes < point.json",
    "weft-flow needs": "weft-flow needs < point.json",
    "weft-flow export": "weft-flow export < point.json",
    "weft-anet check": "weft-anet check < point.json",
    "eval": 'eval "$(_WEFT_COMPLETE=bash_source weft)" && complete -p weft',
}

#: What a reader types as it is printed.
AS_PRINTED = (".venv/bin/python -c", ".venv/bin/python - ", "bash -c :")

#: Which tests type a command, or what of it no machine of ours has.
ELSEWHERE = {
    # A run of all tests begins with these.
    "make env": "tests/test_two_makes.py",
    "make build": "tests/service/test_serve.py",
    "make lint": "`make test`",
    "make docs": "`make lint`",
    "make check": "these tests",
    "make test": "these tests",
    "make lock": "asks the index of packages for newer ones",
    "make serve": "tests/service/test_serve.py",
    "make report": "tests/archive/test_rebuild.py: with packages from an index",
    "make release": "tests/release/test_release.py",
    "./install": "tests/release/test_release.py",
    "make wheels": "asks an index of packages",
    "make catalogue": "tests/long/test_crate_recipes.py",
    "make CC=weft-cc": "tests/programs/test_own_build.py",
    "cargo test": "tests/long/test_booksim2.py",
    # A job of a cluster that measures starts it.
    "python -m weft.idle": "tests/cluster/test_idle_nodes.py",
    "python benchmarks": "tests/test_benchmarks.py: measures for minutes",
    "python3 benchmarks": "measures for minutes",
    # Images.
    "envs/install_apptainer": "tests/images/test_machine.py",
    "apptainer exec": "tests/images",
    # A server and its data.
    ".venv/bin/python -m weft.service": "tests/service/conftest.py",
    "WEFT_WORKER_TOKEN": "tests/service/test_site.py",
    "mkdir": "tests/service/test_restore.py",
    "sqlite3": "tests/service/test_restore.py",
    "pg_": "tests/service/test_restore.py",
    "tar -C": "tests/service/test_restore.py",
    # Clusters, and lines that weft writes for them.
    "sbatch": "tests/cluster/test_driver.py",
    "scontrol": "tests/cluster",
    "srun": "tests/cluster",
    "mpiexec": "tests/hardware/test_command.py",
    "mpirun": "tests/hardware/test_command.py",
    "module": "exists at a site only",
    # A second machine or the network.
    "git clone": "asks a server",
    "scp": "needs a second machine",
    ".venv/bin/python -m pip": "asks an index of packages",
    "apt install": "needs root and the network",
    # Parts of commands, and what the shell does itself.
    "cd": "a folder that another command makes",
    "chmod": "a part of a command",
    "fuser": "tests/workflow/test_kills.py: a process that outlives its run",
    "kill -9": "tests/workflow/test_kills.py",
    "rm -r": "tests/workflow/test_integrity.py: results that were removed",
    "umask": "tests/workflow/test_two_people.py",
    "duckdb": "is not in the environment, as the page says",
}

#: Blocks of Python that no clone runs: by document, which test does.
PYTHON = {
    "engines.md": "tests/engines/test_own_engine.py",
    "extending.md": "tests/report/kinds/test_kinds.py",
}
