"""Shows what the plans hold; planning itself happens before any rule (weft.prepare)."""


rule plan:
    input:
        plans=schedule.plans,
    log:
        "results/plan.log",
    conda:
        "../../envs/weft.yaml"
    params:
        ways=schedule.ways,
    message:
        "What is planned, and what of it is done"
    script:
        "../scripts/plan.py"
