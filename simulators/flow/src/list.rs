//! Lists and traffic over the network of programs: each message is a put whose memory is ready.
//!
//! A node of a list has at most so many messages under way, which share its NIC. A node of traffic sends
//! one after another: its software and its DMA work ahead, so that neither limits its rate. A message to
//! oneself crosses neither NIC nor network.

use crate::job::{Job, Outcome};
use crate::network::Network;
use fabric::{Flow, Node};
use mpi::time::{NEVER, Time, from_seconds};
use mpi::{Calendar, Happening, Kind, Nobody, Transfer, Transport};
use programs::Parameters;
use programs::parameters::Service;

const PICOSECOND_S: f64 = 1e-12;
/// Messages of a node of traffic that its NIC has: the one that it sends, and the next.
const AHEAD: u32 = 2;

/// What happens beside the network; the number is a message's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// Its NIC gets it.
    HandOver(Node, u32),
    /// It has come to oneself.
    Moved(Node, u32),
}

/// Messages of a node.
#[derive(Debug, Clone, Copy)]
struct Queue {
    /// The first that has not left, and the next that has not begun.
    head: u32,
    next: u32,
    /// Messages that have not arrived, or of traffic not left.
    unfinished: u32,
    /// Bytes to oneself that have come, and since when more are on their way.
    moved_bytes: f64,
    moving_since: Option<Time>,
}

struct List<'a> {
    job: &'a Job<'a>,
    network: Network<Nobody>,
    software: Time,
    now: Time,
    due: Calendar<What>,
    queues: Vec<Queue>,
    outcome: Outcome,
    first_finished: bool,
}

/// Runs a job to its end.
///
/// # Errors
/// Says which parameter cannot be.
pub fn run(job: &Job, parameters: &Parameters) -> Result<Outcome, String> {
    let mut parameters = Parameters { links: job.links.clone(), ..parameters.clone() };
    parameters.nic.service =
        if job.until_first_node { Service::InOrder } else { Service::RoundRobin };
    let mut network = Network::new(job.fabric, &parameters, job.model, Nobody)?;
    if job.injection_rate < 1.0 {
        network.limit(job.model, job.injection_rate);
    }
    let queue = |src| {
        let own = job.messages.range(src);
        Queue {
            head: own.start,
            next: own.start,
            unfinished: own.len() as u32,
            moved_bytes: 0.0,
            moving_since: None,
        }
    };
    let mut list = List {
        job,
        network,
        software: from_seconds(parameters.software().put_s),
        now: 0,
        due: Calendar::default(),
        queues: (0..job.messages.nodes()).map(queue).collect(),
        outcome: Outcome {
            issue_s: vec![f64::NAN; job.messages.len()],
            finish_s: vec![f64::NAN; job.messages.len()],
            ..Outcome::default()
        },
        first_finished: false,
    };
    list.start();
    while list.step() {}
    Ok(list.finish())
}

