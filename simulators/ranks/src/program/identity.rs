//! Names of what was compiled, by its content. `build.rs` reads this file, too.

use hmac_sha256::Hash;

const DIGITS: usize = 24;

/// A digest of named contents, in hexadecimal digits.
pub fn hash<'a>(parts: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hash = Hash::new();
    for (name, content) in parts {
        hash.update(format!("{name} {}\n", content.len()));
        hash.update(content);
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    hex[..DIGITS].to_string()
}
