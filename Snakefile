"""weft: declarative experiments for HPC interconnects. `snakemake plan` shows what would run."""

import sys

from snakemake.cli import get_argument_parser
from snakemake.settings.types import DeploymentMethod
from weft.interrupt import jobs_begin
from weft.plan.variant import SUFFIX, base_name
from weft.prepare import prepare, prepared
from weft.prepare.rules.wakeups import wake_for_jobs_alone
from weft.profile.command_line import command_line
from weft.progress import begin

if workflow.is_main_process:
    schedule = prepare(
        config,
        command_line(get_argument_parser, tuple(sys.argv[1:])),
        # A profile may ask for it, too.
        dry_run=workflow.output_settings.dryrun,
        containers=DeploymentMethod.APPTAINER
        in workflow.deployment_settings.deployment_method,
    )
else:
    schedule = prepared()


onstart:
    jobs_begin()
    wake_for_jobs_alone(workflow.scheduler, executor=workflow.executor_plugin.name)
    begin(schedule.watches)


onsuccess:
    schedule.check()


wildcard_constraints:
    experiment=rf"[A-Za-z0-9][A-Za-z0-9_\-]*(@{SUFFIX})?",
    shard="[0-9a-f]+",


localrules:
    all,
    papers,
    plan,


rule all:
    default_target: True
    input:
        schedule.reports,
        "reports/index.html",


rule papers:
    input:
        schedule.paper_reports,
        "reports/index.html",


include: "workflow/rules/containers.smk"
include: "workflow/rules/plan.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/calibrate.smk"
include: "workflow/rules/placement.smk"
include: "workflow/rules/collect.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/archive.smk"
include: "workflow/rules/tuning.smk"
include: "workflow/rules/doctor.smk"


# Under overrides `reports/x.html` means `reports/x@<overrides>.html`, and a whole path means the one
# from here: a rule of the first name asks for the second, and the page as written stays.
for asked, meant in schedule.aliases.items():

    rule:
        name:
            asked
        input:
            meant,
        localrule: True


# A target whose experiment has mistakes fails with them, and the others of the command are made.
for asked, (experiment, mistakes) in schedule.mistaken.items():

    rule:
        name:
            asked
        log:
            f"results/{experiment}/mistakes.log",
        localrule: True
        params:
            reason=mistakes,
        message:
            f"{experiment}: its file has mistakes"
        script:
            "workflow/scripts/ready.py"
