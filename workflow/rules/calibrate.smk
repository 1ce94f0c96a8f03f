"""Link parameters from the ping-pong that the same experiment measured."""


localrules:
    calibrate,


rule calibrate:
    input:
        metrics=lookup(dpath="{experiment}/measured", within=schedule.lookup),
    output:
        "results/{experiment}/calibration.json",
    log:
        "results/{experiment}/calibrate.log",
    conda:
        "../../envs/weft.yaml"
    message:
        "{wildcards.experiment}: fitting latency and bandwidth"
    script:
        "../scripts/calibrate.py"
