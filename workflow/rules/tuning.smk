"""Switch points of a machine's collectives, from the experiment `tuning`."""


localrules:
    tuning,


rule tuning:
    input:
        plan=lambda _: schedule.lookup[schedule.running("tuning")]["plan"],
        collected=lambda _: f"results/{schedule.running('tuning')}/collected.json",
    output:
        "tuning/{machine}.yaml",
    log:
        "results/tuning-{machine}.log",
    wildcard_constraints:
        machine=r"[A-Za-z0-9][A-Za-z0-9_\-]*",
    conda:
        "../../envs/weft.yaml"
    params:
        collection=lambda _: schedule.lookup[schedule.running("tuning")]["collection"],
    message:
        "writing the switch points of {wildcards.machine}"
    script:
        "../scripts/tuning.py"
