"""Pages: one per experiment, one per paper, one per comparison, and the index."""

from glob import glob

from weft.prepare.rules.page_version import made_by

plan_of = schedule.find("{experiment}/plan")
plans_of_paper = schedule.find("papers/{paper}/plans")


localrules:
    report,
    paper,
    compare,
    index,


rule report:
    input:
        plan=plan_of,
        collected="results/{experiment}/collected.json",
        beside=schedule.find("{experiment}/beside", default=[]),
        metrics="configs/report/metrics.yaml",
    output:
        "reports/{experiment}.html",
    log:
        "results/{experiment}/report.log",
    wildcard_constraints:
        experiment=rf"(?!paper_|index\.)[A-Za-z0-9][A-Za-z0-9_\-]*(@{SUFFIX})?",
    conda:
        "../../envs/weft.yaml"
    params:
        collection=schedule.find("{experiment}/collection"),
        # Not by the input: Snakemake takes no notice when a parameter of that kind changes.
        page_version=lambda wildcards: made_by(
            f"reports/{wildcards.experiment}.html", [plan_of(wildcards)]
        ),
    message:
        "{wildcards.experiment}: writing {output}"
    script:
        "../scripts/report.py"


rule paper:
    input:
        plans=plans_of_paper,
        collected=schedule.find("papers/{paper}/collected"),
        about=lambda wildcards: f"configs/paper/{base_name(wildcards.paper)}.yaml",
    output:
        "reports/paper_{paper}.html",
    log:
        "results/paper_{paper}.log",
    conda:
        "../../envs/weft.yaml"
    params:
        collections=schedule.find("papers/{paper}/collections"),
        page_version=lambda wildcards: made_by(
            f"reports/paper_{wildcards.paper}.html", plans_of_paper(wildcards)
        ),
    message:
        "writing {output}"
    script:
        "../scripts/paper.py"


# No rule makes a file under its absolute path, so comparing computes nothing.
rule compare:
    input:
        first=os.path.abspath("results/{first}/plan.json"),
        second=os.path.abspath("results/{second}/plan.json"),
        collected=[
            os.path.abspath("results/{first}/collected.json"),
            os.path.abspath("results/{second}/collected.json"),
        ],
        metrics="configs/report/metrics.yaml",
    output:
        "reports/compare/{first}..{second}.html",
    log:
        "results/compare_{first}..{second}.log",
    wildcard_constraints:
        first=rf"[A-Za-z0-9][A-Za-z0-9_\-]*(@{SUFFIX})?",
        second=rf"[A-Za-z0-9][A-Za-z0-9_\-]*(@{SUFFIX})?",
    conda:
        "../../envs/weft.yaml"
    params:
        page_version=lambda wildcards: made_by(
            f"reports/compare/{wildcards.first}..{wildcards.second}.html",
            [
                f"results/{wildcards.first}/plan.json",
                f"results/{wildcards.second}/plan.json",
            ],
        ),
    message:
        "writing {output}"
    script:
        "../scripts/compare.py"


rule index:
    input:
        plans=schedule.plans,
        reports=[*schedule.reports, *schedule.paper_reports],
        # Of comparisons those that exist: absolute paths, so that the index makes none of them.
        comparisons=sorted(glob(os.path.abspath("reports/compare/*..*.html"))),
    output:
        "reports/index.html",
    log:
        "results/index.log",
    conda:
        "../../envs/weft.yaml"
    params:
        broken=dict(schedule.broken),
        page_version=lambda _: made_by("reports/index.html", schedule.plans),
    message:
        "writing {output}"
    script:
        "../scripts/index.py"
