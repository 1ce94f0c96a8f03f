"""The YAML loader: libyaml's where PyYAML has it, which reads the same in a tenth of the time."""

from __future__ import annotations

import yaml

LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
