//! The description of a topology, from which checks, models, messages and pages derive.

use crate::{FabricError, TOPOLOGIES};
use serde::Serialize;

/// One topology: its keys, its nodes and its routings.
#[derive(Debug, Serialize)]
pub struct About {
    pub kind: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
    pub keys: &'static [Key],
    /// The number of nodes, as a formula: sums, products and powers of keys, or `product(key)` of a list.
    pub nodes: &'static str,
    /// The routings; the first one is the default.
    pub routings: &'static [Routing],
    /// Ways to divide the virtual channels of a ring, where the routes go round rings.
    pub ring_classes: &'static [RingClasses],
    /// Whether every node may have a virtual channel of its own on each channel between routers. Then no
    /// classes are needed.
    pub per_destination: bool,
    /// Its classes of channels between routers, and the names in each.
    pub classes: &'static [Class],
    /// Classes of the channels that `taper` makes slower; none where it makes no sense.
    pub tapered: &'static [&'static str],
    /// Keys of small topologies, in the JSON of a spec. Tests build each with every choice. None where a
    /// key is a file.
    pub examples: &'static [&'static str],
}

/// A key of a topology.
#[derive(Debug, Serialize)]
pub struct Key {
    pub name: &'static str,
    pub meaning: &'static str,
    #[serde(rename = "type")]
    pub kind: KeyType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<u64>,
    /// Words of a choice. Those of `routing` are the topology's routings, and do not stand here.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub allowed: &'static [&'static str],
    pub default: Default,
    /// Whether a spec leaves the key out when it has its default.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsaid: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyType {
    Integer,
    /// A list of integers.
    Integers,
    Choice,
    /// The path of a file. Then the file says how many nodes there are.
    File,
    Text,
    /// A list of texts.
    Texts,
}

/// The value of a key that an experiment leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Default {
    /// None: the key must be given.
    Required,
    /// None: another key is given instead.
    Nothing,
    Number(u64),
    Word(&'static str),
    /// Sums and products of other keys.
    Formula(&'static str),
}

/// A routing function, and what it needs so that packets cannot deadlock.
#[derive(Debug, Serialize)]
pub struct Routing {
    pub name: &'static str,
    /// The way of a packet.
    pub way: &'static str,
    /// Whether source and destination alone decide the way, so that `Fabric::route` returns it.
    pub is_static: bool,
    /// Whether messages between two nodes may take several ways. `Fabric::route` returns that of the first.
    pub is_by_message: bool,
    /// How many classes it divides the virtual channels of a port into.
    pub classes: u16,
    /// What each class is for.
    pub each: &'static str,
    /// Whether two packets must never share the buffer of a virtual channel.
    pub needs_own_buffers: bool,
}

/// A class of channels. `*` stands for a number in its name and in those of its channels.
#[derive(Debug, Serialize)]
pub struct Class {
    pub name: &'static str,
    /// Of each number, the first value that it does not have, as a formula.
    pub below: &'static [&'static str],
    /// The least value of the first number, if that is not 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub least: u64,
    /// A formula that is above 0 where the class is there, if it is not always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positive: Option<&'static str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// How the virtual channels of a ring become two classes.
#[derive(Debug, Serialize)]
pub struct RingClasses {
    pub name: &'static str,
    pub multiple_of: u16,
    pub meaning: &'static str,
}

impl Key {
    const fn new(name: &'static str, kind: KeyType, meaning: &'static str) -> Self {
        let (minimum, maximum) = (None, None);
        let default = Default::Required;
        Self { name, meaning, kind, minimum, maximum, allowed: &[], default, unsaid: false }
    }

    pub(crate) const fn integer(name: &'static str, minimum: u64, meaning: &'static str) -> Self {
        Self { minimum: Some(minimum), ..Self::new(name, KeyType::Integer, meaning) }
    }

    /// A list of integers, each at least `minimum`.
    pub(crate) const fn integers(name: &'static str, minimum: u64, meaning: &'static str) -> Self {
        Self { minimum: Some(minimum), ..Self::new(name, KeyType::Integers, meaning) }
    }

    /// An exponent. It is at most 24, because 2^24 is the largest number of nodes.
    pub(crate) const fn exponent(name: &'static str, meaning: &'static str) -> Self {
        Self { maximum: Some(24), ..Self::integer(name, 1, meaning) }
    }

    pub(crate) const fn file(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, KeyType::File, meaning)
    }

    pub(crate) const fn text(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, KeyType::Text, meaning)
    }

    /// A list of texts.
    pub(crate) const fn texts(name: &'static str, meaning: &'static str) -> Self {
        Self::new(name, KeyType::Texts, meaning)
    }

    pub(crate) const fn choice(
        name: &'static str,
        allowed: &'static [&'static str],
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        let default = Default::Word(default);
        Self { allowed, default, ..Self::new(name, KeyType::Choice, meaning) }
    }

    /// The choice among the topology's routings.
    pub(crate) const fn routing(default: &'static str, meaning: &'static str) -> Self {
        Self::choice("routing", &[], default, meaning)
    }

    pub(crate) const fn or(self, default: Default) -> Self {
        Self { default, ..self }
    }

    pub(crate) const fn unsaid(self) -> Self {
        Self { unsaid: true, ..self }
    }
}

