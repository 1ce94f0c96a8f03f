"""Archives: a page with all that it is made of, as one ZIP file."""


localrules:
    archive,


rule archive:
    input:
        page="reports/{page}.html",
        plans=lookup(dpath="archives/{page}/plans", within=schedule.lookup),
        sources=lookup(dpath="archives/{page}/sources", within=schedule.lookup),
    output:
        "archives/{page}.zip",
    log:
        "results/archive_{page}.log",
    wildcard_constraints:
        page=rf"(?!index\.)[A-Za-z0-9][A-Za-z0-9_\-]*(@{SUFFIX})?",
    conda:
        "../../envs/weft.yaml"
    params:
        wheels=lookup(dpath="archives/{page}/wheels", within=schedule.lookup),
        anonymous=lookup(dpath="archives/{page}/anonymous", within=schedule.lookup),
    message:
        "writing {output}"
    script:
        "../scripts/archive.py"
