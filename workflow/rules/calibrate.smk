"""Link parameters from the ping-pong that the same experiment measured."""


localrules:
    calibrate,


rule calibrate:
    input:
        metrics=schedule.find("{experiment}/measured"),
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
