//! Side tables of networks that several engines fill: of what lies below programs and patterns.

use crate::side_table::{Column, SideTable};

/// When each message was sent and when it arrived.
pub const MESSAGES: SideTable = SideTable::new(
    "messages",
    "message",
    &[
        Column::integer("message_id", "counts from 0; of a file of messages its position there"),
        Column::integer("src", "node that sends it"),
        Column::integer("dst", "node that receives it"),
        Column::integer("bytes", "its size, without headers"),
        Column::number("start_s", "simulated time at which it is sent"),
        Column::number("finish_s", "simulated time at which all of it has arrived"),
        Column::number(
            "rate_bytes_per_s",
            "`bytes` over the time from start to end; NULL for a message that takes no time",
        )
        .of_others(),
    ],
)
.about(
    "Of traffic, those that were created in the measurement. In `rdma` numbers follow the order of \
     arrival. With several message sizes they continue from size to size.",
);

/// What each link carried.
pub const LINKS: SideTable = SideTable::new(
    "links",
    "link",
    &[
        Column::text("link", "its name"),
        Column::text("class", "its class, such as `x+` or `up`").optional(),
        Column::text("source", "node or router where it begins").optional(),
        Column::text("target", "node or router where it ends").optional(),
        Column::number("bytes", "what it carried"),
        Column::number("busy_s", "time in which it carried something"),
        Column::number("utilisation", "`bytes` over what it could have carried"),
    ],
)
.of_one_size();

/// What each node sent and received.
pub const NODES: SideTable = SideTable::new(
    "nodes",
    "node",
    &[
        Column::integer("node", "its number"),
        Column::number("injected_rate", "flits per cycle that it sent"),
        Column::number("accepted_rate", "flits per cycle that it received"),
    ],
)
.of_one_size()
.about("Means of the measurement; of a program, of its time.");

/// What a metric was over time.
pub const SERIES: SideTable = SideTable::new(
    "series",
    "metric and interval",
    &[
        Column::text("metric", "what the row is about"),
        Column::number("start_s", "simulated time at which the interval begins"),
        Column::number("end_s", "simulated time at which it ends"),
        Column::number("value", "the mean of the interval"),
        Column::text("unit", "of `value`"),
        Column::text(
            "label",
            "part of the network, such as a class of links (`x+`); NULL for all of it",
        )
        .optional(),
    ],
)
.of_one_size();
