//! Meaning and time of calls, on a network in closed form.

mod any_order;
mod barriers;
mod communicators;
mod completion;
mod costs;
mod critical_path;
mod errors;
mod gap;
mod heads;
mod matching;
mod observing;
mod one_sided;
mod protocols;
mod random_programs;
mod sending;
mod wire;
mod world;
