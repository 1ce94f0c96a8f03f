//! Classes of channels: `injection`, `ejection`, `x+`, `up` …

use fabric::{Channel, End, Fabric};

/// Which class each channel has, and how many channels each class.
#[derive(Debug, Clone)]
pub struct Classes {
    names: Vec<String>,
    /// Per channel; of numbers without a channel it means nothing.
    of: Vec<u16>,
    links: Vec<u64>,
    into_routers: Vec<u64>,
    out_of_routers: u64,
}

impl Classes {
    pub fn new(fabric: &Fabric) -> Result<Self, String> {
        let mut classes = Self {
            names: vec![],
            of: vec![0; fabric.channels() as usize],
            links: vec![],
            into_routers: vec![],
            out_of_routers: 0,
        };
        for channel in (0..fabric.channels()).filter(|&c| fabric.exists(c)) {
            let class = classes.class(fabric.class(channel))?;
            classes.of[channel as usize] = class;
            classes.links[usize::from(class)] += 1;
            let (from, to) = fabric.ends(channel);
            classes.into_routers[usize::from(class)] += u64::from(matches!(to, End::Router(_)));
            classes.out_of_routers += u64::from(matches!(from, End::Router(_)));
        }
        Ok(classes)
    }

    fn class(&mut self, name: String) -> Result<u16, String> {
        let known = self.names.iter().position(|known| *known == name);
        let number = known.unwrap_or_else(|| {
            self.names.push(name);
            self.links.push(0);
            self.into_routers.push(0);
            self.names.len() - 1
        });
        u16::try_from(number)
            .map_err(|_| "the topology has more than 65536 classes of links".into())
    }

    pub fn count(&self) -> usize {
        self.names.len()
    }

    #[inline]
    pub fn of(&self, channel: Channel) -> usize {
        usize::from(self.of[channel as usize])
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Channels of a class.
    pub fn links(&self, class: usize) -> u64 {
        self.links[class]
    }

    /// Channels of a class that end at a router, where there are buffers.
    pub fn into_routers(&self, class: usize) -> u64 {
        self.into_routers[class]
    }

    /// All channels.
    pub fn all(&self) -> u64 {
        self.links.iter().sum()
    }

    /// Channels that begin at a router: its output ports.
    pub fn output_ports(&self) -> u64 {
        self.out_of_routers
    }
}
