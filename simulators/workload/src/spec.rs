//! The `workload` part of a point, turned into message lists.

use crate::pattern::Choice;
use crate::{Destinations, Injection, Messages, Pattern, PatternError, Random, read_messages};
use fabric::{Fabric, Node};
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use thiserror::Error;

/// Largest number of messages in one run.
pub const MAX_MESSAGES: u64 = 1 << 30;

/// Words of `kind`, in the order of [`WorkloadSpec`].
pub const KINDS: [&str; 3] = ["messages", "traffic", "program"];

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WorkloadSpec {
    /// A closed list: every node sends its messages in order, until all have arrived.
    Messages {
        #[serde(flatten)]
        list: ListSpec,
        #[serde(default)]
        outstanding: Outstanding,
    },
    /// Every node keeps sending at a rate. A flow-level model ends it when the first node has sent
    /// the messages of the list.
    Traffic {
        #[serde(flatten)]
        list: ListSpec,
        #[serde(flatten)]
        injection: Injection,
    },
    /// Ranks that wait for each other: engines that run programs read it elsewhere.
    Program {},
}

impl WorkloadSpec {
    /// Its word of [`KINDS`].
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Messages { .. } => KINDS[0],
            Self::Traffic { .. } => KINDS[1],
            Self::Program {} => KINDS[2],
        }
    }
}

fn once() -> u32 {
    1
}

/// Which messages each node sends.
#[derive(Debug, Clone, Deserialize)]
pub struct ListSpec {
    pub pattern: Pattern,
    #[serde(default = "once")]
    pub per_node: u32,
    #[serde(default, deserialize_with = "null_as_default")]
    pub message_bytes: Vec<u64>,
    #[serde(default, deserialize_with = "null_as_default")]
    include_self: bool,
    #[serde(default, deserialize_with = "null_as_default")]
    hotspot_nodes: HotspotNodes,
    #[serde(default, deserialize_with = "null_as_default")]
    hotspot_fraction: f64,
    file: Option<PathBuf>,
}

/// Node numbers, or a count: that many nodes from node 0 on.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum HotspotNodes {
    Count(u32),
    Nodes(Vec<Node>),
}

impl Default for HotspotNodes {
    fn default() -> Self {
        HotspotNodes::Nodes(vec![])
    }
}

pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Messages of one node that may be under way at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outstanding {
    AtMost(u32),
    All,
}

impl Default for Outstanding {
    fn default() -> Self {
        Outstanding::AtMost(1)
    }
}

impl<'de> Deserialize<'de> for Outstanding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Count(u32),
            Word(String),
        }
        match Raw::deserialize(deserializer) {
            Ok(Raw::Count(limit)) if limit > 0 => Ok(Outstanding::AtMost(limit)),
            Ok(Raw::Word(word)) if word == "all" => Ok(Outstanding::All),
            _ => Err(serde::de::Error::custom("outstanding must be a positive integer or \"all\"")),
        }
    }
}

#[derive(Debug, Error)]
pub enum WorkloadError {
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error("{0}")]
    File(String),
    #[error("per_node must be at least 1")]
    NoMessages,
    #[error("message_bytes is empty")]
    NoSizes,
    #[error("pattern file needs a file")]
    NoFile,
    #[error("{0} messages are more than {MAX_MESSAGES}")]
    TooMany(u64),
}

impl ListSpec {
    /// The sizes of its messages, one simulation each; a file has its own sizes.
    pub fn sizes(&self) -> Vec<Option<u64>> {
        match self.pattern {
            Pattern::File => vec![None],
            _ => self.message_bytes.iter().copied().map(Some).collect(),
        }
    }

    /// The message list, with sizes of zero bytes unless it comes from a file.
    /// Where hosts have several rails, each rail sends its part of the messages of its host.
    pub fn messages(&self, fabric: &Fabric, seed: u64) -> Result<Messages, WorkloadError> {
        let messages = self.of_hosts(fabric, seed)?;
        Ok(match fabric.rails() {
            Some(rails) => messages.on_rails(rails, fabric.nodes()),
            None => messages,
        })
    }

    fn of_hosts(&self, fabric: &Fabric, seed: u64) -> Result<Messages, WorkloadError> {
        if self.pattern == Pattern::File {
            let path = self.file.as_ref().ok_or(WorkloadError::NoFile)?;
            return read_messages(path, fabric.hosts()).map_err(WorkloadError::File);
        }
        if self.per_node == 0 {
            return Err(WorkloadError::NoMessages);
        }
        if self.message_bytes.is_empty() {
            return Err(WorkloadError::NoSizes);
        }
        let nodes = fabric.hosts();
        let each = self.pattern.messages_per_node(nodes, self.per_node);
        let total = each * u64::from(nodes);
        if total > MAX_MESSAGES {
            return Err(WorkloadError::TooMany(total));
        }
        let choice = self.choice();
        let destinations = self.pattern.destinations(fabric, self.per_node, &choice, seed)?;
        Ok(Messages::regular(nodes, each as u32, destinations))
    }

    /// Draws destinations one by one, for traffic without an end.
    pub fn destinations(&self, fabric: &Fabric, seed: u64) -> Result<Destinations, WorkloadError> {
        if self.message_bytes.is_empty() {
            return Err(WorkloadError::NoSizes);
        }
        let choice = self.choice();
        Ok(Destinations::new(self.pattern, fabric, &choice, &mut Random::new(seed))?)
    }

    fn choice(&self) -> Choice {
        let hotspot_nodes = match &self.hotspot_nodes {
            HotspotNodes::Count(count) => (0..*count).collect(),
            HotspotNodes::Nodes(nodes) => nodes.clone(),
        };
        Choice {
            include_self: self.include_self,
            hotspot_nodes,
            hotspot_fraction: self.hotspot_fraction,
        }
    }
}
