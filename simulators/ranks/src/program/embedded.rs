//! The headers and sources that every program is compiled with, made part of this executable by
//! `build.rs`: an installed simulator needs no source tree.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
