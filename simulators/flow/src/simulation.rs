//! The event loop: messages wait, start, run at the rates of a sharing rule, and finish.
//!
//! Each node owns as many slots as it may have messages under way; a slot carries one message after
//! the other. Only the due time of each slot is stored: when a rate changes by a factor, so does
//! the time left, `due = now + (due - now) · factor`. Messages due within a relative 1e-12 of the
//! earliest are taken together and their channels settled once.

use crate::capacity::{Alike, Capacity, Mixed};
use crate::due::Due;
use crate::equal_share::EqualShare;
use crate::incidence::Incidence;
use crate::job::{Job, Outcome};
use crate::max_min::MaxMin;
use crate::sharing::{Model, Sharing};
use fabric::Node;

/// Relative difference of two instants that count as one.
const SAME_INSTANT: f64 = 1e-12;

/// Runs a job to its end.
pub fn simulate(job: &Job) -> Outcome {
    let slots: usize = (0..job.messages.nodes())
        .map(|node| job.outstanding.limit(job.messages.range(node).len() as u32) as usize)
        .sum();
    match job.links.are_alike() {
        true => share(job, slots, Alike),
        false => share(job, slots, Mixed::new(job.links, job.fabric.channels() as usize)),
    }
}

fn share<C: Capacity>(job: &Job, slots: usize, capacity: C) -> Outcome {
    let (channels, nodes) = (job.fabric.channels() as usize, job.fabric.nodes());
    // At a rate of 1 a node sends as fast as it can, also where that is faster than the network.
    let limit = match job.injection_rate {
        1.0 => 1.0 / job.links.fastest(),
        rate => rate,
    };
    let flows = Incidence::new(channels, slots, job.fabric.longest_route());
    match job.model {
        Model::EqualShare => {
            run(job, slots, EqualShare::new(flows, capacity, channels, slots, limit))
        }
        Model::MaxMin => {
            run(job, slots, MaxMin::new(flows, capacity, channels, slots, nodes, limit))
        }
    }
}

fn run<S: Sharing>(job: &Job, slots: usize, sharing: S) -> Outcome {
    let mut simulation = Simulation::new(job, slots, sharing);
    simulation.start();
    while simulation.step() {}
    simulation.finish()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    /// Issued, in its start-up delay or before its earliest start.
    Waiting,
    Flowing,
}

struct Simulation<'a, S> {
    job: &'a Job<'a>,
    sharing: S,
    now_s: f64,
    due_s: Due,
    phase: Vec<Phase>,
    /// Message and node per slot.
    message: Vec<u32>,
    node: Vec<u32>,
    /// Next message to issue, messages still to finish and bytes sent per node.
    next: Vec<u32>,
    unfinished: Vec<u32>,
    sent_bytes: Vec<f64>,
    outcome: Outcome,
    path: Vec<u32>,
    batch: Vec<u32>,
    /// Since when a channel is busy, if that is measured.
    busy_since_s: Vec<f64>,
    first_finished: bool,
}

impl<'a, S: Sharing> Simulation<'a, S> {
    fn new(job: &'a Job<'a>, slots: usize, sharing: S) -> Self {
        let (messages, nodes) = (job.messages, job.messages.nodes());
        let mut node = Vec::with_capacity(slots);
        for src in 0..nodes {
            let own = job.outstanding.limit(messages.range(src).len() as u32);
            node.extend(std::iter::repeat_n(src, own as usize));
        }
        let busy = if job.busy_times { job.fabric.channels() as usize } else { 0 };
        Self {
            job,
            sharing,
            now_s: 0.0,
            due_s: Due::new(slots),
            phase: vec![Phase::Idle; slots],
            message: vec![0; slots],
            node,
            next: (0..nodes).map(|src| messages.range(src).start).collect(),
            unfinished: (0..nodes).map(|src| messages.range(src).len() as u32).collect(),
            sent_bytes: vec![0.0; nodes as usize],
            outcome: Outcome {
                issue_s: vec![f64::NAN; messages.len()],
                finish_s: vec![f64::NAN; messages.len()],
                channel_busy_s: vec![0.0; busy],
                ..Outcome::default()
            },
            path: Vec::new(),
            batch: Vec::new(),
            busy_since_s: vec![f64::NAN; busy],
            first_finished: false,
        }
    }

    fn start(&mut self) {
        for slot in 0..self.node.len() as u32 {
            self.issue(slot);
        }
        self.settle();
    }

    /// Handles everything that is due next; false when nothing is.
    fn step(&mut self) -> bool {
        let earliest = self.due_s.earliest();
        if earliest == f64::INFINITY || (self.first_finished && self.job.until_first_node) {
            return false;
        }
        self.now_s = earliest;
        let mut batch = std::mem::take(&mut self.batch);
        let until = earliest + earliest * SAME_INSTANT;
        self.due_s.until(until, &mut batch);
        let mut node_finished = false;
        for &slot in &batch {
            match self.phase[slot as usize] {
                Phase::Waiting => self.flow(slot),
                Phase::Flowing => node_finished |= self.complete(slot),
                Phase::Idle => {}
            }
        }
        batch.clear();
        self.batch = batch;
        if node_finished && !self.first_finished {
            self.first_finished = true;
            self.measure_accepted_rate();
        }
        self.settle();
        true
    }

