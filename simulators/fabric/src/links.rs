//! Links whose speed or latency is not that of the network.

use crate::{Channel, Fabric};
use serde::Deserialize;
use std::collections::{BTreeSet, HashSet};
use thiserror::Error;

/// Which links differ, as a spec says it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct LinksSpec {
    /// The channels that [`crate::About::tapered`] names are so many times slower.
    pub taper: Option<f64>,
    pub links: Vec<LinkSpec>,
}

/// Speed and latency of some channels; what is absent is as in the network.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkSpec {
    /// Classes or names of channels. A name overrides the class of its channel.
    pub channels: Vec<String>,
    pub bandwidth_bytes_per_s: Option<f64>,
    /// How many times slower than the network; instead of a bandwidth.
    pub slower: Option<f64>,
    pub latency_s: Option<f64>,
}

/// How a channel differs from the network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The bandwidth of the network over its own; below 1 where it is faster.
    pub slower: f64,
    /// Its own latency, if it has one.
    pub latency_s: Option<f64>,
}

impl Link {
    /// As the network says.
    pub const PLAIN: Self = Self { slower: 1.0, latency_s: None };
}

/// What each channel is like. Where all are as the network says, nothing is kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Links {
    /// Per channel, a place in `kinds`; empty where all channels are alike.
    of: Vec<u16>,
    kinds: Vec<Link>,
}

/// All channels are as the network says.
pub static ALIKE: Links = Links { of: Vec::new(), kinds: Vec::new() };

/// A channel is at most so many times slower or faster than the network.
pub const MOST_SLOWER: f64 = 1e6;
/// A cable has at most this latency.
const LONGEST_S: f64 = 1.0;

