"""Every finished shard into the database.

One writer at a time changes a copy of the database and replaces the file by it. Only the experiment's
stamp is an output: news of one experiment do not rebuild the reports of the others.
"""


localrules:
    collect,


rule collect:
    input:
        status=schedule.find("{experiment}/status"),
        stale=schedule.find("{experiment}/stale"),
        published=expand(
            "configs/paper/{item}.csv",
            item=glob_wildcards("configs/paper/{item}.csv").item,
        ),
    output:
        stamp="results/{experiment}/collected.json",
    log:
        "results/{experiment}/collect.log",
    conda:
        "../../envs/weft.yaml"
    params:
        points=schedule.find("{experiment}/points"),
    message:
        "{wildcards.experiment}: collecting into results/weft.duckdb"
    script:
        "../scripts/collect.py"
