//! Watches the network: series over time and congested ports.

use super::blocked::{Congested, Waits};
use super::buffers::BufferSeries;
use super::classes::Classes;
use super::links::LinkSeries;
use crate::link_flows::LinkFlows;
use crate::metrics::Carried;
use crate::observer::NetworkObserver;
use fabric::{Channel, Fabric, Node};
use mpi::measure::Intervals;
use mpi::measure::{Latencies, LatencySeries};
use mpi::time::Time;

/// Buffers of a network's routers.
#[derive(Debug, Clone, Copy)]
pub struct Buffers {
    pub virtual_channels: u32,
    pub vc_buffer_bytes: u64,
}

/// What shall be watched.
#[derive(Debug, Clone, Copy)]
pub struct WatchNetwork {
    /// Series with this interval, if any.
    pub interval_ps: Option<Time>,
    /// Where there are buffers, how full they are and who waits for ports is watched, too.
    pub buffers: Option<Buffers>,
}

/// What the network was like over time.
#[derive(Debug, Clone)]
pub struct NetworkSeries {
    pub links: LinkSeries,
    pub buffers: Option<BufferSeries>,
    pub latency: LatencySeries,
}

#[derive(Debug, Clone)]
pub struct NetworkWatch {
    classes: Classes,
    nodes: u32,
    vc_buffer_bytes: u64,
    interval_ps: Time,
    latencies: Latencies,
    waits: Option<Waits>,
    series: Option<NetworkSeries>,
    flows: Option<LinkFlows>,
    /// End of the last event that was reported.
    last: Time,
}

impl NetworkWatch {
    /// Says what to change when the interval is shorter than a picosecond.
    pub fn new(fabric: &Fabric, watch: &WatchNetwork) -> Result<Self, String> {
        if watch.interval_ps == Some(0) {
            return Err("series_interval_s is shorter than a picosecond; take a longer one".into());
        }
        let classes = Classes::new(fabric)?;
        let channels = fabric.channels();
        let series = watch.interval_ps.map(|interval_ps| NetworkSeries {
            links: LinkSeries::new(interval_ps, &classes, channels),
            buffers: watch.buffers.map(|buffers| {
                BufferSeries::new(interval_ps, &classes, channels, buffers.virtual_channels)
            }),
            latency: LatencySeries::new(interval_ps),
        });
        Ok(Self {
            classes,
            nodes: fabric.nodes(),
            vc_buffer_bytes: watch.buffers.map_or(0, |buffers| buffers.vc_buffer_bytes),
            interval_ps: watch.interval_ps.unwrap_or(1),
            latencies: Latencies::default(),
            waits: watch.buffers.map(|_| Waits::new(channels, watch.interval_ps)),
            series,
            flows: None,
            last: 0,
        })
    }

    /// Watches which pairs of nodes use each channel, too.
    #[must_use]
    pub fn with_flows(self) -> Self {
        Self { flows: Some(LinkFlows::default()), ..self }
    }

    /// What pairs of nodes sent over each channel, if that was watched.
    pub fn flows(&self) -> Option<&LinkFlows> {
        self.flows.as_ref()
    }

    /// Latencies of packets in the network.
    pub fn latencies(&self) -> &Latencies {
        &self.latencies
    }

    /// The end of the program or of the last packet, whichever is later.
    pub fn end(&self, program_end: Time) -> Time {
        program_end.max(self.last)
    }

    /// How often intervals were joined.
    pub fn shift(&self) -> u32 {
        let own = self.series.as_ref().map_or(0, |series| {
            let buffers = series.buffers.as_ref().map_or(0, BufferSeries::shift);
            series.links.shift().max(buffers).max(series.latency.shift())
        });
        own.max(self.waits.as_ref().map_or(0, Waits::shift))
    }

    /// Ends what is under way.
    pub fn finish(&mut self, end: Time) {
        if let Some(series) = &mut self.series {
            series.links.finish(&self.classes, end);
        }
    }

    /// The series by these intervals, with the classes of links; call [`NetworkWatch::finish`] before.
    pub fn series(
        &mut self,
        intervals: &Intervals,
    ) -> Option<(&NetworkSeries, Option<&Waits>, &Classes)> {
        let series = self.series.as_mut()?;
        series.links.fit(intervals);
        if let Some(buffers) = &mut series.buffers {
            buffers.fit(intervals);
        }
        series.latency.fit(intervals);
        if let Some(waits) = &mut self.waits {
            waits.fit(intervals);
        }
        Some((series, self.waits.as_ref(), &self.classes))
    }

    pub fn vc_buffer_bytes(&self) -> u64 {
        self.vc_buffer_bytes
    }

    /// See [`Waits::ranking`].
    pub fn ranking(&self) -> Vec<Congested> {
        self.waits.as_ref().map_or(vec![], Waits::ranking)
    }
}

impl NetworkObserver for NetworkWatch {
    const ACTIVE: bool = true;

    fn interval_ps(&self) -> Option<Time> {
        self.series.is_some().then_some(self.interval_ps)
    }

    #[inline]
    fn packet_on_channel(&mut self, channel: Channel, bytes: u64, start: Time, end: Time) {
        self.flows_on_channel(channel, Carried { bytes, busy: end - start }, start, end);
    }

    #[inline]
    fn flows_on_channel(&mut self, channel: Channel, carried: Carried, start: Time, end: Time) {
        self.last = self.last.max(end);
        if let Some(series) = &mut self.series {
            series.links.carry(channel, self.classes.of(channel), carried, start, end);
        }
    }

    fn wants_flows(&self) -> bool {
        self.flows.is_some()
    }

    #[inline]
    fn flow_on_channel(&mut self, channel: Channel, ends: (Node, Node), bytes: u64) {
        if let Some(flows) = &mut self.flows {
            flows.add(channel, ends, bytes);
        }
    }

    fn take_flows(&mut self, counted: LinkFlows, each: u64) {
        if let Some(flows) = &mut self.flows {
            flows.add_all(counted, each);
        }
    }

    #[inline]
    fn buffer(&mut self, channel: Channel, vc: u32, at: Time, bytes: u64) {
        if let Some(buffers) = self.series.as_mut().and_then(|series| series.buffers.as_mut()) {
            buffers.level(channel, self.classes.of(channel), vc, at, bytes);
        }
    }

    /// Waits at a node's own NIC are no congestion of a router.
    #[inline]
    fn blocked(&mut self, channel: Channel, from: Time, until: Time) {
        if let (true, Some(waits)) = (channel >= self.nodes && until > from, &mut self.waits) {
            waits.packet(channel);
        }
    }

    #[inline]
    fn taken(&mut self, channel: Channel, since: Time, at: Time) {
        if let (true, Some(waits)) = (channel >= self.nodes, &mut self.waits) {
            waits.taken(channel, since, at);
        }
    }

    #[inline]
    fn packet_delivered(&mut self, entered: Time, at: Time) {
        self.last = self.last.max(at);
        self.latencies.add(at - entered);
        if let Some(series) = &mut self.series {
            series.latency.add(at, at - entered);
        }
    }
}
