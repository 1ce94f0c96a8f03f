//! Closed forms against the simulators, against numbers worked out by hand, and mistakes.

mod against_simulators;
mod calibrated;
mod common;
mod costs;
mod mistakes;
mod multicast;
mod speed;
