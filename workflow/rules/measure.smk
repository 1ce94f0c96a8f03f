"""One shard of points on the real machine.

It claims every core, so that nothing else runs while it measures; Snakemake scales the number down
to what there is. A cluster's profile says what a measurement needs there (`set-threads`).
"""


rule measure:
    input:
        shard="results/{experiment}/shards/{shard}.json",
    output:
        status="results/{experiment}/hardware/{shard}/status.json",
        runs="results/{experiment}/hardware/{shard}/runs.parquet",
        metrics="results/{experiment}/hardware/{shard}/metrics.parquet",
        samples="results/{experiment}/hardware/{shard}/samples.parquet",
    log:
        "results/{experiment}/hardware/{shard}/run.log",
    benchmark:
        "results/{experiment}/hardware/{shard}/benchmark.jsonl"
    conda:
        "../../envs/weft.yaml"
    threads: 1024
    message:
        "{wildcards.experiment}: measuring shard {wildcards.shard} on this machine"
    script:
        "../scripts/run_shard.py"
