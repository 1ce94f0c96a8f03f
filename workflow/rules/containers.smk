"""Images: named by their contents, so that one that exists is never built again.

A build makes the images it starts from, too; they are no inputs here, because a site may have only
the last ones, copied from where they were built.
"""

from weft.images import engine_images


localrules:
    image,
    containers,
    lock_images,
    lock_packages,


rule image:
    output:
        # Not removed before the job: another run may have built it, and its jobs may run in it.
        update("containers/images/{image}.sif"),
    log:
        "logs/containers/{image}.log",
    wildcard_constraints:
        image="[a-z0-9_]+-[0-9a-f]{12}",
    conda:
        "../../envs/weft.yaml"
    message:
        "building {output}"
    script:
        "../scripts/build_image.py"


rule containers:
    input:
        engine_images,
    log:
        "logs/containers/containers.log",
    conda:
        "../../envs/weft.yaml"
    message:
        "All images are there; comparing them with containers/images.lock"
    script:
        "../scripts/images_check.py"


rule lock_images:
    input:
        engine_images,
    log:
        "logs/containers/lock_images.log",
    conda:
        "../../envs/weft.yaml"
    message:
        "Writing containers/images.lock from the images that are there"
    script:
        "../scripts/images_lock.py"


rule lock_packages:
    log:
        "logs/containers/lock_packages.log",
    conda:
        "../../envs/weft.yaml"
    message:
        "Writing envs/*.apt.lock anew from what the mirror has"
    script:
        "../scripts/lock_packages.py"
