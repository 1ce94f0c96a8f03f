"""What this machine can do for weft."""


localrules:
    doctor,


rule doctor:
    log:
        "results/doctor.log",
    conda:
        "../../envs/weft.yaml"
    message:
        "Looking at this machine"
    script:
        "../scripts/doctor.py"
