"""Archives: a page with all that it is made of, as one ZIP file."""


localrules:
    archive,


rule archive:
    input:
        page="reports/{page}.html",
        plans=schedule.find("archives/{page}/plans"),
        sources=schedule.find("archives/{page}/sources"),
    output:
        "archives/{page}.zip",
    log:
        "results/archive_{page}.log",
    wildcard_constraints:
        page=rf"(?!index\.)[A-Za-z0-9][A-Za-z0-9_\-]*(@{SUFFIX})?",
    conda:
        "../../envs/weft.yaml"
    params:
        wheels=schedule.find("archives/{page}/wheels"),
        anonymous=schedule.find("archives/{page}/anonymous"),
    message:
        "writing {output}"
    script:
        "../scripts/archive.py"
