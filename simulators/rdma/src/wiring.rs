//! Channels and routes of a fabric in the form that the network reads.

use fabric::routing::{AnyRouting, Division};
use fabric::{Channel, End, Fabric, Flow, Grid, Leg, Node, PortNumbers, TorusClasses, VcClasses};

/// Bits of a [`Step`] that hold the channel.
const CHANNEL_BITS: u32 = 28;
/// Most memory for the sets of waiting packets.
const MAX_SET_BYTES: u64 = 2 << 30;
/// Most input virtual channels of a router.
const MAX_INPUT_VCS: u64 = 1 << 16;
/// Most classes of virtual channels that static routes may have.
const MOST_CLASSES: u16 = COIN as u16 - 1;
/// Numbers of classes in a [`Step`]: all virtual channels, those of the first class, of the second and
/// so on, and from here on a half that a coin of the packet decides, one for each ring.
const COIN: u32 = 8;
const COINS: u32 = 8;

/// A channel of a route and the class of virtual channels to be used on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step(u32);

impl Step {
    fn new(channel: Channel, class: u32) -> Self {
        Self(channel | class << CHANNEL_BITS)
    }

    #[inline]
    pub fn channel(self) -> Channel {
        self.0 & ((1 << CHANNEL_BITS) - 1)
    }
}

/// Virtual channels `first .. first + count` of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    pub first: u8,
    pub count: u8,
}

/// The network as routers see it.
#[derive(Debug, Clone)]
pub struct Wiring {
    pub fabric: Fabric,
    pub nodes: u32,
    pub channels: u32,
    pub vcs: u32,
    /// Places for the virtual channels of a port or channel: `vcs` up to the next power of two.
    pub stride: u32,
    /// `stride` is 2 to this power.
    pub shift: u32,
    /// 64-bit words of a set of a router's input virtual channels.
    pub words: usize,
    /// The channels that end in a router, one router after the other.
    pub inputs: Vec<Channel>,
    /// Places of the routers' input ports in `inputs`.
    numbers: PortNumbers,
    /// Per channel: the router at its beginning; 0 where there is none.
    router_of: Vec<u32>,
    /// Per channel: place of its first virtual channel among all. Those that end in a router come
    /// first, in the order of the input ports, then those that end in nodes.
    first_vcs: Vec<u32>,
    torus_classes: TorusClasses,
    /// Whether static routes divide the virtual channels into classes.
    has_classes: bool,
    /// Virtual channels of each class.
    classes: [Range; MOST_CLASSES as usize],
}

impl Wiring {
    /// Fails if the number of virtual channels is not what the routes need, or where a router has
    /// too many ports.
    pub fn new(fabric: &Fabric, vcs: u32, torus_classes: TorusClasses) -> Result<Self, String> {
        let needed = fabric.needed_vcs(torus_classes).map_err(|e| e.to_string())?;
        if !needed.allows(vcs) {
            return Err(format!("network.router.virtual_channels is {vcs}, must be {needed}"));
        }
        let classes = needed.at_least.max(2);
        if classes > MOST_CLASSES && fabric.routing().is_static {
            return Err(format!(
                "topology: static routes with {classes} classes of virtual channels are more than \
                 this engine can hold; it holds {MOST_CLASSES}"
            ));
        }
        let (nodes, channels) = (fabric.nodes(), fabric.channels());
        let numbers = PortNumbers::new(fabric);
        let stride = vcs.next_power_of_two();
        let too_many = u64::from(channels) * u64::from(stride) >= 1 << CHANNEL_BITS;
        let widest = numbers.widest();
        let words = (u64::from(widest) * u64::from(stride)).div_ceil(64);
        let too_wide = u64::from(widest) * u64::from(stride) > MAX_INPUT_VCS;
        if too_many || too_wide || u64::from(channels) * words * 16 > MAX_SET_BYTES {
            return Err(format!(
                "topology: {channels} channels, routers of up to {widest} ports and {vcs} virtual \
                 channels are more than this engine can hold"
            ));
        }
        let ports = numbers.ports() as u32;
        let of_classes = VcClasses::new(vcs as u16, classes.min(MOST_CLASSES));
        let mut wiring = Self {
            fabric: fabric.clone(),
            nodes,
            channels,
            vcs,
            stride,
            shift: stride.trailing_zeros(),
            words: words as usize,
            inputs: vec![Channel::MAX; ports as usize],
            numbers,
            router_of: vec![0; channels as usize],
            first_vcs: vec![u32::MAX; channels as usize],
            torus_classes,
            has_classes: needed.at_least > 1,
            classes: std::array::from_fn(|class| {
                let (first, count) = of_classes.of(class as u8);
                Range { first: first as u8, count: count as u8 }
            }),
        };
        for channel in (0..channels).filter(|&c| fabric.exists(c)) {
            let (from, to) = fabric.ends(channel);
            if let End::Router(router) = from {
                wiring.router_of[channel as usize] = router;
            }
            if let (End::Router(router), Some(port)) = (to, fabric.input_port(channel)) {
                let input = wiring.numbers.first(router as usize) + port;
                wiring.inputs[input as usize] = channel;
                wiring.first_vcs[channel as usize] = input << wiring.shift;
            }
            if wiring.ends_in_node(channel) {
                wiring.first_vcs[channel as usize] = (ports + channel - nodes) << wiring.shift;
            }
        }
        Ok(wiring)
    }

