//! `weft-rdma`: the packet-level engine of programs as a command.

fn main() {
    println!("weft-rdma {}", rdma::VERSION);
}
