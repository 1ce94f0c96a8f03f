"""What the executor `weft-slurm` uses of Slurm's plugin, which a new release may rename."""

import inspect
from importlib.metadata import version

import pytest
import snakemake_executor_plugin_slurm as slurm
from snakemake_executor_plugin_weft_slurm import Executor
from snakemake_interface_executor_plugins.executors.base import AbstractExecutor
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor

#: Names that the plugin gives to nobody, and which no public method replaces.
BORROWED = ("_job_submission_executor", "_partitions")
#: What no interface promises, although its name is public.
OVERRIDDEN = ("get_account_arg", "get_partition_arg")


@pytest.mark.parametrize("name", [*BORROWED, *OVERRIDDEN])
def test_slurm_s_plugin_still_has_what_weft_uses(name: str) -> None:
    uses = f"self.{name} = " if name in BORROWED else f"self.{name}(job"
    release = f"snakemake-executor-plugin-slurm {version('snakemake-executor-plugin-slurm')}"
    assert uses in inspect.getsource(slurm), (
        f"{release} has no more '{uses}…': look how it submits jobs, and change "
        "workflow/snakemake_executor_plugin_weft_slurm/executor.py"
    )


OWN = {name for name, value in vars(Executor).items() if inspect.isfunction(value)}


def test_no_private_method_is_replaced() -> None:
    """A release that no longer calls it would go back to the plugin's own way without a word."""
    private = {name for name in OWN if name.startswith("_") and not name.endswith("__")}
    assert not {name for base in Executor.__mro__[1:] for name in private & set(vars(base))}


def test_every_other_method_that_weft_overrides_belongs_to_snakemake_s_interface() -> None:
    public = {name for name in OWN if not name.startswith("_")} - set(OVERRIDDEN)
    assert public <= {*vars(AbstractExecutor), *vars(RemoteExecutor)}
