//! Stores which point each thread computes, and since when.

use crate::clock::{Clock, thread_clock, utc_now};
use std::sync::Mutex;
use std::time::Instant;

/// A point that is being computed.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    /// Its place in the list of points.
    pub index: usize,
    pub since: Instant,
    pub started_at: String,
    /// The clock of the thread, and its time at the start.
    pub cpu: (Clock, f64),
}

#[derive(Debug, Clone)]
enum Seat {
    Free,
    Flying(Flight),
    /// The thread has ended, because no points were left.
    Closed,
}

/// The threads of a run.
pub(crate) struct Flights(Vec<Mutex<Seat>>);

impl Flights {
    pub fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| Mutex::new(Seat::Free)).collect())
    }

    pub fn threads(&self) -> usize {
        self.0.len()
    }

    fn set(&self, thread: usize, seat: Seat) {
        *self.0[thread].lock().unwrap_or_else(std::sync::PoisonError::into_inner) = seat;
    }

    /// The calling thread begins to compute a point.
    pub fn begin(&self, thread: usize, index: usize) -> Flight {
        let clock = thread_clock();
        let flight = Flight {
            index,
            since: Instant::now(),
            started_at: utc_now(),
            cpu: (clock, clock.seconds()),
        };
        self.set(thread, Seat::Flying(flight.clone()));
        flight
    }

    pub fn end(&self, thread: usize) {
        self.set(thread, Seat::Free);
    }

    pub fn close(&self, thread: usize) {
        self.set(thread, Seat::Closed);
    }

    /// All points that threads are computing.
    pub fn all(&self) -> Vec<Flight> {
        let seats = self
            .0
            .iter()
            .map(|seat| seat.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone());
        let flying = |seat| if let Seat::Flying(flight) = seat { Some(flight) } else { None };
        seats.filter_map(flying).collect()
    }

    /// Whether every thread that has not ended computes one of the points for which `lost` is true.
    pub fn only(&self, lost: impl Fn(usize) -> bool) -> bool {
        self.0.iter().all(|seat| {
            match &*seat.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
                Seat::Free => false,
                Seat::Flying(flight) => lost(flight.index),
                Seat::Closed => true,
            }
        })
    }
}
