"""One shard of points through a simulator.

The executable is no input: its version is in the shard's name, so that a rebuild of the same
version reruns nothing; so is an image `ancient`. The journal beside the outputs survives failures and kills.
Shards whose simulator cannot run here wait for `ready`, which fails with the reason; others go on.
"""


localrules:
    ready,


rule ready:
    output:
        "results/{experiment}/{engine}.ready",
    log:
        "results/{experiment}/{engine}.ready.log",
    conda:
        "../../envs/weft.yaml"
    params:
        reason=schedule.find("{experiment}/obstacles/{engine}"),
    message:
        "{wildcards.experiment}: {wildcards.engine} cannot run here"
    script:
        "../scripts/ready.py"


rule simulate:
    input:
        shard="results/{experiment}/shards/{shard}.json",
        changed=schedule.find("{experiment}/changed/{shard}", default=[]),
        calibration=schedule.find("{experiment}/calibration/{shard}", default=[]),
        ready=schedule.find("{experiment}/ready/{shard}", default=[]),
        placement=schedule.find("{experiment}/placement/{shard}", default=[]),
        image=ancient(schedule.find("{experiment}/images/{shard}", default=[])),
    output:
        status="results/{experiment}/{engine}/{shard}/status.json",
        runs="results/{experiment}/{engine}/{shard}/runs.parquet",
        metrics="results/{experiment}/{engine}/{shard}/metrics.parquet",
        messages="results/{experiment}/{engine}/{shard}/messages.parquet",
        links="results/{experiment}/{engine}/{shard}/links.parquet",
    log:
        "results/{experiment}/{engine}/{shard}/run.log",
    benchmark:
        "results/{experiment}/{engine}/{shard}/benchmark.jsonl"
    wildcard_constraints:
        engine=schedule.simulators,
    conda:
        "../../envs/weft.yaml"
    threads: schedule.threads
    resources:
        **schedule.resources.simulate_site,
        mem_mb=schedule.resources.simulate_memory_mb,
        runtime=schedule.resources.simulate_runtime_min,
    message:
        "{wildcards.experiment}: simulating shard {wildcards.shard} with {wildcards.engine}"
    script:
        "../scripts/run_shard.py"