#[derive(Debug, Error, PartialEq)]
pub enum LinksError {
    #[error("topology.links names {word:?}, must be the name of a channel or a class: {classes}")]
    Unknown { word: String, classes: String },
    #[error("topology.links: {what} of {channels} is {value}, must be {allowed}")]
    Value { what: &'static str, channels: String, value: f64, allowed: String },
    #[error("topology.links: {channels} has both a bandwidth and slower; give one of them")]
    Both { channels: String },
    #[error("topology.taper is for topologies with links above the nodes' routers, not {kind}")]
    NoTaper { kind: &'static str },
    #[error("topology.links has more than 65535 kinds of links")]
    TooMany,
}

impl Links {
    /// Those of a spec, in a network of this bandwidth.
    ///
    /// # Errors
    /// Names the word or the number that cannot be.
    pub fn new(spec: &LinksSpec, fabric: &Fabric, bandwidth: f64) -> Result<Self, LinksError> {
        let (of, given) = spec.given(fabric)?;
        let kinds = given.iter().map(|link| link.link(bandwidth));
        Ok(Self::of_kinds(of, kinds.collect::<Result<_, _>>()?))
    }

    /// Channels of these kinds; `of` has a place in `kinds` for every channel.
    pub fn of_kinds(of: Vec<u16>, kinds: Vec<Link>) -> Self {
        if kinds.iter().all(|link| *link == Link::PLAIN) {
            return Self::default();
        }
        Self { of, kinds }
    }

    /// Whether all channels are as the network says.
    #[inline]
    pub fn are_alike(&self) -> bool {
        self.of.is_empty()
    }

    /// What a channel is like.
    #[inline]
    pub fn get(&self, channel: Channel) -> Link {
        match self.of.get(channel as usize) {
            Some(&kind) => self.kinds[usize::from(kind)],
            None => Link::PLAIN,
        }
    }

    /// The bandwidth of the network over that of a channel.
    #[inline]
    pub fn slower(&self, channel: Channel) -> f64 {
        self.get(channel).slower
    }

    /// The latency of a channel, where the network's would be this one.
    #[inline]
    pub fn latency_s(&self, channel: Channel, otherwise: f64) -> f64 {
        self.get(channel).latency_s.unwrap_or(otherwise)
    }

    /// The kinds of links that there are; one where all are alike.
    pub fn kinds(&self) -> Vec<Link> {
        let used: BTreeSet<u16> = self.of.iter().copied().collect();
        let found: Vec<Link> = used.into_iter().map(|kind| self.kinds[usize::from(kind)]).collect();
        if found.is_empty() { vec![Link::PLAIN] } else { found }
    }

    /// The bandwidth of the network over that of its fastest channel: 1 where none is faster.
    pub fn fastest(&self) -> f64 {
        self.kinds().iter().map(|link| link.slower).fold(1.0, f64::min)
    }

    /// The same of its slowest channel: 1 where none is slower.
    pub fn slowest(&self) -> f64 {
        self.kinds().iter().map(|link| link.slower).fold(1.0, f64::max)
    }
}

impl LinksSpec {
    /// Per channel a place among the kinds of links; no places where nothing is given. Entries of the spec
    /// replace what the file of a graph says.
    ///
    /// # Errors
    /// Names the word that cannot be.
    pub(crate) fn given(&self, fabric: &Fabric) -> Result<(Vec<u16>, Vec<LinkSpec>), LinksError> {
        let (of, mut kinds) = of_a_file(fabric);
        let mut words = vec![];
        if let Some(taper) = self.taper {
            let about = match fabric {
                Fabric::Graph(graph) => graph.origin().unwrap_or(fabric.about()),
                _ => fabric.about(),
            };
            if about.tapered.is_empty() {
                return Err(LinksError::NoTaper { kind: about.kind });
            }
            let kind = kinds.len() as u16;
            let slower = Some(within("taper", "topology", taper)?);
            kinds.push(LinkSpec { slower, ..LinkSpec::default() });
            words.extend(about.tapered.iter().map(|word| ((*word).to_string(), kind)));
        }
        for given in &self.links {
            let kind = u16::try_from(kinds.len()).map_err(|_| LinksError::TooMany)?;
            kinds.push(given.clone());
            words.extend(given.channels.iter().map(|word| (word.clone(), kind)));
        }
        Ok((if words.is_empty() { of } else { placed(of, &words, fabric)? }, kinds))
    }
}

/// What the file of a graph says of its channels, as [`LinksSpec::given`].
fn of_a_file(fabric: &Fabric) -> (Vec<u16>, Vec<LinkSpec>) {
    let Fabric::Graph(graph) = fabric else { return (vec![], vec![LinkSpec::default()]) };
    let (of, given) = graph.given_links();
    let kinds = given.iter().map(|link| LinkSpec {
        channels: vec![format!("the graph {}", graph.file())],
        bandwidth_bytes_per_s: link.bandwidth_bytes_per_s,
        slower: link.slower,
        latency_s: link.latency_s,
    });
    (of.to_vec(), kinds.collect())
}

impl LinkSpec {
    fn link(&self, network: f64) -> Result<Link, LinksError> {
        let channels = || self.channels.join(", ");
        let slower = match (self.bandwidth_bytes_per_s, self.slower) {
            (Some(_), Some(_)) => return Err(LinksError::Both { channels: channels() }),
            (Some(own), None) if own.is_finite() && own > 0.0 => network / own,
            (Some(value), None) => {
                let allowed = "above 0".into();
                let what = "bandwidth_bytes_per_s";
                return Err(LinksError::Value { what, channels: channels(), value, allowed });
            }
            (None, slower) => slower.unwrap_or(1.0),
        };
        if let Some(value) = self.latency_s.filter(|value| !(0.0..=LONGEST_S).contains(value)) {
            let allowed = format!("within 0..{LONGEST_S} s");
            let what = "latency_s";
            return Err(LinksError::Value { what, channels: channels(), value, allowed });
        }
        let slower = within("the network's bandwidth over that", &channels(), slower)?;
        Ok(Link { slower, latency_s: self.latency_s })
    }
}

fn within(what: &'static str, channels: &str, value: f64) -> Result<f64, LinksError> {
    if (1.0 / MOST_SLOWER..=MOST_SLOWER).contains(&value) {
        return Ok(value);
    }
    let allowed = format!("within {}..{MOST_SLOWER}", 1.0 / MOST_SLOWER);
    Err(LinksError::Value { what, channels: channels.into(), value, allowed })
}

/// The kind of every channel. Those that a class names come first, so that names override them.
fn placed(
    mut of: Vec<u16>,
    words: &[(String, u16)],
    fabric: &Fabric,
) -> Result<Vec<u16>, LinksError> {
    of.resize(fabric.channels() as usize, 0);
    let mut found = HashSet::new();
    // A graph names its channels as its file does.
    let is_graph = matches!(fabric, Fabric::Graph(_));
    let has_names = is_graph || words.iter().any(|(word, _)| word.contains('/'));
    for channel in (0..fabric.channels()).filter(|&channel| fabric.lists(channel)) {
        let mut place = |own: &str| {
            if let Some((word, kind)) = words.iter().rev().find(|(word, _)| word == own) {
                of[channel as usize] = *kind;
                found.insert(word.as_str());
            }
        };
        place(&fabric.class(channel));
        if has_names {
            place(&fabric.name(channel));
        }
    }
    match words.iter().find(|(word, _)| !found.contains(word.as_str())) {
        Some((word, _)) => Err(unknown(word, fabric)),
        None => Ok(of),
    }
}

fn unknown(word: &str, fabric: &Fabric) -> LinksError {
    let all = (0..fabric.channels()).filter(|&channel| fabric.exists(channel));
    let classes: BTreeSet<String> = all.map(|channel| fabric.class(channel)).collect();
    let classes = classes.into_iter().collect::<Vec<_>>().join(", ");
    LinksError::Unknown { word: word.into(), classes }
}
