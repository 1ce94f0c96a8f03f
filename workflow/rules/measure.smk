"""One shard of points on the real machine.

It claims every core, so that nothing else runs while it measures; Snakemake scales the number down
to what there is. On a cluster it asks for the nodes and ranks of its points instead, and the machine
file says whether the nodes are to be its own. Points that no job can have the nodes of are skipped
without a job.
"""


localrules:
    refuse,


ruleorder: refuse > measure


rule measure:
    input:
        shard="results/{experiment}/shards/{shard}.json",
        changed=schedule.find("{experiment}/changed/{shard}", default=[]),
        ready=schedule.find("{experiment}/ready/{shard}", default=[]),
        image=ancient(schedule.find("{experiment}/images/{shard}", default=[])),
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
    resources:
        **schedule.resources.site,
        mem_mb=schedule.resources.measure_memory_mb,
        runtime=schedule.resources.measure_runtime_min,
        nodes=schedule.resources.nodes,
        tasks=schedule.resources.tasks,
        slots=schedule.resources.slots,
        slots_per_node=schedule.resources.slots_per_node,
        mpi=schedule.resources.mpi,
        allocation=schedule.resources.allocation,
        cpus_per_task=1,
        slurm_extra=schedule.resources.measure_extra,
    message:
        "{wildcards.experiment}: measuring shard {wildcards.shard}"
    script:
        "../scripts/run_shard.py"


use rule measure as refuse with:
    wildcard_constraints:
        shard=schedule.resources.refused,
    threads: 1
    message:
        "{wildcards.experiment}: no job can have the nodes of shard {wildcards.shard}"
