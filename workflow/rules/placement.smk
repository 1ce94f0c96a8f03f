"""Where the ranks of the same experiment's measurements ran."""


localrules:
    placement,


rule placement:
    input:
        metrics=schedule.find("{experiment}/measured"),
    output:
        "results/{experiment}/placement.json",
    log:
        "results/{experiment}/placement.log",
    conda:
        "../../envs/weft.yaml"
    message:
        "{wildcards.experiment}: listing the nodes of measurements"
    script:
        "../scripts/placement.py"
