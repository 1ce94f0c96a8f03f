"""Switch points of a machine's collectives, from the experiment `tuning`."""


localrules:
    tuning,


# Only a command that asks for it has the experiment, perhaps under the name of a variant.
def tuning_experiment(_):
    return next(name for name in schedule.experiments if base_name(name) == "tuning")


rule tuning:
    input:
        plan=lambda _: schedule.lookup[tuning_experiment(_)]["plan"],
        collected=lambda _: f"results/{tuning_experiment(_)}/collected.json",
    output:
        "tuning/{machine}.yaml",
    log:
        "results/tuning-{machine}.log",
    wildcard_constraints:
        machine=r"[A-Za-z0-9][A-Za-z0-9_\-]*",
    conda:
        "../../envs/weft.yaml"
    params:
        collection=lambda _: schedule.lookup[tuning_experiment(_)]["collection"],
    message:
        "writing the switch points of {wildcards.machine}"
    script:
        "../scripts/tuning.py"