impl Routing {
    /// A static routing that needs one class.
    pub(crate) const fn new(name: &'static str, way: &'static str) -> Self {
        let each = "a packet needs one";
        Self {
            name,
            way,
            is_static: true,
            is_by_message: false,
            classes: 1,
            each,
            needs_own_buffers: false,
        }
    }

    /// The same routing, but not decided by source and destination alone.
    pub(crate) const fn decides_on_the_way(self) -> Self {
        Self { is_static: false, ..self }
    }

    /// The same routing, with ways that differ between messages.
    pub(crate) const fn by_message(self) -> Self {
        Self { is_by_message: true, ..self }
    }

    pub(crate) const fn with_classes(self, classes: u16, each: &'static str) -> Self {
        Self { classes, each, ..self }
    }

    pub(crate) const fn with_own_buffers(self) -> Self {
        Self { needs_own_buffers: true, ..self }
    }
}

impl Class {
    /// A class of channels that are called by its name and these numbers.
    pub(crate) const fn new(name: &'static str, below: &'static [&'static str]) -> Self {
        Self { name, below, least: 0, positive: None }
    }

    /// Of classes with a number in their names, the ones from here on.
    pub(crate) const fn from(self, least: u64) -> Self {
        Self { least, ..self }
    }

    /// It is there only where a formula is above 0.
    pub(crate) const fn where_positive(self, formula: &'static str) -> Self {
        Self { positive: Some(formula), ..self }
    }
}

impl About {
    /// Checks that the value of a key is not below its minimum.
    pub(crate) fn check(&self, key: &'static str, value: u32) -> Result<(), FabricError> {
        let least = self.keys.iter().find(|known| known.name == key).and_then(|key| key.minimum);
        let (value, least) = (u64::from(value), least.unwrap_or(0));
        if value < least {
            return Err(FabricError::TooSmall { key, value, least });
        }
        Ok(())
    }

    /// Every combination of the words that its keys may have.
    pub fn choices(&self) -> Vec<Vec<(&'static str, &'static str)>> {
        self.keys.iter().filter(|key| key.kind == KeyType::Choice).fold(vec![vec![]], |all, key| {
            let with = |word| all.iter().map(move |one| [&one[..], &[(key.name, word)]].concat());
            self.words(key).into_iter().flat_map(with).collect()
        })
    }

    /// The words of a choice.
    pub fn words(&self, key: &Key) -> Vec<&'static str> {
        match key.name {
            "routing" => self.routings.iter().map(|routing| routing.name).collect(),
            _ => key.allowed.to_vec(),
        }
    }

    /// Names of the routings that are static.
    pub fn static_routings(&self) -> impl Iterator<Item = &'static str> {
        self.routings.iter().filter(|routing| routing.is_static).map(|routing| routing.name)
    }
}

/// Kinds of topologies that have static routes.
pub fn static_kinds() -> Vec<&'static str> {
    let kinds = TOPOLOGIES.iter().filter(|about| about.static_routings().next().is_some());
    kinds.map(|about| about.kind).collect()
}

/// Words of `routing`, of all topologies that have that key, with static routes.
pub fn static_words() -> Vec<&'static str> {
    let mut found = vec![];
    for about in TOPOLOGIES {
        let is_chosen = about.keys.iter().any(|key| key.name == "routing");
        for word in about.static_routings().filter(|_| is_chosen) {
            if !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found
}
