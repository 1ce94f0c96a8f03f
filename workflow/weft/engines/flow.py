"""The flow-level simulator: link shares between messages, no packets."""

from weft.engines.native import NativeEngine


class FlowEngine(NativeEngine):
    """`weft-flow`, of `simulators/flow`."""

    name = "flow"
    side_tables = ("messages", "links")