impl List<'_> {
    fn start(&mut self) {
        for src in 0..self.job.messages.nodes() {
            if self.job.until_first_node {
                self.take_turn(src);
                self.send_ahead(src);
            } else {
                let own = self.job.messages.range(src).len() as u32;
                (0..self.job.outstanding.limit(own)).for_each(|_| self.issue(src));
            }
        }
    }

    /// Handles everything that is next; false when nothing is.
    fn step(&mut self) -> bool {
        let until = self.due.first().unwrap_or(NEVER);
        let is_over = self.first_finished && self.job.until_first_node;
        if is_over || (until == NEVER && self.network.is_idle()) {
            return false;
        }
        let mut happened = vec![];
        self.now = self.network.advance(until, &mut happened);
        for happening in happened {
            match happening {
                Happening::Read(token) if self.job.until_first_node => {
                    self.left(self.src(token));
                }
                Happening::Arrived(token) => self.arrived(token),
                _ => {}
            }
        }
        while let Some(what) = self.due.due(self.now) {
            match what {
                What::HandOver(src, message) => self.hand_over(src, message),
                What::Moved(src, message) => self.moved(src, message),
            }
        }
        true
    }

    /// Issues the next message of a list's node, if there is one.
    fn issue(&mut self, src: Node) {
        let messages = self.job.messages;
        let message = self.queues[src as usize].next;
        if message == messages.range(src).end {
            return;
        }
        self.queues[src as usize].next += 1;
        let at = self.now.max(from_seconds(messages.earliest_s(message)));
        self.outcome.issue_s[message as usize] = at as f64 * PICOSECOND_S;
        let software = if messages.dst(message) == src { 0 } else { self.software };
        self.due.plan(at + software, What::HandOver(src, message));
    }

    fn hand_over(&mut self, src: Node, message: u32) {
        let bytes = self.job.messages.bytes(message);
        let Flow { dst, message: number, .. } = self.job.messages.flow(src, message);
        if dst == src {
            // Of traffic, where one follows the other.
            let since = self.job.until_first_node.then_some(self.now);
            self.queues[src as usize].moving_since = since;
            let rate = self.job.bandwidth_bytes_per_s * self.job.injection_rate;
            let time = mpi::time::of_bytes(bytes, rate);
            return self.due.plan(self.now + time, What::Moved(src, message));
        }
        let kind = Kind::Data;
        let transfer = Transfer { src, dst, number, bytes, kind, ordered: false, token: message };
        self.network.send(self.now, transfer);
    }

    fn moved(&mut self, src: Node, message: u32) {
        let queue = &mut self.queues[src as usize];
        queue.moved_bytes += self.job.messages.bytes(message) as f64;
        queue.moving_since = None;
        if self.job.until_first_node {
            self.left(src);
        }
        self.arrived(message);
    }

    fn arrived(&mut self, message: u32) {
        self.outcome.finish_s[message as usize] = self.now as f64 * PICOSECOND_S;
        if !self.job.until_first_node {
            let src = self.src(message);
            self.finished(src);
            self.issue(src);
        }
    }

    /// The first message of a node of traffic has left: the next one has its turn.
    fn left(&mut self, src: Node) {
        self.queues[src as usize].head += 1;
        self.finished(src);
        self.take_turn(src);
        self.send_ahead(src);
    }

    /// A message of traffic is issued so early that its software is done when the one before has left.
    fn take_turn(&mut self, src: Node) {
        let head = self.queues[src as usize].head;
        if head < self.job.messages.range(src).end {
            let at = self.now.saturating_sub(self.software);
            self.outcome.issue_s[head as usize] = at as f64 * PICOSECOND_S;
        }
    }

    /// A NIC gets the message whose turn it is, and the next one beside it. One to oneself is alone.
    fn send_ahead(&mut self, src: Node) {
        let messages = self.job.messages;
        let end = messages.range(src).end;
        loop {
            let Queue { head, next, .. } = self.queues[src as usize];
            let is_own = |message| messages.dst(message) == src;
            let is_alone = next > head && (is_own(head) || (next < end && is_own(next)));
            if next == end || next == head + AHEAD || is_alone {
                return;
            }
            self.queues[src as usize].next += 1;
            // The first ones wait for their software.
            let at = self.now.max(if is_own(next) { 0 } else { self.software });
            self.due.plan(at, What::HandOver(src, next));
        }
    }

    fn finished(&mut self, src: Node) {
        let queue = &mut self.queues[src as usize];
        queue.unfinished -= 1;
        if queue.unfinished == 0 && !self.first_finished {
            self.first_finished = true;
            self.measure_accepted_rate();
        }
    }

    fn measure_accepted_rate(&mut self) {
        let largest = self.job.bandwidth_bytes_per_s * self.now as f64 * PICOSECOND_S;
        let senders = |node: &Node| !self.job.messages.range(*node).is_empty();
        let count = (0..self.job.messages.nodes()).filter(senders).count();
        if largest > 0.0 {
            let nodes = 0..self.job.messages.nodes();
            let sent: f64 = nodes.map(|node| self.sent_bytes(node)).sum();
            self.outcome.accepted_rate = Some(sent / largest / count as f64);
        }
    }

    /// Bytes that a node has sent, with headers, and those to itself.
    fn sent_bytes(&self, node: Node) -> f64 {
        let Queue { moved_bytes, moving_since, .. } = self.queues[node as usize];
        let rate = self.job.bandwidth_bytes_per_s * self.job.injection_rate;
        let moving = moving_since.map_or(0.0, |since| (self.now - since) as f64 * PICOSECOND_S);
        self.network.carried_bytes(node) + moved_bytes + moving * rate
    }

    fn src(&self, message: u32) -> Node {
        self.job.messages.src(message)
    }

    fn finish(self) -> Outcome {
        let channels = 0..self.job.fabric.channels();
        let busy = |channel| self.network.busy_until_now(channel) as f64 * PICOSECOND_S;
        Outcome {
            end_s: self.now as f64 * PICOSECOND_S,
            channel_bytes: channels.clone().map(|c| self.network.carried_bytes(c)).collect(),
            channel_busy_s: match self.job.busy_times {
                true => channels.map(busy).collect(),
                false => vec![],
            },
            ..self.outcome
        }
    }
}
