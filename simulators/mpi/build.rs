//! Makes the table of functions that a program gets from `struct mgen_host` of `mgen_host.h`, so that
//! both sides have the same order and types.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

/// From the workspace; `ranks` compiles programs with it, so that versions cover it.
const HEADER: &str = "../programs/include/mgen_host.h";
const BEGIN: &str = "struct mgen_host {";
/// Types of C and of Rust.
const TYPES: [(&str, &str); 14] = [
    ("void", "()"),
    ("int", "c_int"),
    ("long", "c_long"),
    ("double", "c_double"),
    ("size_t", "usize"),
    ("const char *", "*const c_char"),
    ("int *", "*mut c_int"),
    ("const int *", "*const c_int"),
    ("void *", "*mut c_void"),
    ("const void *", "*const c_void"),
    ("mgen_effect *", "Effect"),
    ("mgen_thread *", "Run"),
    ("MGEN_Status *", "*mut CStatus"),
    ("const MGEN_Status *", "*const CStatus"),
];

fn main() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let header = own.join("..").join(HEADER);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", header.display());
    let text = fs::read_to_string(&header).expect("programs/ lies beside simulators/");
    let made = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("host.rs");
    fs::write(made, table(&text)).expect("the build folder can be written");
}

/// The same structure in Rust.
fn table(header: &str) -> String {
    let (_, behind) = header.split_once(BEGIN).expect("the header has the structure");
    let (members, _) = behind.split_once('}').expect("the structure ends");
    let mut text = String::from("#[repr(C)]\n#[derive(Clone, Copy)]\npub struct Host {\n");
    let members = members.split(';').map(str::trim).filter(|member| !member.is_empty());
    for member in members {
        let (name, function) = function(member).unwrap_or_else(|| panic!("not read: {member}"));
        writeln!(text, "    pub {name}: {function},").expect("text can grow");
    }
    text + "}\n"
}

/// Name and type of `result (*name)(parameters)`.
fn function(member: &str) -> Option<(&str, String)> {
    let (result, rest) = member.split_once("(*")?;
    let (name, parameters) = rest.split_once(")(")?;
    let parameters = parameters.strip_suffix(')')?.split(',').map(str::trim);
    let parameters = parameters.filter(|parameter| *parameter != "void");
    let types: Option<Vec<&str>> =
        parameters.map(|parameter| rust_type(unnamed(parameter))).collect();
    let result = rust_type(result.trim())?;
    Some((name, format!("extern \"C\" fn({}) -> {result}", types?.join(", "))))
}

/// A parameter's type, without its name.
fn unnamed(parameter: &str) -> &str {
    parameter.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_end()
}

fn rust_type(of_c: &str) -> Option<&'static str> {
    TYPES.iter().find(|(c, _)| *c == of_c).map(|(_, rust)| *rust)
}