    /// Gives the slot its node's next message, if there is one.
    fn issue(&mut self, slot: u32) {
        let node = self.node[slot as usize];
        let message = self.next[node as usize];
        if message == self.job.messages.range(node).end {
            self.phase[slot as usize] = Phase::Idle;
            self.due_s.set(slot, f64::INFINITY);
            return;
        }
        self.next[node as usize] += 1;
        self.message[slot as usize] = message;
        let issue_s = self.now_s.max(self.job.messages.earliest_s(message));
        self.outcome.issue_s[message as usize] = issue_s;
        // A node of traffic does not wait until its message has arrived before it sends the next one.
        let delay_s = if self.job.until_first_node { 0.0 } else { self.delay_s(node, message) };
        if issue_s + delay_s > self.now_s {
            self.phase[slot as usize] = Phase::Waiting;
            self.due_s.set(slot, issue_s + delay_s);
        } else {
            self.flow(slot);
        }
    }

    /// The start-up delay of a message.
    #[inline]
    fn delay_s(&mut self, node: Node, message: u32) -> f64 {
        let dst = self.job.messages.dst(message);
        let Job { fabric, links, latency_s, hop_latency_s, .. } = *self.job;
        if dst == node {
            return 0.0;
        }
        if links.are_alike() {
            if latency_s + hop_latency_s > 0.0 {
                return latency_s + f64::from(fabric.distance(node, dst)) * hop_latency_s;
            }
            return 0.0;
        }
        self.path.clear();
        fabric.route_of(self.job.messages.flow(node, message), &mut self.path);
        let between_routers = |channel| channel >= 2 * fabric.nodes();
        let hop_s = |channel| if between_routers(channel) { hop_latency_s } else { 0.0 };
        let own = self.path.iter().map(|&channel| links.latency_s(channel, hop_s(channel)));
        latency_s + own.sum::<f64>()
    }

    /// Puts the slot's message on the channels of its route.
    fn flow(&mut self, slot: u32) {
        let (node, message) = (self.node[slot as usize], self.message[slot as usize]);
        let bytes = self.job.messages.bytes(message) as f64;
        self.path.clear();
        let flow = self.job.messages.flow(node, message);
        self.job.fabric.route_of(flow, &mut self.path);
        if self.job.busy_times {
            for &channel in &self.path {
                if self.sharing.incidence().count(channel) == 0 {
                    self.busy_since_s[channel as usize] = self.now_s;
                }
            }
        }
        self.sharing.add(slot, &self.path, bytes);
        self.phase[slot as usize] = Phase::Flowing;
        self.due_s.begin(slot, self.now_s + bytes / self.job.bandwidth_bytes_per_s);
    }

    /// Ends the slot's message and issues the next; true if its node has finished.
    fn complete(&mut self, slot: u32) -> bool {
        let (node, message) = (self.node[slot as usize], self.message[slot as usize]);
        let late_s = if self.job.until_first_node { self.delay_s(node, message) } else { 0.0 };
        self.outcome.finish_s[message as usize] = self.now_s + late_s;
        self.sent_bytes[node as usize] += self.job.messages.bytes(message) as f64;
        self.leave(slot);
        self.unfinished[node as usize] -= 1;
        self.issue(slot);
        self.unfinished[node as usize] == 0
    }

    fn leave(&mut self, slot: u32) {
        if self.job.busy_times {
            for channel in self.sharing.incidence().route(slot) {
                if self.sharing.incidence().count(channel) == 1 {
                    let since_s = self.busy_since_s[channel as usize];
                    self.outcome.channel_busy_s[channel as usize] += self.now_s - since_s;
                }
            }
        }
        self.sharing.remove(slot);
    }

    fn settle(&mut self) {
        let Self { sharing, due_s, now_s, .. } = self;
        sharing.settle(|slot, factor| due_s.stretch(slot, *now_s, factor));
    }

    /// Bytes that the slot's flow has still to send.
    fn unsent_bytes(&self, slot: usize) -> f64 {
        if self.phase[slot] != Phase::Flowing {
            return 0.0;
        }
        let left_s = self.due_s.at(slot as u32) - self.now_s;
        left_s * self.sharing.rate(slot as u32) * self.job.bandwidth_bytes_per_s
    }

    fn measure_accepted_rate(&mut self) {
        let mut sent = self.sent_bytes.clone();
        for slot in 0..self.node.len() {
            if self.phase[slot] == Phase::Flowing {
                let bytes = self.job.messages.bytes(self.message[slot]) as f64;
                sent[self.node[slot] as usize] += bytes - self.unsent_bytes(slot);
            }
        }
        let largest = self.job.bandwidth_bytes_per_s * self.now_s;
        let senders = |node: &u32| !self.job.messages.range(*node).is_empty();
        let count = (0..self.job.messages.nodes()).filter(senders).count();
        if largest > 0.0 {
            let total: f64 = sent.iter().sum();
            self.outcome.accepted_rate = Some(total / largest / count as f64);
        }
    }

    fn finish(mut self) -> Outcome {
        for slot in 0..self.node.len() {
            if self.phase[slot] == Phase::Flowing {
                let unsent = self.unsent_bytes(slot);
                self.sharing.incidence_mut().give_back(slot as u32, unsent);
                self.leave(slot as u32);
            }
        }
        let mut outcome = self.outcome;
        outcome.end_s = self.now_s;
        outcome.channel_bytes =
            (0..self.job.fabric.channels()).map(|c| self.sharing.incidence().bytes(c)).collect();
        outcome
    }
}
