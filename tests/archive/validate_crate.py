"""Prints what the RO-Crate validator finds in a folder, for the environment of `envs/crate.txt`.

The context of RO-Crate comes from a file instead of the network.
"""

import sys
from pathlib import Path

import requests
from rocrate_validator import models, services
from rocrate_validator.utils.http import HttpRequester

folder, context, profile = sys.argv[1:]
held = requests.Response()
held.status_code = 200
held.headers["Content-Type"] = "application/ld+json"
# Version 1.1, on which the profile builds, has these terms under shorter names than the file.
held._content = Path(context).read_bytes().replace(b"bioschemas.org/terms/", b"bioschemas.org/")
HttpRequester.get = lambda self, address, **more: held
settings = services.ValidationSettings(
    rocrate_uri=folder,
    profile_identifier=profile,
    requirement_severity=models.Severity.RECOMMENDED,
    offline=True,
)
result = services.validate(settings)
for issue in result.get_issues():
    where = getattr(issue, "violatingEntity", "")
    print(f"{issue.severity.name}: {issue.check.identifier}: {issue.message} [{where}]")
print(f"{len(result.executed_checks) - len(result.failed_checks)} checks passed")