    /// The routing function, where routes are not static.
    pub fn routing(&self) -> Option<AnyRouting> {
        let (vcs, torus_classes) = (self.vcs as u16, self.torus_classes);
        let division = Division { vcs, torus_classes, per_destination: false };
        let is_static = self.fabric.routing().is_static;
        (!is_static).then(|| AnyRouting::new(&self.fabric, division))
    }

    /// Numbers of ports, by router.
    pub fn ports(&self) -> &PortNumbers {
        &self.numbers
    }

    /// The router at the beginning of a channel; of a NIC's channel, one at the same place in memory.
    pub fn router(&self, channel: Channel) -> u32 {
        if channel < self.nodes {
            (u64::from(channel) * self.routers() as u64 / u64::from(self.nodes)) as u32
        } else {
            self.router_of[channel as usize]
        }
    }

    pub fn routers(&self) -> usize {
        self.numbers.routers()
    }

    /// Place among all virtual channels where those begin that end in a router: the number of one of
    /// them in the router's sets is its place from there on.
    pub fn first_input_vc(&self, router: u32) -> u32 {
        self.numbers.first(router as usize) << self.shift
    }

    /// Place of the first virtual channel of a channel.
    #[inline]
    pub fn first_vc(&self, channel: Channel) -> u32 {
        self.first_vcs[channel as usize]
    }

    #[inline]
    pub fn ends_in_node(&self, channel: Channel) -> bool {
        channel.wrapping_sub(self.nodes) < self.nodes
    }

    /// Per place of a virtual channel: its channel. Places behind the last one of a channel, and
    /// those of input ports without a channel, have no meaning.
    pub fn channels_of_vcs(&self) -> impl Iterator<Item = Channel> + '_ {
        let all = self.inputs.iter().copied().chain(self.nodes..2 * self.nodes);
        all.flat_map(|channel| (0..self.stride).map(move |_| channel))
    }

    /// Most channels of a static route behind the injection channel; 0 where routes are not static.
    pub fn longest_route(&self) -> usize {
        if self.fabric.routing().is_static { self.fabric.longest_route() } else { 0 }
    }

    /// Replaces `steps` by the route behind the injection channel; `path` is memory for it.
    #[inline]
    pub fn route(&self, flow: Flow, path: &mut Vec<Channel>, steps: &mut [Step]) {
        match &self.fabric {
            Fabric::Grid(grid) if grid.ties().is_some() => {
                return self.torus_steps(grid, (flow.src, flow.dst), steps);
            }
            fabric => {
                path.clear();
                fabric.route_of(flow, path);
            }
        }
        let own = &path[1..];
        if self.has_classes {
            let classes = self.fabric.virtual_classes(path);
            for (i, (&channel, &class)) in own.iter().zip(&classes[1..]).enumerate() {
                let between_routers = channel >= 2 * self.nodes;
                let class = if between_routers { 1 + u32::from(class) } else { 0 };
                steps[i] = Step::new(channel, class);
            }
        } else {
            own.iter().zip(steps).for_each(|(&c, step)| *step = Step::new(c, 0));
        }
    }

    /// A packet takes its class when it enters a ring and keeps it to the end of the ring.
    #[inline]
    fn torus_steps(&self, grid: &Grid, (src, dst): (Node, Node), mut steps: &mut [Step]) {
        for leg in grid.legs(src, dst) {
            let class = self.ring_class(leg, grid.sizes()[leg.dimension]);
            let (own, behind) = steps.split_at_mut(leg.steps as usize);
            for (step, channel) in own.iter_mut().zip(grid.channels_of(leg)) {
                *step = Step::new(channel, class);
            }
            steps = behind;
        }
        steps[0] = Step::new(self.nodes + dst, 0);
    }

    fn ring_class(&self, leg: Leg, size: u32) -> u32 {
        let Leg { dimension, from, to, plus, .. } = leg;
        match self.torus_classes.of_ring((from, to), plus, size) {
            Some(class) => 1 + u32::from(class),
            None => COIN + dimension as u32 % COINS,
        }
    }

    /// Virtual channels that a packet with these coins may use on a step.
    #[inline]
    pub fn range(&self, step: Step, coins: u32) -> Range {
        match step.0 >> CHANNEL_BITS {
            0 => Range { first: 0, count: self.vcs as u8 },
            class if class < COIN => self.classes[class as usize - 1],
            ring => self.classes[(coins >> (ring - COIN) & 1) as usize],
        }
    }
}
