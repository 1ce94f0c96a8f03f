//! Programs in Rust on the calls of the C interface.

use crate::wire::Wire;
use mpi::abi::{CStatus, Host, table};
use mpi::measure::{Courses, MOST_PIECES};
use mpi::time::Time;
use mpi::{Call, Machine, Observer, Protocol, Wait, drive};
use ranks::Ranks;
use std::ffi::{CString, c_void};
use std::ptr::null_mut;

pub const WORLD: i32 = 1;
pub const SELF: i32 = 2;
pub const ANY: i32 = -1;
pub const ANY_TAG: i32 = -2;
pub const PROC_NULL: i32 = -3;
pub const BYTE: i32 = 1 << 16 | 1;
pub const INT: i32 = 4 << 16 | 4;

/// What messaging reported.
#[derive(Debug, Default)]
pub struct Log {
    pub messages: Vec<(u32, u32, u64, Time, Time)>,
    pub calls: Vec<Call>,
    pub courses: Option<Courses>,
}

impl Observer for Log {
    const ACTIVE: bool = true;

    fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time) {
        self.messages.push((src, dst, bytes, sent, arrived));
    }
    fn call(&mut self, call: &Call) {
        self.calls.push(*call);
        if let (Some(courses), false) = (&mut self.courses, call.is_inner) {
            courses.call(call);
        }
    }
    fn wants_waits(&self) -> bool {
        true
    }
    fn wait(&mut self, wait: &Wait) {
        if let Some(courses) = &mut self.courses {
            courses.wait(wait);
        }
    }
    fn ended(&mut self, rank: u32, at: Time) {
        if let Some(courses) = &mut self.courses {
            courses.ended(rank, at);
        }
    }
}

pub type Simulated = Machine<Wire, Log>;

/// The calls of the rank that runs.
#[derive(Clone, Copy)]
pub struct Calls {
    pub rank: i32,
    pub host: &'static Host,
}

impl Calls {
    pub fn send(&self, bytes: i32, dest: i32, tag: i32) {
        (self.host.send)(null_mut(), bytes, BYTE, dest, tag, WORLD);
    }

    pub fn recv(&self, bytes: i32, source: i32, tag: i32) -> CStatus {
        let mut status = CStatus::default();
        (self.host.recv)(null_mut(), bytes, BYTE, source, tag, WORLD, &mut status);
        status
    }

    pub fn isend(&self, bytes: i32, dest: i32, tag: i32) -> i32 {
        let mut request = 0;
        (self.host.isend)(null_mut(), bytes, BYTE, dest, tag, WORLD, &mut request);
        request
    }

    pub fn irecv(&self, bytes: i32, source: i32, tag: i32) -> i32 {
        let mut request = 0;
        (self.host.irecv)(null_mut(), bytes, BYTE, source, tag, WORLD, &mut request);
        request
    }

    pub fn recv_head(&self, bytes: i32, source: i32, tag: i32) -> i32 {
        let mut request = 0;
        (self.host.recv_head)(null_mut(), bytes, BYTE, source, tag, WORLD, &mut request);
        request
    }

    pub fn sendrecv(&self, bytes: i32, peer: i32) {
        let (host, none) = (self.host, null_mut());
        (host.sendrecv)(none, bytes, BYTE, peer, 0, none, bytes, BYTE, peer, 0, WORLD, null_mut());
    }

    pub fn wait(&self, mut request: i32) -> CStatus {
        let mut status = CStatus::default();
        (self.host.wait)(&mut request, &mut status);
        assert_eq!(request, 0);
        status
    }

    pub fn test(&self, request: &mut i32) -> bool {
        let mut done = 0;
        (self.host.test)(request, &mut done, null_mut());
        done == 1
    }

    /// Sends a number.
    pub fn send_number(&self, value: i32, dest: i32, tag: i32) {
        let buffer: *const i32 = &value;
        (self.host.send)(buffer.cast(), 1, INT, dest, tag, WORLD);
    }

    /// Receives a number.
    pub fn receive_number(&self, source: i32, tag: i32) -> i32 {
        let mut value = -1;
        let buffer: *mut i32 = &mut value;
        (self.host.recv)(buffer.cast::<c_void>(), 1, INT, source, tag, WORLD, null_mut());
        value
    }

    pub fn compute(&self, time: Time) {
        (self.host.comp)(time as f64 * 1e-12);
    }

    /// The rank's clock.
    pub fn time(&self) -> Time {
        ((self.host.wtime)() * 1e12).round() as Time
    }

    /// Reports how long it is since `start` as a sample.
    pub fn took(&self, metric: &str, start: Time) {
        let metric = CString::new(metric).unwrap();
        (self.host.sample)(metric.as_ptr(), (self.time() - start) as f64 * 1e-12);
    }

    /// Reports the rank's clock as a sample.
    pub fn note(&self, metric: &str) {
        let metric = CString::new(metric).unwrap();
        (self.host.sample)(metric.as_ptr(), (self.host.wtime)());
    }
}

/// Ranks on these nodes.
pub struct World {
    pub nodes: Vec<u32>,
    pub protocol: Protocol,
}

/// So many ranks, each on a node of its own.
pub fn world(ranks: u32) -> World {
    World { nodes: (0..ranks).collect(), protocol: Protocol::default() }
}

impl World {
    pub fn with(self, protocol: Protocol) -> Self {
        Self { protocol, ..self }
    }

    /// Runs the program: its time and the machine afterwards.
    pub fn run(&self, program: impl Fn(&Calls) + 'static) -> Result<(Time, Simulated), String> {
        let host = table::<Wire, Log>();
        let body = move |rank: u32| {
            program(&Calls { rank: rank as i32, host });
            0
        };
        let (nodes, protocol) = (self.nodes.clone(), self.protocol.clone());
        let mut ranks = Ranks::new(body, nodes.len() as u32, 1 << 18)?;
        let courses = Some(Courses::new(nodes.len(), MOST_PIECES));
        let log = Log { courses, ..Log::default() };
        let mut machine = Machine::new(Wire::default(), log, nodes, protocol);
        let time = drive(&mut machine, &mut ranks)?;
        Ok((time, machine))
    }

    pub fn time(&self, program: impl Fn(&Calls) + 'static) -> Time {
        self.run(program).unwrap().0
    }

    pub fn error(&self, program: impl Fn(&Calls) + 'static) -> String {
        self.run(program).err().expect("the program should be refused")
    }
}

/// Largest time of a sample.
pub fn sample(machine: &Simulated, metric: &str) -> Time {
    let list = machine.samples.list();
    let (_, seconds) = list.iter().find(|(name, _)| name == metric).expect("a sample");
    (seconds * 1e12).round() as Time
}
